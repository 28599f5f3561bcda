import StrataInterchange
import Testing

/// Cases that `make fuzz` found.
@Suite("Overlong records")
struct RecoveryTooLongTests {
    @Test(
        "after an overlong CSV record with an unclosed quote, the reader continues at the next line",
        arguments: [1, 2, 7, 4096])
    func openQuote(blockSize: Int) throws {
        let bytes = Array("a\n\"x\nthis line alone is too long, and holds a NUL \0 byte\nb\n".utf8)
        var reader = try CSVReader(ByteInput(bytes: bytes, name: "f", blockSize: blockSize), recordLimit: 20)
        var seen: [String] = []
        while true {
            do {
                guard try reader.next() else { break }
                seen.append("\(reader.line) \(reader.text(ofField: 0))")
            } catch {
                seen.append("\(error)")
                try reader.recover()
            }
        }
        let message =
            "the record is longer than 20 bytes; look for a quote that is not closed, or allow longer records (--max-record)"
        #expect(seen == ["f:2: record 1: \(message)", "f:3: record 2: \(message)", "4 b"])
    }

    @Test(
        "the original text of a bad record of the maximum length is returned verbatim for any block size",
        arguments: [1, 2, 7, 4096])
    func longest(blockSize: Int) throws {
        let longest = "\"x\"y4567890123456789"
        let bytes = Array("a\n\(longest)\nb\n".utf8)
        // The recognition of the separator reads ahead.
        var dialect = CSVDialect()
        dialect.separator = .comma
        var reader = try CSVReader(
            ByteInput(bytes: bytes, name: "f", blockSize: blockSize), dialect: dialect,
            recordLimit: longest.utf8.count)
        #expect(throws: InterchangeError.self) { _ = try reader.next() }
        try reader.recover()
        let original = reader.withOriginal { $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
        #expect(original == longest)
        #expect(try reader.next())
        #expect(reader.text(ofField: 0) == "b")
    }

    @Test("after an overlong NDJSON record, the reader continues at the next line", arguments: [1, 2, 7, 4096])
    func lines(blockSize: Int) throws {
        let bytes = Array("{\"a\":\n[111,\n222,\n333,\n444,\n555,\n666,\n777,\n888]}\n{\"a\":0}".utf8)
        var reader = try JSONRecordReader(
            ByteInput(bytes: bytes, name: "f", blockSize: blockSize), layout: JSONRecordLayout(.lines), recordLimit: 20)
        #expect(throws: InterchangeError.self) { _ = try reader.next() }
        #expect(try reader.recover())
        // The other lines of the record are not valid records.
        var broken = 0
        var seen: [String] = []
        while true {
            do {
                guard try reader.next() else { break }
                seen.append("\(reader.line) \(reader.text(ofMember: 0))")
            } catch {
                broken += 1
                #expect(try reader.recover())
            }
        }
        #expect(broken == 8)
        #expect(seen == ["10 0"])
    }
}
