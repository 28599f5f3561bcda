import StrataPersistence
import Testing

@testable import StrataInterchange

@Suite("File text in messages")
struct PrintableTextTests {
    @Test("messages show control characters as escapes and truncate long text")
    func escapes() {
        #expect(PrintableText.quoted("a\u{1B}]0;x\u{7}\r\n\tb\u{9F}é") == "\"a\\u{1B}]0;x\\u{7}\\r\\n\\tb\\u{9F}é\"")
        #expect(PrintableText.escaped(String(repeating: "x", count: 61)) == String(repeating: "x", count: 60) + "…")
        #expect(PrintableText.escaped(String(repeating: "x", count: 60)) == String(repeating: "x", count: 60))
    }

    @Test("messages escape column names, and only count the problems beyond the first 20")
    func problems() throws {
        let names = (1...60).map { "x\($0)\u{1B}" }.joined(separator: ",")
        let error = try #require(throws: InterchangeError.self) {
            try SampleModel.container().importing(names + "\n", .csv, into: "Thing")
        }
        #expect(error.message.hasPrefix("unknown column \"x1\\u{1B}\"; unknown column \"x2\\u{1B}\""))
        #expect(error.message.hasSuffix("unknown column \"x20\\u{1B}\"; and 40 more"))
        let column = InterchangeError(.invalidValue, column: "a\u{1B}\n", message: "m").description
        #expect(column == "column a\\u{1B}\\n: m")
    }
}
