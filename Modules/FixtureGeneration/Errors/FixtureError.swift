/// What is wrong with a description of fixtures, or with what was asked of them, and where.
///
/// ``description`` is one line for the person whose description it is:
/// `fixtures.json:12:19: Employee.salary: the median 5000 is less than the minimum 20000`.
public struct FixtureError: Error, Sendable, Hashable {
    /// The kinds of failure.
    ///
    /// A structure with static members and no enumeration, so that a new one breaks nobody's `switch`: match with `==` or
    /// `case .name`, and have a `default`. Its description is its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case malformed, invalidDescription, unknown, unsatisfiable, outOfRange, invalidRecord
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name, for logs and tests: `malformed`.
        public var description: String { kind.rawValue }

        /// The description is no JSON.
        public static let malformed = Code(.malformed)
        /// The description has a key or a value that is not known, or a value of the wrong kind.
        public static let invalidDescription = Code(.invalidDescription)
        /// There is no such entity, attribute or dataset version.
        public static let unknown = Code(.unknown)
        /// What is described cannot be made: too few values for unique ones, bounds that exclude each other.
        public static let unsatisfiable = Code(.unsatisfiable)
        /// An index or a count that no row can have.
        public static let outOfRange = Code(.outOfRange)
        /// A record does not take what was made for it.
        public static let invalidRecord = Code(.invalidRecord)
    }

    /// The kind of failure.
    public var code: Code
    /// The description's file; `nil` where it has none.
    public var source: String?
    /// The line of the description, from 1; `nil` where it is not about a place in it.
    public var line: Int?
    /// The column in bytes, from 1.
    public var column: Int?
    /// The entity.
    public var entity: String?
    /// The attribute or relationship.
    public var attribute: String?
    /// What is wrong, which rule it breaks, and what to do.
    public var message: String

    /// How many rows could be made where too many are asked for; `nil` where that is not what is wrong, or not known.
    package var possible: Int?

    /// Makes an error; leave out what is not known.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - entity: The entity.
    ///   - attribute: The attribute or relationship.
    ///   - message: What is wrong, which rule it breaks, and what to do.
    public init(_ code: Code, entity: String? = nil, attribute: String? = nil, _ message: String) {
        self.code = code
        self.entity = entity
        self.attribute = attribute
        self.message = message
    }
}

extension FixtureError: CustomStringConvertible {
    /// The place and the message, without the parts that are not known.
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
