/// The identity of one record: a whole number that cannot be mistaken for the identity of another kind of record.
///
/// `Identifier<Color>` and `Identifier<Boss>` are different types, so a boss's id cannot be passed for a colour's.
/// `Subject` only names the kind: no value of it is held, therefore an identifier is `Sendable` whatever `Subject` is.
///
/// Identifiers run from 1 to 2^53 - 1: every one of them survives a JSON reader that holds numbers as doubles.
public struct Identifier<Subject>: RawRepresentable, Hashable, Sendable {
    /// The identifiers there are: 1 to 9007199254740991 (2^53 - 1).
    public static var validRange: ClosedRange<Int64> { 1...9_007_199_254_740_991 }

    /// The number, always inside ``validRange``.
    public let rawValue: Int64

    /// Makes an identifier, or nil where the number is outside ``validRange``.
    public init?(rawValue: Int64) {
        guard Self.validRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Makes an identifier.
    ///
    /// - Throws: ``DomainError`` with the code `invalidIdentifier` where the number is outside ``validRange``.
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
    /// Orders identifiers by their number.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}

extension Identifier: ExpressibleByIntegerLiteral {
    /// Makes an identifier of a literal in source code.
    ///
    /// - Precondition: The literal is inside ``validRange``. One that is not is a mistake in the program and traps;
    ///   for numbers that come from outside there is ``init(_:)``.
    public init(integerLiteral value: Int64) {
        precondition(Self.validRange.contains(value), "\(Self.invalid(value))")
        rawValue = value
    }
}

extension Identifier: Codable {
    /// Reads an identifier from a single integer.
    ///
    /// - Throws: `DecodingError.dataCorrupted` where the number is outside ``validRange``.
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
