/// A problem in a model file, such as an invalid or unknown property.
///
/// Errors are in a ``ModelFileError``, because there is no model. Warnings and notes are in ``ModelFile/warnings``.
/// Messages are for the author of the file: they may quote its text, and their wording is not stable. A program should
/// use only ``severity`` and ``place``.
///
/// ## Topics
///
/// ### Examining a finding
///
/// - ``severity``
/// - ``Severity``
/// - ``place``
/// - ``message``
/// - ``description``
///
/// ### Creating a finding
///
/// - ``init(_:at:_:)``
public struct ModelFileFinding: Sendable, Hashable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// The file is not a valid model, so reading it throws an error.
        case error
        /// The file is a valid model, but perhaps not the intended one.
        ///
        /// An example is a property with a misspelled name, or a constraint that is ignored. A strict reader rejects
        /// the file.
        case warning
        /// The file is correct, and strict readers accept it.
        ///
        /// An example is a custom property that the standard does not define.
        case note
    }

    /// The severity of the finding.
    public let severity: Severity
    /// The location of the problem in the file: a JSON pointer (RFC 6901), or `line 3, column 7` if the file is not
    /// JSON.
    ///
    /// The text is empty if the finding concerns the whole file. If the problem is in a separate file with a schema or
    /// a dialect, the location begins with the path of that file, as in `schema.json#/fields/2`. Lines and columns are
    /// numbered from 1; a column counts Unicode scalars.
    public let place: String
    /// The message, which states the problem, the violated rule, and a remedy.
    ///
    /// It is one sentence fragment without a final period, and it does not contain the location.
    public let message: String

    /// Creates a finding.
    ///
    /// - Parameters:
    ///   - severity: The severity of the finding.
    ///   - place: The location of the problem; empty if the finding concerns the whole file.
    ///   - message: The problem and a remedy, without the location and without a final period.
    public init(_ severity: Severity, at place: String, _ message: String) {
        self.severity = severity
        self.place = place
        self.message = message
    }

    /// The location and the message, separated by a colon; only the message if the location is empty.
    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// An error that contains all findings about a file that is not a valid model.
public struct ModelFileError: Error, Sendable, CustomStringConvertible {
    /// The findings in the order in which they were found; at least one of them has the severity `error`, or, for a
    /// strict reader, `warning`.
    ///
    /// The list contains warnings, too, but no notes. It has at most 100 findings, and then a last one with the count
    /// of the others.
    public let findings: [ModelFileFinding]

    /// Creates an error with findings.
    public init(_ findings: [ModelFileFinding]) {
        self.findings = findings
    }

    /// The findings, one per line.
    public var description: String { findings.map(\.description).joined(separator: "\n") }
}
