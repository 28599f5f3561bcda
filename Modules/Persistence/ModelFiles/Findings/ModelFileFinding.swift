/// A problem in a model file: an invalid or unknown statement.
public struct ModelFileFinding: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The file contains no valid model.
        case error
        /// The file contains a model, but perhaps not the intended one.
        case warning
        /// The file is correct; strict readings accept it.
        case note
    }

    /// The severity of the finding.
    public let severity: Severity
    /// The location in the file: a JSON pointer (RFC 6901), or `line 3, column 7` if the file is not JSON.
    ///
    /// The text is empty if the finding concerns the whole file.
    public let place: String
    /// The message, with the problem, the violated rule, and a remedy.
    public let message: String

    /// Creates a finding.
    public init(_ severity: Severity, at place: String, _ message: String) {
        self.severity = severity
        self.place = place
        self.message = message
    }

    /// The location and the message.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// An error that contains all findings of a file that is not a valid model.
public struct ModelFileError: Error, Sendable, CustomStringConvertible {
    /// The findings; at least one of them is an error, unless warnings are treated as errors.
    public let findings: [ModelFileFinding]

    /// Creates an error with findings.
    public init(_ findings: [ModelFileFinding]) {
        self.findings = findings
    }

    /// The findings, one per line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
