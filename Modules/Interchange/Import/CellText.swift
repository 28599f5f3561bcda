import Foundation
import StrataCore

/// Puts texts of a dataset into a row's cells by the attribute's type, without a value of its own in between.
enum CellText {
    /// Reads a text that is not null; the usual types by themselves, every other one by its coding.
    ///
    /// - Throws: ``InvalidText`` with the rule that is broken.
    @inline(__always)
    static func set(
        _ bytes: Span<UInt8>, by decoding: RowDecoding, column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        switch decoding.types[column] {
        case .string: block.setText(bytes, column: column)
        case .integer16, .integer32, .integer64: block.setInteger(try IntegerText.parse(bytes), column: column)
        case .date: block.setDouble(try DateText.parse(bytes).timeIntervalSinceReferenceDate, column: column)
        default: try set(bytes, by: decoding.codings, column: column, into: &block)
        }
    }

    @inline(never)
    private static func set(
        _ bytes: Span<UInt8>, by codings: [any AttributeCoding], column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        if codings[column].isStored(bytes) { return block.setText(bytes, column: column) }
        block.set(try codings[column].parse(bytes), column: column)
    }
}
