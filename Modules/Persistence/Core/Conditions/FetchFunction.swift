/// A function of one operand in a condition; its result for null is always null.
///
/// Every store returns the same result as ``apply(_:)``. A function of an attribute is computed for each row, and no
/// index supports it.
///
/// ## Topics
///
/// ### Texts
///
/// - ``lowercased``
/// - ``uppercased``
/// - ``trimmed``
/// - ``length``
///
/// ### Numbers
///
/// - ``absolute``
/// - ``rounded(digits:)``
/// - ``digits``
///
/// ### Dates
///
/// - ``year``
/// - ``yearMonth``
/// - ``day``
///
/// ### Evaluating
///
/// - ``apply(_:)``
/// - ``inOrder(of:)``
public enum FetchFunction: Sendable, Hashable {
    /// The text in lowercase, by Unicode's language-independent rules: `Ä` becomes `ä`.
    case lowercased
    /// The text in uppercase, by Unicode's language-independent rules: `ß` becomes `SS`.
    case uppercased
    /// The text without white space (Unicode's `White_Space`) at its start and end.
    case trimmed
    /// The count of Unicode scalars in a text, or of bytes in binary data.
    case length
    /// The absolute value of a number.
    ///
    /// For the least 64-bit integer the function fails, because the opposite number does not fit in 64 bits.
    case absolute
    /// The number rounded to a count of digits after the point, with halves rounded away from zero.
    ///
    /// ``digits`` is the range of the count; a negative count rounds to tens, hundreds and so on. The kind of the
    /// number does not change. A decimal result has the scale `digits`, or keeps the number's scale if that is smaller.
    /// A double is rounded by its exact value: 2.675 becomes 2.67, because the double nearest to 2.675 is less than
    /// 2.675. If the result does not fit, the function fails.
    case rounded(digits: Int)
    /// The year of a day or of an instant in UTC: a whole number from 0 to 9999.
    ///
    /// For an instant outside these years, the function fails, as do ``yearMonth`` and ``day``.
    case year
    /// The month of a day or of an instant in UTC, as a text with its year: `2026-11`.
    case yearMonth
    /// The day in UTC that contains an instant; a day is its own result.
    case day
    /// The sort key of a text that has a format, as ``TextFormat/orderKey(of:)`` returns it.
    ///
    /// The resolver adds the function to comparisons and sort keys of attributes whose format is ordered. Callers do
    /// not need it.
    case inOrder(of: TextFormat)

    /// The range of digits after the point to which a number can be rounded: -18 to 18.
    public static let digits = -18...18
}

extension FetchFunction {
    /// Returns the function's result for a value.
    ///
    /// Every store that does not delegate the function to a database uses this definition.
    ///
    /// - Parameter value: Null, or a value of a kind that the function accepts.
    /// - Returns: The result; null if `value` is null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if the result does not fit in 64
    ///   bits.
    /// - Complexity: O(*n*) in the length of a text.
    public func apply(_ value: StoredValue) throws -> StoredValue {
        switch (self, value) {
        case (_, .null): return .null
        case (.lowercased, .string(let text)): return .string(text.lowercased())
        case (.uppercased, .string(let text)): return .string(text.uppercased())
        case (.trimmed, .string(let text)): return .string(text.trimmingWhiteSpace())
        case (.inOrder(let format), .string(let text)): return .string(format.orderKey(of: text))
        case (.length, .string(let text)): return .integer(Int64(text.unicodeScalars.count))
        case (.length, .binary(let data)): return .integer(Int64(data.count))
        case (.absolute, .double(let number)): return .double(number.magnitude)
        case (.absolute, .integer(let number)): return .integer(try Self.absolute(number))
        case (.absolute, .decimal(let number)):
            return .decimal(ScaledDecimal(unscaled: try Self.absolute(number.unscaled), scale: number.scale))
        case (.rounded(let digits), .double(let number)): return .double(number.rounded(toDigits: digits))
        case (.rounded(let digits), .integer(let number)):
            return .integer(try Self.rounded(ScaledDecimal(unscaled: number, scale: 0), digits).unscaled)
        case (.rounded(let digits), .decimal(let number)): return .decimal(try Self.rounded(number, digits))
        case (.year, .date), (.yearMonth, .date), (.day, .date), (.year, .day), (.yearMonth, .day), (.day, .day):
            return datePart(of: try Self.day(of: value))
        default: throw PersistenceError(.invalidRequest, "\(name) cannot be applied to a \(value.kindName)")
        }
    }

    private func datePart(of day: Day) -> StoredValue {
        switch self {
        case .year: .integer(Int64(day.year))
        // The text of a day is year, month and day; see `DayText`.
        case .yearMonth: .string(String(day.description.prefix(7)))
        default: .day(day)
        }
    }

    private static func day(of value: StoredValue) throws -> Day {
        if case .day(let day) = value { return day }
        guard case .date(let date) = value, let day = Day(utc: date) else { throw FetchArithmetic.overflow }
        return day
    }

    private static func absolute(_ number: Int64) throws -> Int64 {
        guard let result = Int64(exactly: number.magnitude) else { throw FetchArithmetic.overflow }
        return result
    }

    private static func rounded(_ number: ScaledDecimal, _ digits: Int) throws -> ScaledDecimal {
        guard let result = number.rounded(toDigits: digits) else { throw FetchArithmetic.overflow }
        return result
    }
}

extension FetchFunction {
    /// The name of the function in textual predicates and messages.
    package var name: String {
        switch self {
        case .lowercased: "lower"
        case .uppercased: "upper"
        case .trimmed: "trim"
        case .length: "length"
        case .absolute: "abs"
        case .rounded: "round"
        case .year: "year"
        case .yearMonth: "month"
        case .day: "day"
        case .inOrder: "order"
        }
    }

    /// Returns the kind of the function's result for a kind of argument; `nil` if the function does not accept that
    /// kind.
    package func kind(of argument: OperandType.Kind) -> OperandType.Kind? {
        switch (self, argument) {
        case (.lowercased, .string), (.uppercased, .string), (.trimmed, .string), (.lowercased, .null),
            (.uppercased, .null), (.trimmed, .null), (.inOrder, .string), (.inOrder, .null):
            .string
        case (.length, .string), (.length, .binary), (.length, .null): .integer
        case (.rounded(let digits), .decimal(let scale)): .decimal(scale: min(scale, UInt8(clamping: digits)))
        case (.year, .date), (.year, .day), (.year, .null): .integer
        case (.yearMonth, .date), (.yearMonth, .day), (.yearMonth, .null): .string
        case (.day, .date), (.day, .day), (.day, .null): .day
        case (.absolute, _), (.rounded, _): argument.isNumber || argument == .null ? argument : nil
        default: nil
        }
    }

    /// Returns a Boolean value that indicates whether the function can overflow for arguments of a kind.
    package func mayFail(for argument: OperandType.Kind) -> Bool {
        switch self {
        case .absolute: argument != .double
        case .rounded(let digits): digits < 0 && argument != .double
        case .year, .yearMonth, .day: argument == .date
        case .lowercased, .uppercased, .trimmed, .length, .inOrder: false
        }
    }
}

extension String {
    fileprivate func trimmingWhiteSpace() -> String {
        let scalars = unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }
}
