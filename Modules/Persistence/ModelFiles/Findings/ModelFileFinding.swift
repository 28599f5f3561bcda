/// A problem in a model file, such as an invalid or unknown property.
public struct ModelFileFinding: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The file is not a valid model.
        case error
        /// The file is a valid model, but perhaps not the intended one.
        case warning
        /// The file is correct, and strict readers accept it.
        case note
    }

    /// The severity of the finding.
    public let severity: Severity
    /// The location of the problem in the file: a JSON pointer (RFC 6901), or `line 3, column 7` if the file is not
    /// JSON.
    ///
    /// The text is empty if the finding concerns the whole file.
    public let place: String
    /// The message, which states the problem, the violated rule, and a remedy.
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

/// An error that contains all findings about a file that is not a valid model.
public struct ModelFileError: Error, Sendable, CustomStringConvertible {
    /// The findings; at least one of them has the severity `error`, or, for a strict reader, `warning`.
    public let findings: [ModelFileFinding]

    /// Creates an error with findings.
    public init(_ findings: [ModelFileFinding]) {
        self.findings = findings
    }

    /// The findings, one per line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
