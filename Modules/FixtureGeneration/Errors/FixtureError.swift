/// An error in a description of fixtures or in a request for rows, with its location.
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

        /// The description is not valid JSON.
        public static let malformed = Code(.malformed)
        /// The description has an unknown key or value, or a value of the wrong type.
        public static let invalidDescription = Code(.invalidDescription)
        /// The entity, attribute or dataset version does not exist.
        public static let unknown = Code(.unknown)
        /// The description cannot be satisfied, for example because of too few unique values or contradicting bounds.
        public static let unsatisfiable = Code(.unsatisfiable)
        /// An index or count is out of range.
        public static let outOfRange = Code(.outOfRange)
        /// A record type rejected a generated value.
        public static let invalidRecord = Code(.invalidRecord)
    }

    /// The kind of the error.
    public var code: Code
    /// The file of the description, or `nil` if there is none.
    public var source: String?
    /// The line in the description, from 1, or `nil` if the error has no location in it.
    public var line: Int?
    /// The column in bytes, from 1.
    public var column: Int?
    /// The entity.
    public var entity: String?
    /// The attribute or relationship.
    public var attribute: String?
    /// A message with the cause, the violated rule, and the correction.
    public var message: String

    /// The maximum number of rows if too many were requested, or `nil` for other errors or if the maximum is unknown.
    package var possible: Int?

    /// Creates an error; omit the properties that are unknown.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - entity: The entity.
    ///   - attribute: The attribute or relationship.
    ///   - message: A message with the cause, the violated rule, and the correction.
    public init(_ code: Code, entity: String? = nil, attribute: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.attribute = attribute
        self.message = message
    }
}

extension FixtureError: CustomStringConvertible {
    /// The location and the message, without the parts that are unknown.
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
