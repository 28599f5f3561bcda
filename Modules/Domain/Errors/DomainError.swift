/// What a value type refuses, and what a repository could not find.
///
/// `code` is for programs, `description` for people: it says what was given, where, and which rule it breaks,
/// for example `Employee.salary: -1 is less than 0`.
public struct DomainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, so that callers can tell them apart without reading text.
    ///
    /// A structure with static members and no enumeration, so that a new one breaks nobody's `switch`: match with `==` or
    /// `case .name`, and have a `default`. Its description is its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidColor, invalidIdentifier, invalidQuery, outOfRange, tooManyDigits, notANumber, notFound,
                identifierChanged
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name, for logs and tests: `invalidColor`.
        public var description: String { kind.rawValue }

        /// A text that is no colour.
        public static let invalidColor = Code(.invalidColor)
        /// An integer that no ``Identifier`` may hold.
        public static let invalidIdentifier = Code(.invalidIdentifier)
        /// A ``Query`` whose limit or offset is negative.
        public static let invalidQuery = Code(.invalidQuery)
        /// A value that is less than the least or more than the most that is allowed.
        public static let outOfRange = Code(.outOfRange)
        /// A decimal with more digits after the point than are kept.
        public static let tooManyDigits = Code(.tooManyDigits)
        /// A number that is not finite.
        public static let notANumber = Code(.notANumber)
        /// No record has the identifier that was asked for.
        public static let notFound = Code(.notFound)
        /// A change puts a record with another identifier in the place of the one that was to be changed.
        public static let identifierChanged = Code(.identifierChanged)
    }

    /// The kind of failure.
    public let code: Code

    /// The name of the type that refused, for example `Employee`.
    public let type: String

    /// The name of the property at fault, or nil when the value as a whole is.
    public let property: String?

    /// What was given and the rule that it breaks, without the names of type and property.
    public let message: String

    /// Makes an error of its parts.
    public init(code: Code, type: String, property: String? = nil, message: String) {
        self.code = code
        self.type = type
        self.property = property
        self.message = message
    }

    /// The message, preceded by `Type.property: ` where a property is at fault.
    public var description: String {
        guard let property else { return message }
        return "\(type).\(property): \(message)"
    }
}

extension DomainError {
    /// The error of a repository that has no record of this type with this identifier.
    public static func notFound<Record: Identifiable>(_ type: Record.Type, id: Record.ID) -> Self {
        let name = String(describing: type)
        return Self(code: .notFound, type: name, message: "there is no \(name) with id \(id)")
    }

    /// The error of a repository whose caller changed a record into another one.
    public static func identifierChanged<Record: Identifiable>(
        _ type: Record.Type, from id: Record.ID, to other: Record.ID
    ) -> Self {
        let message = "\(id) was changed to \(other), but an identifier never changes"
        return Self(code: .identifierChanged, type: String(describing: type), property: "id", message: message)
    }
}
