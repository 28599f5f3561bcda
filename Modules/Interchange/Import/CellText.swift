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
        case .uuid where UUIDText.isCanonical(bytes): block.setText(bytes, column: column)
        default: block.set(try AttributeText.parse(bytes, as: type), column: column)
        }
    }
}
