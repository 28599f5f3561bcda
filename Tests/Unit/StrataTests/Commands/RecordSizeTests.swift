import Foundation
import StrataTestSupport
import Testing

/// Tests that the tool can import its exports: the limit applies to a record's content, in every format.
@Suite("Long records")
struct RecordSizeTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.quickest.namingReferenceModel.run(line.split(separator: " ").map(String.init), in: folder)
    }

    /// The factor by which the limit and the text are reduced in a debug build.
    private static let scale = Tool.release == nil ? 100 : 1

    @Test("a text of 12,000,000 line feeds can be exported and imported in every format at the default limit")
    func lineFeeds() throws {
        let count = 12_000_000 / Self.scale
        let limit = Self.scale == 1 ? "" : " --max-record \(16 * 1024 * 1024 / Self.scale)"
        var bytes = Data("hex,name\n#FFF,\"".utf8)
        bytes.append(Data(repeating: 10, count: count))
        bytes.append(Data("\"\n".utf8))
        try bytes.write(to: URL(fileURLWithPath: folder.path("in.csv")))
        try #require(try strata("import in.csv --entity color --store s" + limit).status == 0)
        for format in ["json", "ndjson", "csv"] {
            try strata("export --entity color --store s --output out.\(format)").expect(status: 0)
            let size = try folder.data("out.\(format)").count
            #expect(size > (format == "csv" ? count : 2 * count))
            let result = try strata("import out.\(format) --entity color --store \(format)" + limit)
            result.expect(status: 0)
        }
        // The text fits the limit in plain form, but not with a document's escapes.
        let most = 16 * 1024 * 1024 / Self.scale
        #expect(count < most && 2 * count > most)
        let texts = try ["s", "json", "ndjson", "csv"].map {
            try strata("export --entity color --store \($0) --columns name --no-header").output.utf8.count
        }
        #expect(Set(texts) == [count + 3])
    }

    @Test(
        "--max-record limits the size of a record's content, not of its escaped spelling",
        arguments: ["csv", "json", "ndjson"])
    func limits(format: String) throws {
        // 1,024 bytes including the color; a document needs six bytes for each character of the text.
        let text = String(repeating: "\u{1}", count: 1_024 - 7 - 1)
        let escaped = String(repeating: "\\u0001", count: 1_024 - 7 - 1)
        switch format {
        case "csv": try folder.write("id,hex,name\n1,#FFFFFF,\(text)\n2,#000000,short\n", to: "in.csv")
        case "json":
            try folder.write(
                "[{\"id\":1,\"hex\":\"#FFFFFF\",\"name\":\"\(escaped)\"},\n{\"id\":2,\"hex\":\"#000000\"}]",
                to: "in.json")
        default:
            try folder.write(
                "{\"id\":1,\"hex\":\"#FFFFFF\",\"name\":\"\(escaped)\"}\n{\"id\":2,\"hex\":\"#000000\"}\n",
                to: "in.ndjson")
        }
        let base = "import in.\(format) --entity color --store"
        try strata("\(base) a --max-record 1024").expect(status: 0)
        try strata("\(base) b --max-record 1K").expect(status: 0)
        try strata("\(base) c --max-record 1m").expect(status: 0)
        let refused = try strata("\(base) d --max-record 1023")
        refused.expect(status: 65)
        let line = format == "csv" ? 2 : 1
        #expect(
            refused.errors.hasPrefix("in.\(format):\(line): record 1: the record is longer than 1023 bytes; "),
            "\(refused.errors)")
        #expect(refused.errors.contains("(--max-record)"))
        let rest = try strata("\(base) e --max-record 1023 --on-error reject")
        #expect(rest.status == 65 && rest.errors.contains("imported 1 Color record (1 rejected)"), "\(rest.errors)")
    }

    @Test("an import that was aborted by a long record can be resumed with a higher limit")
    func resumed() throws {
        let rows = (1...40).map { "#00000\($0 % 10),\($0 == 25 ? String(repeating: "x", count: 5_000) : "y")\n" }
            .joined()
        try folder.write("hex,name\n" + rows, to: "in.csv")
        let base = "import in.csv --entity color --store s --commit-every 10"
        try strata("\(base) --max-record 4K").expect(status: 65)
        let rest = try strata("\(base) --max-record 8K --resume")
        #expect(
            rest.status == 0
                && rest.errors.hasSuffix(
                    "imported 20 Color records (after 20 that an earlier run imported) from in.csv into s\n"),
            "\(rest.errors)")
    }
}
