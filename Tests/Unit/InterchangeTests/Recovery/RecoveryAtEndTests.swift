import StrataInterchange
import Testing

/// Cases that `make fuzz` found.
@Suite("Broken records at the end of a file")
struct RecoveryAtEndTests {
    @Test(
        "the original text of a bad last CSV record without a line break is exactly the record",
        arguments: [1, 2, 7, 4096])
    func csv(blockSize: Int) throws {
        var reader = try CSVReader(
            ByteInput(
                bytes: Array("id,name\n1,a long one\n2,".utf8) + [0xE9], name: "f", blockSize: blockSize))
        #expect(try reader.next())
        #expect(throws: InterchangeError.self) { _ = try reader.next() }
        try reader.recover()
        #expect(reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } } == Array("2,".utf8) + [0xE9])
        #expect(try !reader.next())
    }

    @Test("the original text of an incomplete last line of NDJSON is exactly the line", arguments: [1, 2, 7, 4096])
    func lines(blockSize: Int) throws {
        let text = "{\"id\":1,\"name\":\"a long one\"}\n{\"id\""
        var reader = try JSONRecordReader(
            ByteInput(bytes: Array(text.utf8), name: "f", blockSize: blockSize), layout: JSONRecordLayout(.lines))
        #expect(try reader.next())
        #expect(throws: InterchangeError.self) { _ = try reader.next() }
        #expect(try reader.recover())
        #expect(reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } } == Array("{\"id\"".utf8))
        #expect(try !reader.next())
    }
}
