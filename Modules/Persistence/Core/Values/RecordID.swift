/// The identifier of one kind of records: an integer with a type of its own for each kind.
///
/// ```swift
/// struct Customer: PersistentRecord {
///     let id: RecordID<Customer>
///     var name: String
///     var referredBy: RecordID<Customer>?
///
///     static let entity = RecordEntity<Customer>(
///         "Customer", id: \.id,
///         [
///             .attribute("name", \.name, rules: [.maximumLength(80)], isIndexed: true),
///             .toOne("referredBy", \.referredBy, to: "Customer"),
///         ]
///     ) { row in
///         Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
///     }
/// }
/// ```
///
/// The number is from 1 to 2^53 - 1, which every JSON reader and every double represents exactly. `Record` only names
/// the kind; the identifier contains no value of it. The identifier of another kind of records is another type, so that
/// the compiler rejects a customer's identifier where an order's is expected.
///
/// A store assigns the numbers, and never assigns a number again. They increase, but may have gaps: a number that was
/// reserved for an object that was not saved is not used. Identifiers are ordered by their numbers.
///
/// ## Topics
///
/// ### Creating an identifier
///
/// - ``init(rawValue:)``
/// - ``init(_:)``
/// - ``init(integerLiteral:)``
///
/// ### Converting
///
/// - ``rawValue``
/// - ``description``
/// - ``rawValuePath``
public struct RecordID<Record>: RecordIdentifier, Comparable, CustomStringConvertible, LosslessStringConvertible,
    Sendable
{
    /// The number, 1 to 2^53 - 1.
    public let rawValue: Int64

    /// Creates an identifier; `nil` if the number is less than 1 or greater than 2^53 - 1.
    @inlinable
    public init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates an identifier from the form of ``description``; `nil` for every other text.
    ///
    /// The text may come from the path of a request.
    ///
    /// - Parameter description: Decimal digits, without a sign, spaces or leading zeros.
    public init?(_ description: String) {
        guard let number = Int64(description), String(number) == description else { return nil }
        self.init(rawValue: number)
    }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }

    /// The key path to the number, so that predicates can use it without a declaration in the record type.
    public static var rawValuePath: (any KeyPath<RecordID, Int64> & Sendable)? { \RecordID.rawValue }

    /// Returns a Boolean value that indicates whether the left number is less than the right one.
    public static func < (left: RecordID, right: RecordID) -> Bool { left.rawValue < right.rawValue }
}

extension RecordID {
    /// Reads a single integer.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the integer is not an identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Int64.self)
        guard let id = Self(rawValue: number) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "\(number) is not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
        }
        self = id
    }

    /// Writes a single integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension RecordID: ExpressibleByIntegerLiteral {
    /// Creates an identifier from a literal, for tests and fixtures.
    ///
    /// - Precondition: The literal is from 1 to 2^53 - 1. Use ``init(rawValue:)`` for numbers from outside the program.
    public init(integerLiteral value: Int64) {
        precondition(identifierRange.contains(value), "\(value) is not an identifier; they begin with 1")
        rawValue = value
    }
}
