import Foundation
import StrataCore

/// Puts texts of a dataset into a row's cells by the attribute's type, without a value of its own in between.
enum CellText {
    /// Reads a text that is not null.
    ///
    /// - Throws: ``InvalidText`` with the rule that is broken.
    @inline(__always)
    static func set(
        _ bytes: Span<UInt8>, as type: AttributeType, column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        switch type {
        case .string: block.setText(bytes, column: column)
        case .integer16, .integer32, .integer64: block.setInteger(try IntegerText.parse(bytes), column: column)
        case .date: block.setDouble(try DateText.parse(bytes).timeIntervalSinceReferenceDate, column: column)
        case .uuid where isCanonicalUUID(bytes): block.setText(bytes, column: column)
        default: block.set(try AttributeText.parse(bytes, as: type), column: column)
        }
    }

    /// Whether a text is a UUID in the form in which it is stored: 36 characters, letters in upper case.
    private static func isCanonicalUUID(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            switch index {
            case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
            default: guard byte &- UInt8(ascii: "0") <= 9 || byte &- UInt8(ascii: "A") <= 5 else { return false }
            }
        }
        return true
    }
}
