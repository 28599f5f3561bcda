import StrataCore

/// Counts the cells of one file that an export would write otherwise, by column.
///
/// A table's cells only, in columns that are spelled as usual. Used by the thread that reads.
final class CellChanges {
    /// As much of a cell is kept as an example.
    private static let longestText = 40
    /// The column of the identifiers.
    static let identifier = -1

    /// What became of the cells of one column.
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
    /// For each column whether a decimal is written without zeros at its end.
    private let writesFewestDigits: [Bool]

    init(_ columns: [ColumnDescription]) {
        codings = columns.map(\.type.coding)
        writesFewestDigits = columns.map { $0.attribute?.spelling.writesFewestDigits ?? false }
    }

    /// Notes a text in quotes that is read as null.
    func noteNull(_ text: Span<UInt8>, column: Int) { note(text, written: nil, column: column, in: &nulls) }

    /// Counts a cell if its text is not what is written for its value.
    ///
    /// - Parameters:
    ///   - text: The cell.
    ///   - value: Its value.
    ///   - column: The place of its column in the entity; ``identifier`` for that of the identifiers.
    func compare(_ text: Span<UInt8>, _ value: StoredValue, column: Int) {
        var buffer = ByteBuffer()
        let coding = column == Self.identifier ? AttributeType.integer64.coding : codings[column]
        // What cannot be written fails where it is exported.
        do throws(InvalidText) { try coding.write(value, to: &buffer) } catch { return }
        let written = buffer.bytes
        if written.count == text.count, text.indices.allSatisfy({ written[$0] == text[$0] }) { return }
        var expected = String(decoding: Array(written), as: UTF8.self)
        if column != Self.identifier, writesFewestDigits[column] {
            expected = Self.withoutZeros(expected)
            if expected.utf8.elementsEqual(String(decoding: text).utf8) { return }
        }
        note(text, written: expected, column: column, in: &changes)
    }

    private static func withoutZeros(_ number: String) -> String {
        guard number.utf8.contains(UInt8(ascii: ".")) else { return number }
        let kept = number.utf8.reversed().drop { $0 == UInt8(ascii: "0") }.drop { $0 == UInt8(ascii: ".") }
        return String(decoding: kept.reversed(), as: UTF8.self)
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
