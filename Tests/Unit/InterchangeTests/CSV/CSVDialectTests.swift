import StrataInterchange
import Testing

/// A text in a dialect with the expected records and corrections.
struct DialectCase: Sendable, CustomTestStringConvertible {
    let name: String
    let text: [UInt8]
    let records: [String]
    let repairs: [String]
    let change: @Sendable (inout CSVDialect) -> Void

    init(
        _ name: String, _ text: String, _ records: [String], repairs: [String] = [],
        _ change: @escaping @Sendable (inout CSVDialect) -> Void
    ) {
        self.init(name, bytes: Array(text.utf8), records, repairs: repairs, change)
    }

    init(
        _ name: String, bytes: [UInt8], _ records: [String], repairs: [String] = [],
        _ change: @escaping @Sendable (inout CSVDialect) -> Void
    ) {
        (self.name, text, self.records, self.repairs, self.change) = (name, bytes, records, repairs, change)
    }

    var testDescription: String { name }

    static let accepted: [DialectCase] = [
        DialectCase("tabs separate the fields", "a\tb\n1,2\t3\n", ["1: a|b", "2/1: 1,2|3"]) { $0.separator = .tab },
        DialectCase("an apostrophe is the quote", "a,b\n'1,''2',\"\n", ["1: a|b", "2/1: '1,'2|\""]) {
            $0.quote = UInt8(ascii: "'")
        },
        DialectCase(
            "without a quote character, quotes are part of a field", "a,b\n\"1,2\"\n", ["1: a|b", "2/1: \"1|2\""]
        ) { $0.quote = nil },
        DialectCase("given names replace a missing header", "1,2\n3,4\n", ["1: a|b", "1/1: 1|2", "2/2: 3|4"]) {
            $0.hasHeader = false
            $0.columns = ["a", "b"]
        },
        DialectCase("given names replace the names of the header", "x,y\n3,4\n", ["1: a|b", "2/1: 3|4"]) {
            $0.columns = ["a", "b"]
        },
        DialectCase(
            "two lines before the header are skipped", "Report, of\r\n\"today\ra,b\n1,2\n", ["3: a|b", "4/1: 1|2"]
        ) {
            $0.skippedLines = 2
        },
        DialectCase(
            "a rejects file ignores the given encoding and the given count of skipped lines",
            "#strata-rejects of x\na,b\n#strata-reject: line 9: y\n\u{E9},\u{20AC}\n",
            ["2: a|b", "4/1: \u{E9}|\u{20AC}"]
        ) {
            $0.encoding = .latin1
            $0.skippedLines = 2
        },
        DialectCase(
            "a rejects file with a byte order mark ignores the given count of skipped lines",
            "\u{FEFF}#strata-rejects of x\na,b\n#strata-reject: line 9: y\n1,2\n", ["2: a|b", "4/1: 1|2"]
        ) { $0.skippedLines = 2 },
        DialectCase(
            "lines that begin with the comment character are skipped", "# x\na,b\n#\"1\n1,#2\n# end",
            ["2: a|b", "4/1: 1|#2"]
        ) { $0.comment = "#" },
        DialectCase("a comment marker may have two characters", "//a\na,b\n/1,2\n//", ["2: a|b", "3/1: /1|2"]) {
            $0.comment = "//"
        },
        DialectCase(
            "unquoted null tokens are read as null", "a,b,c\nNA,\"NA\",NULL\n,NAN,x",
            ["1: a|b|c", "2/1: -|'NA|-", "3/2: -|NAN|x"]
        ) {
            $0.nullTokens = ["NA", "NULL"]
        },
        DialectCase(
            "spaces and tabs around unquoted values are trimmed", "a,b\n 1\t,\" 2 \"\n  , NA \n",
            ["1: a|b", "2/1: 1|' 2 ", "3/2: -|-"]
        ) {
            $0.isTrimmed = true
            $0.nullTokens = ["NA"]
        },
        DialectCase(
            "UTF-16 with a little-endian byte order mark is recognized",
            bytes: [0xFF, 0xFE] + Array("a,b\né,😀\n".utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
            ["1: a|b", "2/1: é|😀"]
        ) { _ in },
        DialectCase(
            "UTF-16 with a big-endian byte order mark is recognized",
            bytes: [0xFE, 0xFF] + Array("a,b\né,😀\n".utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
            ["1: a|b", "2/1: é|😀"]
        ) { _ in },
        DialectCase(
            "byte 0x80 is U+0080 in Latin-1", bytes: Array("a,b\n".utf8) + [0xE9, 0x2C, 0x80, 0x0A],
            ["1: a|b", "2/1: é|\u{80}"]
        ) {
            $0.encoding = .latin1
        },
        DialectCase(
            "byte 0x80 is the euro sign in Windows-1252", bytes: Array("a,b\n".utf8) + [0xE9, 0x2C, 0x80, 0x0A],
            ["1: a|b", "2/1: é|€"]
        ) {
            $0.encoding = .windows1252
        },
        DialectCase(
            "a byte that Windows-1252 does not define is an error",
            bytes: Array("a,b\n".utf8) + [0x31, 0x2C, 0x81, 0x0A],
            ["1: a|b", "t:2: record 1, column b: invalid Windows-1252; choose another encoding"]
        ) { $0.encoding = .windows1252 },
        DialectCase(
            "half of a surrogate pair in UTF-16 is an error", bytes: [0xFE, 0xFF, 0, 0x61, 0, 0x0A, 0xD8, 0, 0, 0x0A],
            ["1: a", "t:2: record 1, column a: invalid UTF-16; choose another encoding"]
        ) { _ in },
        DialectCase(
            "more given names than columns are an error", "a,b\n1,2\n", ["t:1: 3 columns given, but the header has 2"]
        ) { $0.columns = ["x", "y", "z"] },
        DialectCase(
            "a file without a header and without given names is an error", "1,2\n",
            ["t: a file without a header requires the names of the columns"]
        ) {
            $0.hasHeader = false
        },
    ]

    static let lenient: [DialectCase] = [
        DialectCase(
            "a lenient reader retains a quote inside an unquoted field", "a,b\n5\" disk,x\"y\"z\n",
            ["1: a|b", "2/1: 5\" disk|x\"y\"z"],
            repairs: ["quote inside a field without quotes (3 times, first in line 2)"]),
        DialectCase(
            "a lenient reader retains text after a closing quote", "a,b\n\"x\"y,\"1\" \n\"p\"\"q\"r,2\n",
            ["1: a|b", "2/1: 'xy|'1 ", "3/2: 'p\"qr|2"],
            repairs: ["text after a closing quote (3 times, first in line 2)"]),
        DialectCase(
            "a lenient reader retains an opening quote that is never closed", "a,b\n1,2\n3,\"4\n5,6\n",
            ["1: a|b", "2/1: 1|2", "3/2: 3|\"4", "4/3: 5|6"],
            repairs: ["quote that is never closed, taken as a character (line 3)"]),
        DialectCase(
            "a lenient reader retains an opening quote that only a quote on a later line could close",
            "a,b\n\"1,2\n3,\"x\"\n\"4,y\"z\n5,6",
            ["1: a|b", "2/1: \"1|2", "3/2: 3|'x", "4/3: '4,yz", "5/4: 5|6"],
            repairs: [
                "quote that is never closed, taken as a character (line 2)", "text after a closing quote (line 4)",
                "row with too few fields, filled up with null (line 4)",
            ]),
        DialectCase(
            "a lenient reader rejects an ambiguous quote in a field of several lines",
            "a,b\n1,\"see:\nthe \"big\" one\"\n2,3\n",
            [
                "1: a|b",
                "t:2: record 1, column b: the quote on line 3 has text after it, but the field began with a quote on "
                    + "line 2; "
                    + "double the quotes that belong to the field, or close it on its line",
            ]),
        DialectCase(
            "a lenient reader reports a quote that may close a field of an earlier line",
            "a,b\n1,\"see:\n\"big\" one\"\n2,3\n",
            [
                "1: a|b", "2/1: 1|\"see:",
                "t:3: record 2: 1 field, but the header has 2; a quote opened on an earlier line may have been closed "
                    + "here",
            ]),
        DialectCase(
            "a lenient reader preserves valid line breaks inside quotes",
            "a,b\n\"1\n2\" ,3\n\"4\r\n\"\"5\"\"\"\t,6\n\"7\0\n8\",9\n",
            ["1: a|b", "2/1: '1\n2 |3", "4/2: '4\r\n\"5\"\t|6", "6/3: '7\n8|9"],
            repairs: [
                "text after a closing quote (2 times, first in line 3)", "NUL byte left out (line 6)",
            ]),
        DialectCase(
            "a lenient reader fills missing fields with null and drops surplus empty fields",
            "a,b,c\n1\n1,2,3,,\n4,5,6\n", ["1: a|b|c", "2/1: 1", "3/2: 1|2|3", "4/3: 4|5|6"],
            repairs: [
                "row with too few fields, filled up with null (line 2)", "row with surplus empty fields (line 3)",
            ]),
        DialectCase(
            "a lenient reader rejects a row with surplus values", "a,b\n1,2,3\n",
            ["1: a|b", "t:2: record 1: 3 fields, but the header has 2"]),
        DialectCase(
            "a lenient reader removes NUL bytes", "a,b\n1\0,\"2\0\"\n", ["1: a|b", "2/1: 1|'2"],
            repairs: ["NUL byte left out (2 times, first in line 2)"]),
        DialectCase(
            "a lenient reader reads bytes that are not UTF-8 as Windows-1252",
            bytes: Array("a,b\nJ".utf8) + [0xF6] + Array("rg,\"".utf8) + [0x80, 0x22, 0x22, 0x22, 0x0A],
            ["1: a|b", "2/1: Jörg|'€\""],
            repairs: ["bytes that are not UTF-8, read as Windows-1252 (2 times, first in line 2)"]),
    ]

    private init(_ name: String, _ text: String, _ records: [String], repairs: [String] = []) {
        self.init(name, text, records, repairs: repairs) { $0.isLenient = true }
    }

    private init(_ name: String, bytes: [UInt8], _ records: [String], repairs: [String] = []) {
        self.init(name, bytes: bytes, records, repairs: repairs) { $0.isLenient = true }
    }
}

@Suite("CSV dialects")
struct CSVDialectTests {
    private static func read(_ value: DialectCase, blockSize: Int) -> (records: [String], repairs: [String]) {
        var dialect = CSVDialect(separator: .comma)
        value.change(&dialect)
        var lines: [String] = []
        var repairs: [String] = []
        do throws(InterchangeError) {
            let input = ByteInput(bytes: value.text, name: "t", blockSize: blockSize)
            var reader = try CSVReader(input, dialect: dialect)
            lines.append("\(reader.headerLine): " + reader.header.joined(separator: "|"))
            while try reader.next() {
                try reader.checkFieldCount()
                let fields = (0..<reader.fieldCount).map { index in
                    reader.isNull(field: index)
                        ? "-" : (reader.isQuoted(field: index) ? "'" : "") + reader.text(ofField: index)
                }
                lines.append("\(reader.line)/\(reader.record): " + fields.joined(separator: "|"))
            }
            repairs = reader.repairs
        } catch {
            lines.append("\(error)")
        }
        return (lines, repairs)
    }

    @Test(
        "the reader returns the expected records and repairs in each CSV dialect for any block size",
        arguments: DialectCase.accepted + DialectCase.lenient
    )
    func dialects(_ value: DialectCase) {
        for blockSize in blockSizes {
            let found = Self.read(value, blockSize: blockSize)
            #expect(found.records == value.records, "\(blockSize)")
            #expect(found.repairs == value.repairs, "\(blockSize)")
        }
    }

    static let recognized: [(String, CSVSeparator)] = [
        ("a,b\n1,2\n", .comma), ("a;b\n1;2\n", .semicolon), ("a\tb\n", .tab), ("a|b\n1|2\n", .bar), ("a\n1\n", .comma),
        ("a;b,c\n1;2,5\n", .comma), ("\"a;x\",b\n1,2\n", .comma), ("name;price\nx;1,5\ny;2,5\n", .semicolon),
        ("x;y;a,b\n1;2;3,4\n", .semicolon), ("x;y", .semicolon), ("", .comma), ("\"a\n;;;;b\",c\n1,2", .comma),
    ]

    @Test("the reader recognizes the separator from the beginning of the file", arguments: recognized)
    func recognition(_ text: String, _ separator: CSVSeparator) throws {
        var dialect = CSVDialect()
        dialect.hasHeader = false
        dialect.columns = []
        for blockSize in blockSizes {
            let reader = try CSVReader(
                ByteInput(bytes: Array(text.utf8), name: "t", blockSize: blockSize), dialect: dialect)
            #expect(reader.separatorFound == separator)
        }
    }

    @Test("the reader ignores comments when it recognizes the separator")
    func recognitionBehindComments() throws {
        var dialect = CSVDialect()
        dialect.comment = "#"
        for text in ["#x;y;z\na,b\n1,2\n", "a,b\n#x;y;z\n1,2\n"] {
            let reader = try CSVReader(ByteInput(bytes: Array(text.utf8), name: "t"), dialect: dialect)
            #expect(reader.separatorFound == .comma && reader.header == ["a", "b"])
        }
    }

    @Test("known column names determine the separator, even if another separator produces more fields")
    func knownNames() throws {
        let text = "id;first,last,name;salary\n1;a,b,c;5\n"
        let known = try CSVReader(ByteInput(bytes: Array(text.utf8), name: "t")) { ["id", "salary"].contains($0) }
        #expect(known.separatorFound == .semicolon && known.header == ["id", "first,last,name", "salary"])
        let unknown = try CSVReader(ByteInput(bytes: Array(text.utf8), name: "t"))
        #expect(unknown.separatorFound != .semicolon || unknown.header.count == 3)
    }

    @Test("the CSV reader continues after a bad record and returns the skipped bytes")
    func recovery() throws {
        let text = "a,b\r\n1,2\r\nx\"y,3\r\n4,5\r\n\"6\n7\"8,9\r\n10,11\r\n12,\"13\r\n14,15"
        for blockSize in blockSizes {
            var reader = try CSVReader(ByteInput(bytes: Array(text.utf8), name: "t", blockSize: blockSize))
            var found: [String] = []
            while true {
                do throws(InterchangeError) {
                    guard try reader.next() else { break }
                    found.append("\(reader.line)/\(reader.record) \(reader.text(ofField: 0))")
                } catch {
                    #expect(error.line == reader.line && error.record == reader.record)
                    try reader.recover()
                    let original = reader.withOriginal {
                        $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
                    }
                    found.append("\(reader.line)/\(reader.record) bad: \(original)")
                }
            }
            #expect(
                found == [
                    "2/1 1", "3/2 bad: x\"y,3", "4/3 4", "5/4 bad: \"6\n7\"8,9", "7/5 10", "8/6 bad: 12,\"13", "9/7 14",
                ])
        }
    }
}
