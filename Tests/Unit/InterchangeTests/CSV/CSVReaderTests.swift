import StrataInterchange
import Testing

/// Block sizes that cover every border between two blocks, and a block size without a border.
let blockSizes = [1, 2, 3, 7, 4_096]

/// Returns each record as `line/number: fields`, and the error that ends the reading, if any.
func csvRecords(
    _ bytes: [UInt8], separator: CSVSeparator = .comma, blockSize: Int, recordLimit: Int = 1_000
) -> [String] {
    csvRecords(bytes, CSVDialect(separator: separator), blockSize: blockSize, recordLimit: recordLimit)
}

/// Returns the records and the error in any dialect.
func csvRecords(
    _ bytes: [UInt8], _ dialect: CSVDialect, blockSize: Int, recordLimit: Int
) -> [String] {
    var lines: [String] = []
    do throws(InterchangeError) {
        let input = ByteInput(bytes: bytes, name: "t.csv", blockSize: blockSize)
        var reader = try CSVReader(input, dialect: dialect, recordLimit: recordLimit)
        lines.append("\(reader.headerLine): " + reader.header.joined(separator: "|"))
        while try reader.next() {
            let fields = (0..<reader.fieldCount).map { index in
                reader.isNull(field: index)
                    ? "-" : (reader.isQuoted(field: index) ? "'" : "") + reader.text(ofField: index)
            }
            lines.append("\(reader.line)/\(reader.record): " + fields.joined(separator: "|"))
        }
    } catch {
        lines.append("\(error)")
    }
    return lines
}

@Suite("Reading CSV")
struct CSVReaderTests {
    @Test(
        "CSV records are the same for any block size",
        arguments: [
            ("a,b\n1,2\n", ["1: a|b", "2/1: 1|2"]),
            ("a,b\n1,2", ["1: a|b", "2/1: 1|2"]),
            ("a,b\r\n1,2\r\n3,4\r\n", ["1: a|b", "2/1: 1|2", "3/2: 3|4"]),
            ("a,b\r1,2\r3,4\r", ["1: a|b", "2/1: 1|2", "3/2: 3|4"]),
            ("\u{FEFF}a,b\n1,2\n", ["1: a|b", "2/1: 1|2"]),
            ("\u{FEFF}\"a\",b\r\n1,2", ["1: a|b", "2/1: 1|2"]),
            ("a,b\n,\n\"\",\"\"\n", ["1: a|b", "2/1: -|-", "3/2: '|'"]),
            ("a,b\n1,\n,2", ["1: a|b", "2/1: 1|-", "3/2: -|2"]),
            ("a,b\n1,", ["1: a|b", "2/1: 1|-"]),
            ("a,b\n\"x\"\"y\",\"\"\"\"\n", ["1: a|b", "2/1: 'x\"y|'\""]),
            ("a,b\n\"\"\"a\"\"b\"\"\",z", ["1: a|b", "2/1: '\"a\"b\"|z"]),
            ("a,b\n\"1,2\",3\n4,5", ["1: a|b", "2/1: '1,2|3", "3/2: 4|5"]),
            ("a,b\n\"1\n2\",3\n4,5", ["1: a|b", "2/1: '1\n2|3", "4/2: 4|5"]),
            ("a,b\r\"1\r2\",3\r4,5", ["1: a|b", "2/1: '1\r2|3", "4/2: 4|5"]),
            ("a,b\r\n\"1\r\n2\",3\r\n4,5", ["1: a|b", "2/1: '1\r\n2|3", "4/2: 4|5"]),
            ("a,b\n\"1\n\r2\",3\n4,5", ["1: a|b", "2/1: '1\n\r2|3", "5/2: 4|5"]),
            ("\u{FEFF}a,b\n\"\r\n\r\n\n\r\",\"\"\"\n\"\n4,5", ["1: a|b", "2/1: '\r\n\r\n\n\r|'\"\n", "8/2: 4|5"]),
            ("a,b\n\n1,2\n\r\n\r3,4\n\n", ["1: a|b", "3/1: 1|2", "6/2: 3|4"]),
            ("a\n1\n\n\"\"\n2", ["1: a", "2/1: 1", "3/2: -", "4/3: '", "5/4: 2"]),
            ("a\n1\n", ["1: a", "2/1: 1"]),
            ("a\n\n", ["1: a", "2/1: -"]),
            ("\n\r\na,b\n1,2", ["3: a|b", "4/1: 1|2"]),
            ("a,b\n 1 , 2\n", ["1: a|b", "2/1:  1 | 2"]),
            ("a,b\n1\n1,2,3\n", ["1: a|b", "2/1: 1", "3/2: 1|2|3"]),
            ("naïve,日本\n😀é,\"\u{10FFFF}\"", ["1: naïve|日本", "2/1: 😀é|'\u{10FFFF}"]),
            ("a", ["1: a"]),
            ("\"a\n\"\n1", ["1: a\n", "3/1: 1"]),
        ] as [(String, [String])])
    func records(text: String, expected: [String]) {
        for blockSize in blockSizes {
            #expect(csvRecords(Array(text.utf8), blockSize: blockSize) == expected, "blocks of \(blockSize)")
        }
    }

