/// A color of 24 bits, written `#RRGGBB` in uppercase.
///
/// ```swift
/// let teal = try HexColor("#0aa")
/// print(teal, teal.green)  // #00AAAA 170
/// ```
///
/// Colors are equal if their components are equal, independent of the spelling from which they were created. A color
/// has no alpha component.
///
/// ## Topics
///
/// ### Creating a color
///
/// - ``init(_:)-(String)``
/// - ``init(rawValue:)``
/// - ``init(red:green:blue:)``
///
/// ### Components
///
/// - ``red``
/// - ``green``
/// - ``blue``
///
/// ### Text
///
/// - ``rawValue``
/// - ``description``
public struct HexColor: RawRepresentable, Hashable, Sendable {
    /// The color as `#RRGGBB`, always in uppercase.
    ///
    /// The property is stored, not computed, because a table can contain the key path of a stored property. A predicate
    /// may therefore contain `\.hex.rawValue`.
    public let rawValue: String

    /// Creates a color from `#RGB`, `RGB`, `#RRGGBB` or `RRGGBB`, in uppercase, lowercase or mixed case.
    ///
    /// Use this initializer for texts of users, because the error names the allowed spellings.
    ///
    /// - Throws: ``DomainError`` with the code `invalidColor` for any other text.
    public init(_ text: String) throws {
        guard let color = Self(rawValue: text) else {
            throw DomainError(
                code: .invalidColor,
                type: "HexColor",
                message: "\"\(text)\" is not a color; use #RGB or #RRGGBB"
            )
        }
        self = color
    }

    /// Creates a color from any text that ``init(_:)-(String)`` accepts, or returns `nil` for any other text.
    ///
    /// The ``rawValue`` is always `#RRGGBB`, independent of the spelling of the text.
    ///
    /// - Parameter rawValue: Three or six hexadecimal digits, with or without `#`.
    public init?(rawValue: String) {
        if Self.isCanonical(rawValue) {
            self.init(canonical: rawValue)
            return
        }
        var digits = rawValue.utf8[...]
        if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
        var nibbles: [UInt8] = []
        for digit in digits {
            guard nibbles.count < 6, let nibble = Self.nibble(digit) else { return nil }
            nibbles.append(nibble)
        }
        switch nibbles.count {
        case 3:
            self.init(red: nibbles[0] * 17, green: nibbles[1] * 17, blue: nibbles[2] * 17)
        case 6:
            self.init(
                red: nibbles[0] << 4 | nibbles[1],
                green: nibbles[2] << 4 | nibbles[3],
                blue: nibbles[4] << 4 | nibbles[5]
            )
        default:
            return nil
        }
    }

    private init(canonical: String) {
        rawValue = canonical
    }

    /// Creates a color from its three components, each from 0 to 255.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        var text = "#"
        for component in [red, green, blue] {
            text.unicodeScalars.append(Self.digit(component >> 4))
            text.unicodeScalars.append(Self.digit(component & 0x0F))
        }
        rawValue = text
    }

    /// The red component, 0 to 255.
    public var red: UInt8 { component(at: 0) }

    /// The green component, 0 to 255.
    public var green: UInt8 { component(at: 1) }

    /// The blue component, 0 to 255.
    public var blue: UInt8 { component(at: 2) }

    private func component(at index: Int) -> UInt8 {
        let pair = rawValue.utf8.dropFirst(1 + 2 * index).prefix(2)
        return pair.reduce(0) { $0 << 4 | (Self.nibble($1) ?? 0) }
    }

    /// Returns a Boolean value that indicates whether a text already has the form `#RRGGBB` in uppercase.
    ///
    /// Most texts have this form. The check allocates no other text.
    private static func isCanonical(_ text: String) -> Bool {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#") else { return false }
        return text.utf8.dropFirst().allSatisfy { byte in
            byte &- UInt8(ascii: "0") <= 9 || byte &- UInt8(ascii: "A") <= 5
        }
    }

    /// Returns the value of one hexadecimal digit, or `nil` if the byte is not a hexadecimal digit.
    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns the uppercase hexadecimal digit of a value from 0 to 15.
    private static func digit(_ nibble: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10)
    }
}

extension HexColor: Comparable {
    /// Compares two colors by red, then by green, then by blue.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension HexColor: CustomStringConvertible {
    /// The color as `#RRGGBB`.
    public var description: String { rawValue }
}

extension HexColor: Codable {
    /// Reads a color from a single string in any spelling that ``init(_:)-(String)`` accepts.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try Self(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    /// Writes the color as the single string `#RRGGBB`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
