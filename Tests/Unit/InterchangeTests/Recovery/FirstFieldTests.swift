import StrataInterchange
import Testing

/// Cases that `make fuzz` found.
@Suite("First fields of a file")
struct FirstFieldTests {
    @Test(
        "a first field that resembles a byte order mark or a rejects file is quoted and read back unchanged",
        arguments: ["\u{FEFF}", "\u{FEFF}x", "#strata-rejects", "#strata-rejects of x", "#strata-reject: x"])
    func marks(text: String) throws {
        for hasHeader in [true, false] {
            var bytes = try csv([text, "b"], [[text, "x"]])
            var dialect = CSVDialect(separator: .comma)
            if !hasHeader {
                bytes.removeFirst(bytes.firstIndex(of: 10).map { $0 + 1 } ?? 0)
                dialect.hasHeader = false
                dialect.columns = ["a", "b"]
            }
            var reader = try CSVReader(ByteInput(bytes: bytes, name: "f"), dialect: dialect)
            #expect(reader.header[0].utf8.elementsEqual((hasHeader ? text : "a").utf8))
            #expect(try reader.next())
            #expect(reader.text(ofField: 0).utf8.elementsEqual(text.utf8))
        }
    }
}
