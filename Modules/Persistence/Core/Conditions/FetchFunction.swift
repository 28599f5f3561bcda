/// What is made of one value: of null always null.
public enum FetchFunction: Sendable, Hashable {
    /// The text in small letters, by Unicode's rules for no language in particular: `Ä` becomes `ä`.
    case lowercased
    /// The text in capital letters, by Unicode's rules for no language in particular: `ß` becomes `SS`.
    case uppercased
    /// The text without white space (Unicode's `White_Space`) at its beginning and end.
    case trimmed
    /// How many Unicode scalars a text has, or how many bytes binary data.
    case length
    /// The number without its sign. For the least whole number, whose opposite does not fit, it is an error.
    case absolute
    /// The nearest number with so many digits after the point, a half away from zero; see ``digits`` for how many.
    ///
    /// A decimal then has that scale, or its own where that is smaller; whole numbers stay whole numbers and doubles doubles, of which the exact value is
    /// rounded: 2.675 becomes 2.67, as it lies below its half. A negative number of digits rounds to tens, hundreds and so on, and is an error where the
    /// result does not fit.
    case rounded(digits: Int)
    /// The text by which a text of a format is in order: ``TextFormat/orderKey(of:)``.
    ///
    /// Comparisons and sort keys of attributes that have such a format are resolved to it: nobody needs to ask for it.
    case inOrder(of: TextFormat)

    /// How many digits after the point a number can be rounded to: -18 to 18.
    public static let digits = -18...18
}

extension FetchFunction {
    /// Makes the value: the one definition, for stores that do not leave it to a database.
    ///
    /// O(n) in the length of a text.
    ///
    /// - Parameter value: Null, or a value of a kind that the function takes.
    /// - Returns: The value; null of null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` where the result does not fit.
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
        default: throw PersistenceError(.invalidRequest, "\(name) takes no \(value.kindName)")
        }
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
    /// The function as predicates in text and messages name it.
    package var name: String {
        switch self {
        case .lowercased: "lower"
        case .uppercased: "upper"
        case .trimmed: "trim"
        case .length: "length"
        case .absolute: "abs"
        case .rounded: "round"
        case .inOrder: "order"
        }
    }

    /// The kind of what is made of values of a kind; `nil` where it takes none of that kind.
    package func kind(of argument: OperandType.Kind) -> OperandType.Kind? {
        switch (self, argument) {
        case (.lowercased, .string), (.uppercased, .string), (.trimmed, .string), (.lowercased, .null),
            (.uppercased, .null), (.trimmed, .null), (.inOrder, .string), (.inOrder, .null):
            .string
        case (.length, .string), (.length, .binary), (.length, .null): .integer
        case (.rounded(let digits), .decimal(let scale)): .decimal(scale: min(scale, UInt8(clamping: digits)))
        case (.absolute, _), (.rounded, _): argument.isNumber || argument == .null ? argument : nil
        default: nil
        }
    }

    /// Whether the result may not fit, for values of a kind.
    package func mayFail(for argument: OperandType.Kind) -> Bool {
        switch self {
        case .absolute: argument != .double
        case .rounded(let digits): digits < 0 && argument != .double
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
