/// An error in a description of fixtures or in a request for rows, with its location in the description.
///
/// ``description`` is one line for the author of the description: `fixtures.json:12:19: Employee.salary: the median
/// 5000 is less than the minimum 20000`.
public struct FixtureError: Error, Sendable, Hashable {
    /// The kinds of errors.
    ///
    /// The type is a structure with static members instead of an enumeration, so that a new code does not break a
    /// `switch`. Compare codes with `==`, or match them with `case .name` and a `default`. The description of a code is
    /// its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case malformed, invalidDescription, unknown, unsatisfiable, outOfRange, invalidRecord
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name of the code, for logs and tests, such as `malformed`.
        public var description: String { kind.rawValue }

        /// The code for a description that is not valid JSON.
        public static let malformed = Code(.malformed)
        /// The code for a description with an invalid value, or with a value of the wrong type.
        public static let invalidDescription = Code(.invalidDescription)
        /// The code for an unknown key, entity, attribute or dataset version.
        public static let unknown = Code(.unknown)
        /// The code for a description that cannot be satisfied, for example because of too few unique values.
        public static let unsatisfiable = Code(.unsatisfiable)
        /// The code for an index or count that is out of range.
        public static let outOfRange = Code(.outOfRange)
        /// The code for a generated value that a record type rejects.
        public static let invalidRecord = Code(.invalidRecord)
    }

    /// The kind of the error.
    public var code: Code
    /// The name of the description's file, or `nil` if the description was not read from a file.
    public var source: String?
    /// The line of the error in the description, from 1, or `nil` if the error has no location in it.
    public var line: Int?
    /// The column of the error in bytes, from 1, or `nil` if the error has no location in the description.
    public var column: Int?
    /// The name of the entity that the error concerns, or `nil` if it concerns none.
    public var entity: String?
    /// The name of the attribute or relationship that the error concerns, or `nil` if it concerns none.
    public var attribute: String?
    /// A text with the cause of the error, the violated rule, and the correction.
    public var message: String

    /// The maximum possible number of rows if too many were requested; `nil` if it is unknown, and for other errors.
    package var possible: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - entity: The entity that the error concerns, if any.
    ///   - attribute: The attribute or relationship that the error concerns, if any.
    ///   - message: A text with the cause, the violated rule, and the correction.
    public init(_ code: Code, entity: String? = nil, attribute: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.attribute = attribute
        self.message = message
    }
}

extension FixtureError: CustomStringConvertible {
    /// The location, the entity, the attribute and the message on one line, without the parts that are unknown.
    public var description: String {
        var text = ""
        if let source { text += source }
        if let line { text += text.isEmpty ? "line \(line)" : ":\(line)" }
        if let column { text += ":\(column)" }
        if !text.isEmpty { text += ": " }
        switch (entity, attribute) {
        case (let entity?, let attribute?): text += "\(entity).\(attribute): "
        case (let entity?, nil): text += "\(entity): "
        case (nil, let attribute?): text += "\(attribute): "
        case (nil, nil): break
        }
        return text + message
    }
}
