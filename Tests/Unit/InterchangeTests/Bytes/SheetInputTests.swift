import Foundation
import StrataContainers
import StrataInterchange
import StrataTestSupport
import Testing

@Suite("Sheets as inputs of tables")
struct SheetInputTests {
    /// Returns the path of a workbook with one sheet, which the caller removes.
    private func file(_ rows: [UInt8]) throws -> String {
        let sink = Sink()
        var writer = try WorkbookWriter(sheets: ["S"]) { sink.bytes += $0 }
        try writer.beginSheet()
        try writer.append(rows)
        try writer.endSheet()
        try writer.finish()
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("sheet-\(UUID().uuidString).xlsx").path
        try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private final class Sink { var bytes: [UInt8] = [] }

    /// A cell of a random sheet.
    private enum Cell: Equatable {
        case null
        case text(String)
        case number(Int)

        var xml: [UInt8] {
            switch self {
            case .null: return Array("<c/>".utf8)
            case .number(let number): return Array("<c><v>\(number)</v></c>".utf8)
            case .text(let text):
                var xml = Array("<c t=\"inlineStr\"><is><t xml:space=\"preserve\">".utf8)
                Array(text.utf8).withUnsafeBufferPointer { WorkbookWriter.escape($0) { xml.append($0) } }
                return xml + Array("</t></is></c>".utf8)
            }
        }
    }

    @Test(
        "texts, numbers and nulls of random sheets are read unchanged, with the numbers of their rows",
        arguments: Seeds.first(20, of: UInt64(1)...2_000))
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let width = Int.random(in: 2...5, using: &generator)
        var (number, rows, xml): (Int, [(row: Int, cells: [Cell])], [UInt8]) = (1, [], [])
        let count = [3, 150, 2_000][Int(seed % 3)]
        for index in 0..<count {
            let cells = (0..<width).map { column -> Cell in
                if index == 0 { return .text("c\(column)") }
                if Bool.random(using: &generator) { return .number(Int.random(in: 0...99, using: &generator)) }
                return HostileText.random(using: &generator).map { .text($0) } ?? .null
            }
            xml += Array("<row r=\"\(number)\">".utf8) + cells.flatMap(\.xml) + Array("</row>".utf8)
            if cells.contains(where: { $0 != .null }) { rows.append((number, cells)) }
            number += Int.random(in: 0...9, using: &generator) == 0 ? Int.random(in: 2...20, using: &generator) : 1
        }
        let path = try file(xml)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try CSVReader(ByteInput.file(at: path, blockSize: [64, 4_096, 1 << 18][Int(seed % 3)]))
        #expect(reader.header == (0..<width).map { "c\($0)" })
        for (row, cells) in rows.dropFirst() {
            #expect(try reader.next())
            try reader.checkFieldCount()
            #expect(reader.line == row)
            let found = (0..<width).map { field -> Cell in
                if reader.isNull(field: field) { return .null }
                let text = reader.text(ofField: field)
                return reader.isQuoted(field: field) ? .text(text) : Int(text).map { .number($0) } ?? .null
            }
            #expect(found == cells)
        }
        #expect(try !reader.next())
    }
}
