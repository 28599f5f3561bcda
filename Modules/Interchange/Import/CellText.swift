import Foundation
import StrataCore

/// Puts texts of a dataset into a row's cells by the attribute's type, without a value of its own in between.
enum CellText {
    /// Reads a text that is not null.
    ///
    /// - Throws: ``InvalidText`` with the rule that is broken.
    @inline(__always)
    static func set(
        _ bytes: Span<UInt8>, as column: DecodedColumn, index: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        switch column.type {
        case .string: block.setText(bytes, column: index)
        case .integer16, .integer32, .integer64: block.setInteger(try IntegerText.parse(bytes), column: index)
        case .date: block.setDouble(try DateText.parse(bytes).timeIntervalSinceReferenceDate, column: index)
        default:
            if column.coding.isStored(bytes) { return block.setText(bytes, column: index) }
            block.set(try column.coding.parse(bytes), column: index)
        }
    }
}
