import Foundation
import StrataInterchange
import StrataPersistence

/// One value of a table, as text on one line.
struct TableCell: Sendable, Hashable {
    /// The text, with nothing in it that a terminal obeys.
    let text: String
    /// Whether it stands for no value.
    var isNull = false
    /// The colour that the text names.
    var color: RGB?

    /// A value as exports write it; where a text could be taken for null or for nothing, in quotes.
    init(_ value: StoredValue) {
        switch value {
        case .null:
            text = "null"
            isNull = true
        case .string(let string):
            let isOdd = ["", "null"].contains(string) || string.hasPrefix("\"")
            let escaped = Self.escaped(string)
            text = isOdd || string.hasPrefix(" ") || string.hasSuffix(" ") ? "\"\(escaped)\"" : escaped
            color = RGB(string)
        default: text = Self.written(value)
        }
    }

    /// A title.
    init(title: String) {
        text = Self.escaped(title)
    }

    private static func written(_ value: StoredValue) -> String {
        var buffer = ByteBuffer()
        do throws(InvalidText) {
            try value.coding?.write(value, to: &buffer)
        } catch {
            // A date that no text can hold, as no import makes one.
            return "?"
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// The text with escapes for what would move the cursor, end the line, or turn the direction of writing around.
    static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: result.append(contentsOf: "\\n".unicodeScalars)
            case 0x0D: result.append(contentsOf: "\\r".unicodeScalars)
            case 0x09: result.append(contentsOf: "\\t".unicodeScalars)
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
                let code = String(scalar.value, radix: 16, uppercase: true)
                result.append(contentsOf: "\\u{\(code)}".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
