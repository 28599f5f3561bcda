import Foundation
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Writing JSON")
struct JSONEncodingTests {
    @Test("JSON is written with one object per line, and an empty array as one line")
    func layout() throws {
        #expect(String(decoding: try json(["a"], []), as: UTF8.self) == "[]\n")
        #expect(String(decoding: try json(["a"], [["x"]]), as: UTF8.self) == "[\n{\"a\":\"x\"}\n]\n")
        #expect(
            String(decoding: try json(["a", "b"], [["x", nil], [], [""]]), as: UTF8.self)
                == "[\n{\"a\":\"x\",\"b\":null},\n{\"a\":null,\"b\":null},\n{\"a\":\"\",\"b\":null}\n]\n")
        #expect(String(decoding: try json([], [[]]), as: UTF8.self) == "[\n{}\n]\n")
    }

    @Test(
        "only characters that RFC 8259 requires to be escaped are escaped",
        arguments: [
            ("\"\\/", #"\"\\/"#), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
            ("\u{0}\u{1}\u{F}\u{10}\u{1F}", #"\u0000\u0001\u000F\u0010\u001F"#),
            ("é😀\u{7F}\u{2028}", "é😀\u{7F}\u{2028}"),
        ])
    func escaping(text: String, written: String) throws {
        #expect(
            String(decoding: try json([text], [[text]]), as: UTF8.self)
                == "[\n{\"\(written)\":\"\(written)\"}\n]\n")
    }

    @Test("numbers and Boolean values are written without quotes, and dates are written as strings")
    func kinds() throws {
        let record: [StoredValue] = [
            .integer(-5), .boolean(false), .decimal(ScaledDecimal(unscaled: 1250, scale: 2)),
            .date(Date(timeIntervalSinceReferenceDate: 77_500_800)),
        ]
        #expect(
            String(decoding: try json(["a", "b", "c", "d"], values: [record]), as: UTF8.self)
                == "[\n{\"a\":-5,\"b\":false,\"c\":12.50,\"d\":\"2003-06-17T00:00:00Z\"}\n]\n")
    }

    @Test("a record with more values than columns is an error")
    func valueCount() {
        let error = #expect(throws: InterchangeError.self) { try json(["x"], [["1", "2"]]) }
        #expect(error?.description == "<memory>: 2 values for 1 column")
    }

    @Test("JSON keys and values with special characters are read back unchanged at every block size", arguments: 1...4)
    func roundTrip(columnCount: Int) throws {
        var generator = SeededGenerator(seed: UInt64(columnCount))
        let columns = (0..<columnCount).map { "\($0)" + (HostileText.random(using: &generator) ?? "") }
        let records = (0..<300).map { _ in columns.map { _ in HostileText.random(using: &generator) } }
        let bytes = try json(columns, records)
        for blockSize in blockSizes {
            var reader = try JSONRecordReader(ByteInput(bytes: bytes, name: "t.json", blockSize: blockSize))
            for (number, record) in records.enumerated() {
                let hasRecord = try reader.next()
                try #require(hasRecord)
                let line = reader.line
                #expect(line == number + 2)
                let keys = (0..<reader.memberCount).map { Array(reader.key(ofMember: $0).utf8) }
                try #require(keys == columns.map { Array($0.utf8) })
                let read = (0..<reader.memberCount).map { member in
                    reader.kind(ofMember: member) == .null ? nil : Array(reader.text(ofMember: member).utf8)
                }
                try #require(read == record.map { $0.map { Array($0.utf8) } }, "\(number)")
            }
            let hasMore = try reader.next()
            #expect(!hasMore)
        }
    }
}
