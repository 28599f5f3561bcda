import Foundation
import StrataCore
import StrataStoreKit

/// Functions that store texts of a dataset directly in a row's cells, without an intermediate value.
enum CellText {
    /// Reads a text that is not null; common types directly, and other types with their coding.
    ///
    /// - Throws: ``InvalidText`` with the violated rule.
    @inline(__always)
    static func set(
        _ bytes: Span<UInt8>, by decoding: RowDecoding, column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        switch decoding.routes[column] {
        case .text: block.setText(bytes, column: column)
        case .integer:
            let number = try IntegerText.parse(bytes)
            if !IntegerText.isUsual(bytes) {
                decoding.spellings.changes.compare(bytes, .integer(number), column: column)
            }
            block.setInteger(number, column: column)
        case .date:
            let date = try decoding.spellings.rounding.date(try DateText.instant(bytes))
            // 2024-01-26T10:11:12Z
            let isUsual =
                bytes.count == 20 && bytes[19] == UInt8(ascii: "Z") && bytes[10] == UInt8(ascii: "T")
                && bytes[13] == UInt8(ascii: ":") && !(bytes[11] == UInt8(ascii: "2") && bytes[12] == UInt8(ascii: "4"))
            if !isUsual { decoding.spellings.changes.compare(bytes, .date(date), column: column) }
            block.setDouble(date.timeIntervalSinceReferenceDate, column: column)
        case .coded:
            try set(bytes, by: decoding.codings, decoding.spellings.changes, column: column, into: &block)
        case .spelled: try decoding.spellings.set(bytes, column: column, into: &block)
        }
    }

    @inline(never)
    private static func set(
        _ bytes: Span<UInt8>, by codings: [any AttributeCoding], _ changes: CellChanges, column: Int,
        into block: inout RowBlock
    ) throws(InvalidText) {
        if codings[column].isStored(bytes) { return block.setText(bytes, column: column) }
        let value = try codings[column].parse(bytes)
        if !changes.isSurelyUsual(bytes, column: column) { changes.compare(bytes, value, column: column) }
        block.set(value, column: column)
    }
}
