import StrataInterchange
import Testing

/// Tables from documents whose records contain objects and arrays.
@Suite("JSON documents as tables")
struct FlattenedDocumentTests {
    @Test("a table name retains letters, digits, dashes and spaces, and an underscore replaces other characters")
    func names() throws {
        let text = #"[{"order-lines": [1], "my notes": [2], "a/b": [3], "zähler 4": [5]}]"#
        let document = try FlattenedDocument(
            ByteInput(bytes: Array(text.utf8), name: "f"), name: "order", reading: ReadingOptions(format: .json),
            mayBeKey: { _, _ in false })
        #expect(
            document.tables.map(\.name)
                == ["order", "order_order-lines", "order_my notes", "order_a_b", "order_zähler 4"])
    }
}
