import StrataInterchange
import Testing

/// The physical line, record and column of errors, for any line breaks and block sizes.
@Suite("Locations of errors")
struct LocatedErrorTests {
    /// A file with LF as its line breaks, and the expected errors.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var text: String
        var expected: [String]
        var dialect = CSVDialect()

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ expected: [String], _ change: (inout CSVDialect) -> Void = { _ in }) {
            self.name = name
            self.text = text
            self.expected = expected
            change(&dialect)
        }
    }

    static let tableCases: [Case] = [
        Case("a row with too few fields is an error", "a,b\n1\n", ["f:2: record 1: 1 field, but the header has 2"]),
        Case(
            "the lines of later errors include line breaks in quotes", "a,b\n\"1\n\n\",\"\n\"\n2,x,y\n3,\"\n",
            ["f:6: record 2: 3 fields, but the header has 2", "f:7: record 3, column b: the quote opened on line 7"]),
        Case(
            "the lines of later errors include a header of two lines", "\"a\nx\",b\n1\n",
            ["f:3: record 1: 1 field, but the header has 2"]),
        Case(
            "the lines of later errors include empty lines", "\n\na,b\n\n1,2\n\n\n3\n",
            ["f:8: record 2: 1 field, but the header has 2"]),
        Case(
            "the lines of later errors include rejected records", "a,b\n1,x\"y\n2,z\n3\n4,\"a\nb\"c\n5,d\n6",
            [
                "f:2: record 1, column b: a quote inside", "f:4: record 3: 1 field",
                "f:5: record 4, column b: text after",
                "f:8: record 6: 1 field",
            ]),
        Case(
            "the error for an unclosed quote contains the line of the quote", "a,b\n1,\"x\n2,y\n3\n",
            ["f:2: record 1, column b: the quote opened on line 2", "f:4: record 3: 1 field"]),
        Case(
            "the error for an unclosed quote after a field of two lines contains the line of the quote",
            "a,b\n\"1\n2\",\"x",
            [
                "f:2: record 1, column b: the quote opened on line 3", "f:3: record 2, column a: a quote inside",
            ]),
        Case(
            "a NUL byte is an error", "a,b\n1,2\n\"\n\",\0\n4\n",
            ["f:3: record 2, column b: a NUL byte", "f:5: record 3: 1 field"]),
        Case(
            "the lines of later errors include skipped lines and comments", "junk \"\nmore\na,b\n#x\n1,2\n#\"\n3\n",
            ["f:7: record 2: 1 field"]
        ) {
            $0.skippedLines = 2
            $0.comment = "#"
        },
        Case(
            "a file without a header has located errors", "1,2\n3\n",
            ["f:2: record 2: 1 field, but there are 2 columns"]
        ) {
            $0.hasHeader = false
            $0.columns = ["a", "b"]
        },
        Case("a file with tabs has located errors", "a\tb\n\"x\ny\"\tz\n1\n", ["f:4: record 2: 1 field"]) {
            $0.separator = .tab
        },
        Case(
            "a file with recognized semicolons has located errors", "a;b\n\"x\ny\";z\n1\n", ["f:4: record 2: 1 field"]),
    ]

    static let breaks = ["\n", "\r\n", "\r", "mixed"]
    /// The last size reads each text in one block.
    static let blockSizes = [1, 2, 3, 7, 64, 1024]

    /// Returns the text with other line breaks; mixed ones alternate without a CR directly before an LF.
    static func with(_ lineBreak: String, _ text: String) -> String {
        guard lineBreak == "mixed" else { return text.replacing("\n", with: lineBreak) }
        var number = 0
        return text.split(separator: "\n", omittingEmptySubsequences: false).reduce(into: "") { result, line in
            if number > 0 { result += ["\n", "\r\n", line.isEmpty ? "\r\n" : "\r"][number % 3] }
            result += line
            number += 1
        }
    }

    @Test(
        "each error of a CSV file has its line and record for any line break and block size", arguments: tableCases,
        breaks)
    func tables(example: Case, lineBreak: String) throws {
        let text = Self.with(lineBreak, example.text)
        for mark in ["", "\u{FEFF}"] {
            for size in Self.blockSizes {
                let found = try errors(Array((mark + text).utf8), example.dialect, size)
                #expect(found.count == example.expected.count, "\(found) in blocks of \(size)")
                for (error, expected) in zip(found, example.expected) {
                    #expect(error.hasPrefix(expected), "blocks of \(size)")
                }
            }
        }
    }

    private func errors(_ bytes: [UInt8], _ dialect: CSVDialect, _ blockSize: Int) throws -> [String] {
        var reader = try CSVReader(ByteInput(bytes: bytes, name: "f", blockSize: blockSize), dialect: dialect)
        var errors: [String] = []
        while true {
            do throws(InterchangeError) {
                guard try reader.next() else { return errors }
            } catch {
                errors.append("\(error)")
                try reader.recover()
                continue
            }
            do throws(InterchangeError) { try reader.checkFieldCount() } catch { errors.append("\(error)") }
        }
    }

    static let lineCases: [Case] = [
        Case(
            "an invalid line is an error", "{\"a\":1}\n{\"a\":}\n{\"a\":2}\n",
            ["f:2: record 2: expected a value, found \"}\""]),
        Case(
            "the lines of later errors include all lines of an object",
            "{\n\"a\":1\n}\n\n{\n\"a\":1,\n\"b\" 2}\n[1]\n{\"a\":0}",
            ["f:7: record 2: expected a colon", "f:8: record 3: the record is an array"]),
        Case(
            "each of several invalid lines is an error", "x\n{\"a\":1}\n5\n{\"a\":1,\"a\":2}\n{\"a\n",
            [
                "f:1: record 1: expected a value", "f:3: record 3: the record is a number",
                "f:4: record 4: the key \"a\" occurs twice", "f:5: record 5: control character",
            ]),
        Case(
            "an incomplete object at the end of the file is an error", "{\"a\":1}\n\n{\"a\":\n",
            ["f:4: record 2: expected a value, found the end of the file"]),
    ]

    @Test(
        "each error of an NDJSON file has its line and record for any line break and block size", arguments: lineCases,
        breaks)
    func lines(example: Case, lineBreak: String) throws {
        for mark in ["", "\u{FEFF}"] {
            for size in Self.blockSizes {
                let bytes = Array((mark + Self.with(lineBreak, example.text)).utf8)
                var reader = try JSONRecordReader(
                    ByteInput(bytes: bytes, name: "f", blockSize: size), layout: JSONRecordLayout(.lines))
                var found: [String] = []
                while true {
                    do throws(InterchangeError) {
                        guard try reader.next() else { break }
                    } catch {
                        found.append("\(error)")
                        #expect(try reader.recover())
                    }
                }
                #expect(found.count == example.expected.count, "\(found) in blocks of \(size)")
                for (error, expected) in zip(found, example.expected) { #expect(error.hasPrefix(expected)) }
            }
        }
    }

    /// Documents, whose reading ends with the first error.
    static let documentCases: [Case] = [
        Case(
            "an error in an indented document has its line", "[\n  {\n    \"a\": 1\n  },\n  {\n    \"a\": tru\n  }\n]",
            ["f:6: record 2: expected true"]),
        Case(
            "a missing comma between records is an error", "[\n{\"a\":1}\n{\"a\":2}\n]",
            ["f:3: record 2: expected a comma or ], found \"{\""]),
        Case(
            "a record that is not an object is an error", "[\n{\"a\":1},\n\n3]",
            ["f:4: record 2: the record is a number"]),
        Case(
            "text after the document is an error", "[\n{\"a\":1}\n]\n\nx",
            ["f:5: expected nothing after the document, found \"x\""]),
    ]

    @Test("the error of a JSON document of several lines has its line and record", arguments: documentCases, breaks)
    func documents(example: Case, lineBreak: String) throws {
        for mark in ["", "\u{FEFF}"] {
            for size in Self.blockSizes {
                let bytes = Array((mark + Self.with(lineBreak, example.text)).utf8)
                var reader = try JSONRecordReader(ByteInput(bytes: bytes, name: "f", blockSize: size))
                let error = #expect(throws: InterchangeError.self) { while try reader.next() {} }
                #expect(error?.description.hasPrefix(example.expected[0]) == true, "\(error.debugDescription)")
            }
        }
    }
}
