/// Something that a model file says and that cannot be, or is not understood.
public struct ModelFileFinding: Sendable, Hashable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// There is no model.
        case error
        /// There is a model, and it may not be the one that was meant.
        case warning
        /// Nothing is wrong; strict readings accept it.
        case note
    }

    /// How bad it is.
    public let severity: Severity
    /// Where in the file: a JSON pointer (RFC 6901), or `line 3, column 7` of what is no JSON; empty for the file as a whole.
    public let place: String
    /// What is wrong, which rule it breaks, and what to do.
    public let message: String

    /// A finding.
    public init(_ severity: Severity, at place: String, _ message: String) {
        self.severity = severity
        self.place = place
        self.message = message
    }

    /// The place and the message.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Why a file is no model: all that was found.
public struct ModelFileError: Error, Sendable, CustomStringConvertible {
    /// What was found; one error at least, but where warnings were to be errors.
    public let findings: [ModelFileFinding]

    /// An error with what was found.
    public init(_ findings: [ModelFileFinding]) {
        self.findings = findings
    }

    /// The findings, one a line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
