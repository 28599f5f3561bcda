import Foundation
import StrataInterchange
import StrataPersistence

/// One value of a table, as text on one line.
struct TableCell: Sendable, Hashable {
    /// The text, without characters that control the terminal.
    let text: String
    /// A Boolean value that indicates whether the cell represents null.
    var isNull = false
    /// The color that the text names.
    var color: RGB?

    /// Creates a cell with a value as exports write it.
    ///
    /// A text that could be mistaken for null or for an empty cell is in quotes.
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

    /// Creates a cell with a title.
    init(title: String) {
        text = Self.escaped(title)
    }

    /// Returns the text that files have for a value other than null and text.
    static func written(_ value: StoredValue) -> String {
        var buffer = ByteBuffer()
        do throws(InvalidText) {
            try value.coding?.write(value, to: &buffer)
        } catch {
            // No text can represent this date, and no import creates such a date.
            return "?"
        }
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    /// Returns the text with characters escaped that move the cursor, end the line or change the writing direction.
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
