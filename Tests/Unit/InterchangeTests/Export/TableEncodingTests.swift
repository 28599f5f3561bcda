import Foundation
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Writing CSV")
struct TableEncodingTests {
    @Test(
        "CSV fields are quoted only if necessary, and each record ends with LF",
        arguments: [
            ("plain", "plain"), ("", "\"\""), (nil, ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("\"", "\"\"\"\""),
            ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""), (" a", "\" a\""), ("a ", "\"a \""), ("a b", "a b"),
            ("a;b", "a;b"),
            ("é😀", "é😀"), ("'", "'"), ("\t", "\t"),
        ] as [(String?, String)])
    func quoting(value: String?, written: String) throws {
        let bytes = try csv(["x", "y"], [[value, "1"]])
        #expect(String(decoding: bytes, as: UTF8.self) == "x,y\n\(written),1\n")
    }

    @Test("null in the only column is written as an empty line and read back as null")
    func oneColumn() throws {
        let bytes = try csv(["x"], [[nil], [""], ["1"], [nil]])
        #expect(String(decoding: bytes, as: UTF8.self) == "x\n\n\"\"\n1\n\n")
        #expect(csvRecords(bytes, blockSize: 7) == ["1: x", "2/1: -", "3/2: '", "4/3: 1", "5/4: -"])
    }

    @Test("missing values at the end of a record are written as null, and surplus values are an error")
    func valueCount() throws {
        #expect(String(decoding: try csv(["x", "y"], [["1"], []]), as: UTF8.self) == "x,y\n1,\n,\n")
        let error = #expect(throws: InterchangeError.self) { try csv(["x"], [["1", "2"]]) }
        #expect(error?.description == "<memory>: 2 values for 1 column")
    }

    @Test("output larger than the buffer is written once and in order")
    func blocks() throws {
        let texts = (0..<100_000).map { "\($0)" }
        let bytes = try csv(["x"], texts.map { [$0] })
        #expect(
            bytes.count > 500_000
                && String(decoding: bytes, as: UTF8.self) == "x\n" + texts.joined(separator: "\n") + "\n")
    }

    @Test("numbers, Boolean values and dates are quoted only if they contain the separator")
    func tokens() throws {
        for (separator, expected) in [
            (CSVSeparator.comma, "a,b,c,d\n-5,true,2001-01-01T00:00:00Z,\"\"\n"),
            (try CSVSeparator(UInt8(ascii: ":")), "a:b:c:d\n-5:true:\"2001-01-01T00:00:00Z\":\"\"\n"),
            (try CSVSeparator(UInt8(ascii: "-")), "a-b-c-d\n\"-5\"-true-\"2001-01-01T00:00:00Z\"-\"\"\n"),
        ] {
            let record: [StoredValue] = [
                .integer(-5), .boolean(true), .date(Date(timeIntervalSinceReferenceDate: 0)), .binary(Data()),
            ]
            let bytes = try csv(["a", "b", "c", "d"], values: [record], separator: separator)
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
    }

    @Test(
        "CSV fields with special characters are read back unchanged at every block size", arguments: 1...4,
        [CSVSeparator.comma, .semicolon, .tab])
    func roundTrip(columnCount: Int, separator: CSVSeparator) throws {
        var generator = SeededGenerator(seed: UInt64(columnCount))
        let columns = (0..<columnCount).map { "c\($0)" }
        let records = (0..<300).map { _ in columns.map { _ in HostileText.random(using: &generator) } }
        let bytes = try csv(columns, records, separator: separator)
        for blockSize in blockSizes {
            var reader = try CSVReader(
                ByteInput(bytes: bytes, name: "t.csv", blockSize: blockSize), dialect: CSVDialect(separator: separator))
            #expect(reader.header == columns)
            for (number, record) in records.enumerated() {
                let hasRecord = try reader.next()
                try #require(hasRecord)
                let read = (0..<reader.fieldCount).map { reader.isNull(field: $0) ? nil : reader.text(ofField: $0) }
                // Strings are compared by bytes, because different strings may be canonically equal.
                try #require(
                    read.map { $0.map { Array($0.utf8) } } == record.map { $0.map { Array($0.utf8) } }, "\(number)")
            }
            let hasMore = try reader.next()
            #expect(hasMore == false)
        }
    }

    @Test("random bytes do not crash the CSV reader, and every block size returns the same records")
    func hostileBytes() {
        var generator = SeededGenerator(seed: 5)
        let alphabet = Array("a,\"\r\n\" é".utf8) + [0xFF, 0]
        for _ in 0..<Seeds.count(600, all: 3_000) {
            let bytes = (0..<Int.random(in: 0...30, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let results = blockSizes.map { csvRecords(bytes, blockSize: $0, recordLimit: 12) }
            #expect(Set(results).count == 1, "\(bytes)")
        }
    }
}
