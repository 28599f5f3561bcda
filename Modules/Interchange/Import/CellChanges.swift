import StrataCore

/// Counts the cells of one file that an export would write otherwise, by column.
///
/// A table's cells only, in columns that are spelled as usual. Used by the thread that reads.
final class CellChanges {
    /// As much of a cell is kept as an example.
    private static let longestText = 40
    /// The column of the identifiers.
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
    /// The line of the record that is read.
    var line = 0
    private let codings: [any AttributeCoding]
    private let types: [AttributeType]
    private var buffer = ByteBuffer()
    /// For each column whether a decimal is written without zeros at its end.
    private let writesFewestDigits: [Bool]

    init(_ columns: [ColumnDescription]) {
        codings = columns.map(\.type.coding)
        types = columns.map(\.type)
        writesFewestDigits = columns.map { $0.attribute?.spelling.writesFewestDigits ?? false }
    }

    /// Notes a text in quotes that is read as null.
    func noteNull(_ text: Span<UInt8>, column: Int) { note(text, written: nil, column: column, in: &nulls) }

    /// Returns whether the written value certainly equals the text; other texts are compared.
    func isSurelyUsual(_ text: Span<UInt8>, column: Int) -> Bool {
        switch types[column] {
        case .decimal(let scale): Self.fraction(of: text) == Int(scale) && !writesFewestDigits[column]
        case .double:
            // A double keeps 15 digits (IEEE 754), and writes no zero at their end.
            text.count <= 16 && text[text.count - 1] != UInt8(ascii: "0")
                && (1...4).contains(Self.fraction(of: text) ?? 0)
        case .boolean: text.count >= 4 && (text[0] == UInt8(ascii: "t") || text[0] == UInt8(ascii: "f"))
        default: false
        }
    }

    /// Returns how many digits stand behind the point of a plain number: no sign but a minus, no zero in front of
    /// digits, and not zero alone; `nil` for any other text.
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

    /// Counts a cell if its text is not what is written for its value.
    ///
    /// - Parameters:
    ///   - text: The cell.
    ///   - value: Its value.
    ///   - column: The place of its column in the entity; ``identifier`` for that of the identifiers.
    func compare(_ text: Span<UInt8>, _ value: StoredValue, column: Int) {
        buffer.removeAll()
        // No store keeps the sign of a zero for sure.
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

    /// Returns a number without zeros at the end of its fraction.
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

    /// Returns what was counted.
    ///
    /// - Parameter name: Gives the name of a column in the file.
    /// - Returns: The columns in the order of the model.
    func summary(_ name: (Int) -> String) -> [ImportSummary.ChangedCells] {
        (changes.map { ($0.key, $0.value) } + nulls.map { ($0.key, $0.value) }).sorted { $0.0 < $1.0 }.map {
            ImportSummary.ChangedCells(
                column: name($0), count: $1.count, line: $1.line, text: $1.text, written: $1.written)
        }
    }
}
