/// The identifier of one kind of records: a whole number that the compiler tells from the identifiers of other kinds.
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
/// From 1 to 2^53 - 1, which every reader of JSON and every double holds exactly. `Record` only names the kind, and no value of it is held.
public struct RecordID<Record>: RecordIdentifier, Comparable, CustomStringConvertible, LosslessStringConvertible,
    Sendable
{
    /// The number, 1 to 2^53 - 1.
    public let rawValue: Int64

    /// Makes an identifier; `nil` where the number is less than 1 or greater than 2^53 - 1.
    @inlinable
    public init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Reads an identifier as ``description`` writes it, for instance from the path of a request; `nil` for every other text.
    ///
    /// - Parameter description: Decimal digits, without a sign, spaces or zeros in front.
    public init?(_ description: String) {
        guard let number = Int64(description), String(number) == description else { return nil }
        self.init(rawValue: number)
    }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }

    /// The key path to the number, so that predicates may use it without its being named.
    public static var rawValuePath: (any KeyPath<RecordID, Int64> & Sendable)? { \RecordID.rawValue }

    /// Whether one number is less than the other.
    public static func < (left: RecordID, right: RecordID) -> Bool { left.rawValue < right.rawValue }
}

extension RecordID {
    /// Reads a single whole number.
    ///
    /// - Throws: `DecodingError.dataCorrupted` where it is no identifier.
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

    /// Writes a single whole number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension RecordID: ExpressibleByIntegerLiteral {
    /// Makes an identifier of a literal, for tests and fixtures.
    ///
    /// - Precondition: The literal is from 1 to 2^53 - 1. Numbers that come from outside are read by ``init(rawValue:)``.
    public init(integerLiteral value: Int64) {
        precondition(identifierRange.contains(value), "\(value) is not an identifier; they begin with 1")
        rawValue = value
    }
}
