import StrataCore

/// The count of cells per column that an export would write differently.
///
/// Only cells of tables in columns with the default spelling are counted. The object is used by the reading thread.
final class CellChanges {
    /// The maximum length of the text that is kept as an example.
    private static let longestText = 40
    /// The index that represents the identifier column.
    static let identifier = -1

    /// The changed cells of one column.
    private struct Count {
        var count = 0
        let line: Int
        let text: String
        let written: String?
    }

    private var changes: [Int: Count] = [:]
    private var nulls: [Int: Count] = [:]
    /// The line of the current record.
    var line = 0
    private let codings: [any AttributeCoding]
    private let types: [AttributeType]
    private var buffer = ByteBuffer()
    /// For each column, a Boolean value that indicates whether a decimal is written without trailing zeros.
    private let writesFewestDigits: [Bool]

    init(_ columns: [ColumnDescription]) {
        codings = columns.map(\.type.coding)
        types = columns.map(\.type)
        writesFewestDigits = columns.map { $0.attribute?.spelling.writesFewestDigits ?? false }
    }

    /// Counts a quoted text that is read as null.
    func noteNull(_ text: Span<UInt8>, column: Int) { note(text, written: nil, column: column, in: &nulls) }

    /// Returns a Boolean value that indicates whether the written value certainly equals the text.
    ///
    /// Other texts are compared with the written value.
    func isSurelyUsual(_ text: Span<UInt8>, column: Int) -> Bool {
        switch types[column] {
        case .decimal(let scale): Self.fraction(of: text) == Int(scale) && !writesFewestDigits[column]
        case .double:
            // A double keeps 15 digits (IEEE 754), and is written without trailing zeros.
            text.count <= 16 && text[text.count - 1] != UInt8(ascii: "0")
                && (1...4).contains(Self.fraction(of: text) ?? 0)
        case .boolean: text.count >= 4 && (text[0] == UInt8(ascii: "t") || text[0] == UInt8(ascii: "f"))
        default: false
        }
    }

    /// Returns the count of digits after the point of a plain number; `nil` for any other text.
    ///
    /// A plain number has no sign except a minus, no leading zeros, and is not a lone zero with a sign.
    private static func fraction(of text: Span<UInt8>) -> Int? {
        var index = text.count > 0 && text[0] == UInt8(ascii: "-") ? 1 : 0
        let start = index
        var point: Int?
        while index < text.count {
            if text[index] == UInt8(ascii: "."), point == nil {
                point = index
            } else if text[index] &- UInt8(ascii: "0") > 9 {
                return nil
            }
            index += 1
        }
        let whole = (point ?? text.count) - start
        guard whole > 0, text[start] != UInt8(ascii: "0") || (whole == 1 && start == 0) else { return nil }
        return point.map { text.count - 1 - $0 } ?? 0
    }

    /// Counts a cell if its text differs from the text that is written for its value.
    ///
    /// - Parameters:
    ///   - text: The text of the cell.
    ///   - value: The value of the cell.
    ///   - column: The index of its column in the entity; ``identifier`` for the identifier column.
    func compare(_ text: Span<UInt8>, _ value: StoredValue, column: Int) {
        buffer.removeAll()
        // Not every store preserves the sign of a zero.
        let value = if case .double(0) = value { StoredValue.double(0) } else { value }
        let coding = column == Self.identifier ? AttributeType.integer64.coding : codings[column]
        // A value that cannot be written is an error of the export.
        do throws(InvalidText) { try coding.write(value, to: &buffer) } catch { return }
        let trims = column != Self.identifier && writesFewestDigits[column]
        let written = trims ? Self.withoutZeros(buffer.bytes) : buffer.bytes
        if written.count == text.count, text.indices.allSatisfy({ written[$0] == text[$0] }) { return }
        let expected = String(decoding: written, as: UTF8.self)
        note(text, written: expected, column: column, in: &changes)
    }

    /// Returns a number without trailing zeros in its fraction.
    private static func withoutZeros(_ number: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        guard number.contains(UInt8(ascii: ".")) else { return number }
        var rest = number[...]
        while rest.last == UInt8(ascii: "0") { rest.removeLast() }
        if rest.last == UInt8(ascii: ".") { rest.removeLast() }
        return UnsafeBufferPointer(rebasing: rest)
    }

    private func note(_ text: Span<UInt8>, written: String?, column: Int, in counts: inout [Int: Count]) {
        if counts[column] == nil {
            let text = String(String(decoding: text).prefix(Self.longestText))
            counts[column] = Count(line: line, text: text, written: written)
        }
        counts[column]?.count += 1
    }

    /// Returns the counts.
    ///
    /// - Parameter name: A closure that returns the name of a column in the file.
    /// - Returns: The counts in the order of the model's columns.
    func summary(_ name: (Int) -> String) -> [ImportSummary.ChangedCells] {
        (changes.map { ($0.key, $0.value) } + nulls.map { ($0.key, $0.value) }).sorted { $0.0 < $1.0 }.map {
            ImportSummary.ChangedCells(
                column: name($0), count: $1.count, line: $1.line, text: $1.text, written: $1.written)
        }
    }
}