    @Test(
        "a reader with another separator splits fields at this separator and not at commas",
        arguments: [CSVSeparator.semicolon, .tab, .bar])
    func separators(separator: CSVSeparator) {
        let character = String(decoding: [separator.byte], as: UTF8.self)
        let text = "a;b\n\"1;\";2,3\n".split(separator: ";", omittingEmptySubsequences: false).joined(
            separator: character)
        for blockSize in blockSizes {
            let records = csvRecords(Array(text.utf8), separator: separator, blockSize: blockSize)
            #expect(records == ["1: a|b", "2/1: '1\(character)|2,3"])
        }
    }

    @Test(
        "NUL, line breaks, quotes and bytes outside ASCII are rejected as separators",
        arguments: [0, 10, 13, 34, 0x80, 0xFF] as [UInt8])
    func refusedSeparators(byte: UInt8) throws {
        let error = #expect(throws: InterchangeError.self) { _ = try CSVSeparator(byte) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.description
                == "byte \(byte) cannot separate fields; use an ASCII character other than a quote or line break")
    }

    private static let inside =
        "a quote inside a field without quotes; put the whole field in quotes and double the quotes inside it"
    private static let after = "text after a closing quote; double a quote that belongs to the field"
    private static let zero =
        "a NUL byte, which a text cannot contain; if the file is UTF-16, name its encoding "
        + "(--encoding utf-16)"

    @Test(
        "a violation of the CSV rules is reported with its location and a remedy",
        arguments: [
            ("", "t.csv: the file is empty; its first line must name the columns"),
            ("\u{FEFF}", "t.csv: the file is empty; its first line must name the columns"),
            ("\n\r\n\r", "t.csv: the file is empty; its first line must name the columns"),
            ("a,b\n1,2\n3,x\"y\n", "t.csv:3: record 2, column b: \(inside)"),
            ("a,b\"\n", "t.csv:1: column 2: \(inside)"),
            ("a,b\n1,2,x\"", "t.csv:2: record 1, column 3: \(inside)"),
            ("a,b\n\"\n\n\",\"x\"y\n", "t.csv:2: record 1, column b: \(after)"),
            ("a,b\n\"x\" ,y\n", "t.csv:2: record 1, column a: \(after)"),
            (
                "a,b\n\"\n\",\"x\n\n",
                "t.csv:2: record 1, column b: the quote opened on line 3 is never closed; close it, or double it if it "
                    + "belongs to the field"
            ),
            (
                "\"",
                "t.csv:1: column 1: the quote opened on line 1 is never closed; close it, or double it if it belongs to "
                    + "the field"
            ),
            ("a,b\n1,\u{0}\n", "t.csv:2: record 1, column b: \(zero)"),
            ("a,b\n\"x\u{0}\",", "t.csv:2: record 1, column a: \(zero)"),
            ("a,b\n\"x\"\u{0},", "t.csv:2: record 1, column a: \(zero)"),
        ])
    func errors(text: String, expected: String) {
        for blockSize in blockSizes {
            #expect(csvRecords(Array(text.utf8), blockSize: blockSize).last == expected, "blocks of \(blockSize)")
        }
    }

    @Test(
        "invalid UTF-8 is rejected with the location of its field",
        arguments: [
            [0x80], [0xC3], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xE2, 0x28, 0xA1],
            [0xF0, 0x9F, 0x28, 0x80], [0xC3, 0xA9, 0xA9], [0xFE, 0xFF],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        for quote in ["", "\""] {
            let text = Array("a,b\n1,\(quote)x".utf8) + bytes + Array("y\(quote)\n".utf8)
            for blockSize in blockSizes {
                #expect(
                    csvRecords(text, blockSize: blockSize).last
                        == "t.csv:2: record 1, column b: invalid UTF-8; save the file as UTF-8, or name its encoding")
            }
        }
    }

    @Test(
        "the length limit of a CSV record is exact to the byte, with any quotes and block size",
        arguments: blockSizes)
    func recordLimit(blockSize: Int) {
        for (text, record) in [
            ("12345678,90", "12345678|90"), ("\"12345678\",\"90\"", "'12345678|'90"),
            ("\"1\"\"3\"\"5\"\"7\"\"\",90", "'1\"3\"5\"7\"|90"), ("\"\n\n\n\n\n\n\n\n\n\",1", "'\n\n\n\n\n\n\n\n\n|1"),
        ] {
            let fits = Array("a,b\r\n\(text)\r\n".utf8)
            #expect(csvRecords(fits, blockSize: blockSize, recordLimit: 10).last == "2/1: \(record)")
        }
        let tooLong =
            "t.csv:2: record 1: the record is longer than 10 bytes; look for a quote that is not closed, "
            + "or allow longer records (--max-record)"
        for text in [
            "12345678,901", "1234567890123,\"x\"y", "\"23456789012345678901234567890", "123456789012\"",
            "\"234567890\"\"1\"", "\"12345678901\0", "12345678901\0", "\"12345678901\"x",
        ] {
            let bytes = Array("a,b\r\n\(text)\r\n".utf8)
            #expect(csvRecords(bytes, blockSize: blockSize, recordLimit: 10).last == tooLong, "\(text)")
        }
    }

    @Test("a record with an unclosed quote is rejected at the length limit, before the whole input is read")
    func boundedMemory() {
        let bytes = Array("a\n\"".utf8) + [UInt8](repeating: 0x78, count: 1_000_000)
        let input = ByteInput(bytes: bytes, name: "t.csv", blockSize: 1_000)
        let error = #expect(throws: InterchangeError.self) {
            var reader = try CSVReader(input, recordLimit: 10_000)
            _ = try reader.next()
        }
        #expect(
            error?.message == "the record is longer than 10000 bytes; look for a quote that is not closed, "
                + "or allow longer records (--max-record)")
        var rest = [UInt8](repeating: 0, count: 1)
        #expect((try? input.read(into: &rest, at: 0)) == 1)
    }

    @Test("a record with more than 65,536 fields is rejected")
    func tooManyFields() {
        let bytes = Array("a\n".utf8) + [UInt8](repeating: UInt8(ascii: ","), count: 70_000)
        let records = csvRecords(bytes, blockSize: 65_536, recordLimit: 1_000_000)
        #expect(records.last == "t.csv:2: record 1: more than 65536 fields")
    }

    @Test("the error for a record whose field count differs from the header contains both counts")
    func fieldCount() throws {
        var reader = try CSVReader(ByteInput(bytes: Array("a,b\n1\n1,2\n1,2,3\n".utf8), name: "t.csv"))
        var messages: [String] = []
        while try reader.next() {
            do {
                try reader.checkFieldCount()
                messages.append("fine")
            } catch {
                messages.append("\(error)")
            }
        }
        #expect(
            messages == [
                "t.csv:2: record 1: 1 field, but the header has 2", "fine",
                "t.csv:4: record 3: 3 fields, but the header has 2",
            ])
    }

    @Test("the reader returns no record after the end of the file or after an error")
    func afterTheEnd() throws {
        var reader = try CSVReader(ByteInput(bytes: Array("a\n1".utf8), name: "t.csv"))
        let hasFirst = try reader.next()
        #expect(hasFirst)
        for _ in 0..<3 {
            let hasMore = try reader.next()
            #expect(hasMore == false)
            #expect(reader.record == 1)
            #expect(reader.fieldCount == 0)
        }
        var broken = try CSVReader(ByteInput(bytes: Array("a\nx\"\n2".utf8), name: "t.csv"))
        #expect(throws: InterchangeError.self) { _ = try broken.next() }
        let hasMoreAfterError = try broken.next()
        #expect(hasMoreAfterError == false)
    }

    @Test("a field at an index outside the record is null and has no bytes", arguments: [-1, 2, Int.max, Int.min])
    func missingField(index: Int) throws {
        var reader = try CSVReader(ByteInput(bytes: Array("a,b\n1,\"2\"".utf8), name: "t.csv"))
        let hasRecord = try reader.next()
        #expect(hasRecord)
        let isNull = reader.isNull(field: index)
        #expect(isNull)
        let isQuoted = reader.isQuoted(field: index)
        #expect(!isQuoted)
        let text = reader.text(ofField: index)
        #expect(text == "")
        let count = reader.withField(index) { $0.count }
        #expect(count == 0)
        let byte = reader.withField(1) { $0[0] }
        #expect(byte == UInt8(ascii: "2"))
    }
}
