/// The identifier of one record, typed by the kind of record.
///
/// `Identifier<Color>` and `Identifier<Boss>` are different types, so a caller cannot pass a boss's id for a color's
/// id. `Subject` names the kind only. An identifier contains no value of `Subject` and is therefore `Sendable` for
/// every `Subject`.
///
/// Identifiers are whole numbers from 1 to 2^53 - 1, so a JSON reader that represents numbers as doubles keeps every
/// identifier exact.
///
/// A repository assigns an identifier when it creates a record, and never assigns the number again.
///
/// ## Topics
///
/// ### Creating an identifier
///
/// - ``init(_:)``
/// - ``init(rawValue:)``
/// - ``init(integerLiteral:)``
/// - ``validRange``
///
/// ### The number
///
/// - ``rawValue``
/// - ``description``
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable {
    /// The range of identifiers: 1 to 9007199254740991 (2^53 - 1).
    public static var validRange: ClosedRange<Int64> { 1...9_007_199_254_740_991 }

    /// The number, always inside ``validRange``.
    public let rawValue: Int64

    /// Creates an identifier, or returns `nil` if the number is outside ``validRange``.
    public init?(rawValue: Int64) {
        guard Self.validRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates an identifier.
    ///
    /// Use this initializer for numbers from outside of the program, such as the path of a request.
    ///
    /// - Throws: ``DomainError`` with the code `invalidIdentifier` if the number is outside ``validRange``.
    public init(_ value: some BinaryInteger) throws {
        guard let number = Int64(exactly: value), Self.validRange.contains(number) else {
            throw Self.invalid(value)
        }
        rawValue = number
    }

    private static func invalid(_ value: some BinaryInteger) -> DomainError {
        DomainError(
            code: .invalidIdentifier,
            type: "Identifier<\(Subject.self)>",
            message: "\(value) is not an identifier (\(validRange.lowerBound) to \(validRange.upperBound))"
        )
    }
}

extension Identifier: Comparable {
    /// Compares two identifiers by their number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}

extension Identifier: ExpressibleByIntegerLiteral {
    /// Creates an identifier from a literal in source code.
    ///
    /// - Precondition: The literal is inside ``validRange``. Any other literal is a programming error and traps. For
    ///   numbers from external sources, use ``init(_:)``.
    public init(integerLiteral value: Int64) {
        precondition(Self.validRange.contains(value), "\(Self.invalid(value))")
        rawValue = value
    }
}

extension Identifier: Codable {
    /// Reads an identifier from a single integer.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the number is outside ``validRange``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let value = try container.decode(Int64.self)
        guard let identifier = Self(rawValue: value) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(Self.invalid(value))")
        }
        self = identifier
    }

    /// Writes the identifier as a single integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
