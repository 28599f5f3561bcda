import StrataInterchange
import StrataPersistence
import Testing

@Suite("First lines that name the separator")
struct SeparatorLineTests {
    private func read(_ text: String, _ change: (inout CSVDialect) -> Void = { _ in }) throws -> [String] {
        var dialect = CSVDialect()
        change(&dialect)
        var results: [[String]] = []
        for size in [1, 2, 5, 6, 7, 4096] {
            var reader = try CSVReader(ByteInput(bytes: Array(text.utf8), name: "t", blockSize: size), dialect: dialect)
            var lines = ["\(reader.headerLine) \(reader.header.joined(separator: "|"))"]
            while try reader.next() {
                let fields = (0..<reader.fieldCount).map { reader.text(ofField: $0) }
                lines.append("\(reader.line)/\(reader.record) " + fields.joined(separator: "|"))
            }
            results.append(lines)
        }
        #expect(results.allSatisfy { $0 == results[0] })
        return results[0]
    }

    @Test(
        "a first line such as sep=; sets the separator and is not read as the header",
        arguments: [
            ("sep=;\na;b\n1,2;3\n", ["2 a|b", "3/1 1,2|3"]), ("\u{FEFF}SEP=|\r\na|b\r\n1;2|3", ["2 a|b", "3/1 1;2|3"]),
            ("sep=\t\ra\tb\r1\t2", ["2 a|b", "3/1 1|2"]), ("sep=,\n\na\n1", ["3 a", "4/1 1"]),
            // Similar lines are headers.
            ("\"sep=;\"\n1\n", ["1 sep=;", "2/1 1"]), ("sep=\n1\n", ["1 sep=", "2/1 1"]),
            ("sep=;x\n1\n", ["1 sep=|x", "2/1 1"]),
            ("sep=\"\"\n", []), ("separator\n1\n", ["1 separator", "2/1 1"]),
        ])
    func lines(text: String, expected: [String]) throws {
        guard !expected.isEmpty else {
            #expect(throws: InterchangeError.self) { _ = try read(text) }
            return
        }
        #expect(try read(text) == expected)
    }

    @Test("an explicit separator overrides the sep= line, which is not read as a record")
    func given() throws {
        #expect(try read("sep=;\na,b\n1;2,3\n") { $0.separator = .comma } == ["2 a|b", "3/1 1;2|3"])
        #expect(
            try read("sep=;\n1;2\n") {
                $0.hasHeader = false
                $0.columns = ["a", "b"]
            } == ["1 a|b", "2/1 1|2"])
        #expect(try read("x\nsep=;\na;b\n1;2\n") { $0.skippedLines = 1 } == ["3 a|b", "4/1 1|2"])
    }

    @Test(
        "an exported text that resembles a sep= line is quoted and read back unchanged",
        arguments: ["sep=;", "SEP=,", "sep=", "sep=é"])
    func written(text: String) throws {
        var bytes = try csv([text], [["x"]])
        #expect(try read(String(decoding: bytes, as: UTF8.self)) == ["1 \(text)", "2/1 x"])
        bytes = try csv(["a", "b"], [[text, nil]])
        let records = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        #expect(
            try read(String(decoding: records, as: UTF8.self)) {
                $0.separator = .comma
                $0.hasHeader = false
                $0.columns = ["a", "b"]
            } == ["1 a|b", "1/1 \(text)|"])
    }

    @Test(
        "thousands of blank lines are skipped and counted in the line numbers",
        arguments: [1, 3, 8, 9, 17, 4096, 100_000])
    func blankLines(blockSize: Int) throws {
        for (blank, count) in [("\n", 1_003), ("\r\n", 1_003), ("\r", 1_003), ("\n\r\n", 2 * 501)] {
            let run = String(repeating: blank, count: blank.utf8.count == 3 ? 501 : 1_003)
            let text = "\n\(run)a,b\(run)1,2\(run)\(run)3,4"
            var dialect = CSVDialect(separator: .comma)
            dialect.comment = "#"
            var reader = try CSVReader(
                ByteInput(bytes: Array(text.utf8), name: "t", blockSize: blockSize), dialect: dialect)
            #expect(reader.headerLine == 2 + count)
            var lines: [Int] = []
            while try reader.next() { lines.append(reader.line) }
            #expect(lines == [2 + 2 * count, 2 + 4 * count], "\(blank.utf8.count)")
        }
    }
}
