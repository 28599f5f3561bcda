/// An error that a value type or a repository throws because of invalid or missing values.
///
/// Use `code` in programs and `description` in messages for people. The description contains the invalid value, the
/// names of its type and property, and the violated rule, for example `Employee.salary: -1 is less than 0`.
///
/// ## Topics
///
/// ### Deciding
///
/// - ``code``
/// - ``Code``
///
/// ### Describing
///
/// - ``description``
/// - ``message``
/// - ``type``
/// - ``property``
///
/// ### Creating an error
///
/// - ``init(code:type:property:message:)``
/// - ``notFound(_:id:)``
/// - ``identifierChanged(_:from:to:)``
public struct DomainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure, which callers distinguish without parsing text.
    ///
    /// This type is a structure with static members, not an enumeration, so that a new code does not break existing
    /// `switch` statements. Match with `==` or `case .name`, and write a `default`. The description of a code is its
    /// name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidColor, invalidIdentifier, invalidQuery, outOfRange, tooManyDigits, notANumber, notFound,
                identifierChanged
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name of the code, for logs and tests, such as `invalidColor`.
        public var description: String { kind.rawValue }

        /// A text that is not a color was rejected.
        public static let invalidColor = Code(.invalidColor)
        /// An integer outside the range of an ``Identifier`` was rejected.
        public static let invalidIdentifier = Code(.invalidIdentifier)
        /// A ``Query`` was rejected because its limit or offset is negative.
        public static let invalidQuery = Code(.invalidQuery)
        /// A property's value that is less than its minimum or greater than its maximum was rejected.
        public static let outOfRange = Code(.outOfRange)
        /// A decimal was rejected because it has more digits after the point than the store keeps.
        ///
        /// Round the decimal first; no rounding is done automatically.
        public static let tooManyDigits = Code(.tooManyDigits)
        /// A number that is not finite was rejected.
        public static let notANumber = Code(.notANumber)
        /// No record has the requested identifier.
        ///
        /// It may have been deleted meanwhile. ``Repository/find(_:)`` returns `nil` instead of this error.
        public static let notFound = Code(.notFound)
        /// A change was rejected because it replaces a record by one with a different identifier.
        public static let identifierChanged = Code(.identifierChanged)
    }

    /// The kind of failure.
    public let code: Code

    /// The name of the type that rejects the value, for example `Employee`.
    public let type: String

    /// The name of the invalid property, or `nil` if the value as a whole is invalid.
    public let property: String?

    /// The invalid value and the rule that it violates, without the names of the type and property.
    public let message: String

    /// Creates an error from its code, the names of the type and property, and its message.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - type: The name of the type that rejects the value.
    ///   - property: The name of the invalid property; `nil` if the value as a whole is invalid.
    ///   - message: The invalid value and the violated rule, without a final period.
    public init(code: Code, type: String, property: String? = nil, message: String) {
        self.code = code
        self.type = type
        self.property = property
        self.message = message
    }

    /// The message, preceded by `Type.property: ` if the error names a property.
    public var description: String {
        guard let property else { return message }
        return "\(type).\(property): \(message)"
    }
}

extension DomainError {
    /// Returns the error for a repository that has no record of a type with an identifier.
    public static func notFound<Record: Identifiable>(_ type: Record.Type, id: Record.ID) -> Self {
        let name = String(describing: type)
        return Self(code: .notFound, type: name, message: "there is no \(name) with id \(id)")
    }

    /// Returns the error for a change that replaces the identifier of a record.
    public static func identifierChanged<Record: Identifiable>(
        _ type: Record.Type, from id: Record.ID, to other: Record.ID
    ) -> Self {
        let message = "\(id) was changed to \(other), but an identifier cannot be changed"
        return Self(code: .identifierChanged, type: String(describing: type), property: "id", message: message)
    }
}
