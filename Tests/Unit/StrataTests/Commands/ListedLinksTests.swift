import Foundation
import StrataTestSupport
import Testing

/// Handwritten lists and tables of join rows: they are rejected, reported, corrected and imported again.
@Suite("Lists and join rows on the command line")
struct ListedLinksTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    /// Writes a model of articles whose tags are words in a list column.
    private func makeModel() throws {
        try write(
            """
            {"name": "notes", "resources": [
              {"name": "tag", "path": "tag.csv", "schema": {
                "fields": [{"name": "no", "type": "integer"}, {"name": "word", "type": "string"}],
                "primaryKey": ["no"], "uniqueKeys": [["word"]]}},
              {"name": "article", "path": "article.csv", "schema": {
                "fields": [{"name": "title", "type": "string"}, {"name": "tags", "type": "list", "delimiter": ";"}],
                "primaryKey": ["title"]},
                "strata:links": [{"name": "tagging", "resource": "tag", "inverse": "articles", "field": "tags",
                  "key": "word", "ordered": true}]}
            ]}
            """, to: "model.json")
        try write("no,word\n1,red\n2,blue\n", to: "tag.csv")
    }

    @Test(
        "records with invalid lists are rejected and can be corrected and imported again", arguments: ["csv", "ndjson"])
    func repaired(format: String) throws {
        try makeModel()
        let records =
            format == "csv"
            ? ["title,tags", "A,red;blue", "B,red;nope", "C,red;red", "D,"]
            : [
                #"{"title":"A","tags":["red","blue"]}"#, #"{"title":"B","tags":["red","nope"]}"#,
                #"{"title":"C","tags":["red","red"]}"#, #"{"title":"D","tags":[]}"#,
            ]
        let name = "article.\(format)"
        try write(records.joined(separator: "\n") + "\n", to: name)
        let stopped = try strata("import", "tag.csv", name, "--model", "model.json", "--store", "s")
        stopped.expect(status: 65)
        #expect(stopped.errors.contains("occurs twice"), "\(stopped.errors)")

        let line = format == "csv" ? 3 : 2
        let missing =
            "\(name):\(line): record 2, column tags: there is no Tag with word \"nope\", neither in the store nor in this import"
        let validated = try strata("validate", "tag.csv", name, "--model", "model.json")
        let rejecting = try strata(
            "import", "tag.csv", name, "--model", "model.json", "--store", "s", "--on-error", "reject", "--rejects",
            "bad")
        for result in [validated, rejecting] {
            result.expect(status: 65)
            #expect(result.errors.contains(missing), "\(result.errors)")
            #expect(
                result.errors.contains(
                    "import\(result.errors == validated.errors ? "" : "ed") 2 Article records (2 rejected)"))
        }
        let rejects = try read("bad/\(name)")
        #expect(rejects.contains(missing.dropFirst(name.utf8.count + 2 + "\(line)".utf8.count)), "\(rejects)")
        try write(
            rejects.replacingOccurrences(of: "nope", with: "blue").replacingOccurrences(of: "red;red", with: "red")
                .replacingOccurrences(of: #"["red","red"]"#, with: #"["red"]"#), to: "bad/\(name)")
        let again = try strata("import", "bad/\(name)", "--store", "s", "--entity", "article", "--model", "model.json")
        again.expect(status: 0)
        let exported = try strata("export", "-q", "--entity", "article", "--store", "s")
        #expect(exported.output == "title,tags\nA,red;blue\nD,\nC,red\nB,red;blue\n")
        #expect(try strata("check", "--store", "s").output == "ok\n")
    }

    @Test("dangling list elements are dropped with --on-missing-reference null, and not checked without a store")
    func dropped() throws {
        try makeModel()
        try write("title,tags\nA,red;nope;none\n", to: "article.csv")
        let alone = try strata("validate", "article.csv", "--model", "model.json")
        alone.expect(status: 0)
        #expect(alone.errors.contains("would import 1 Article record (3 links not checked)"), "\(alone.errors)")
        let dropped = try strata(
            "import", "tag.csv", "article.csv", "--model", "model.json", "--store", "s", "--on-missing-reference",
            "null",
            "--report", "report.json")
        dropped.expect(status: 0)
        #expect(
            dropped.errors.contains(
                "imported 1 Article record (2 links dropped, because their rows do not exist) from article.csv"),
            "\(dropped.errors)")
        #expect(try read("report.json").contains("\"droppedPairs\":2"))
        #expect(try strata("export", "-q", "--entity", "article", "--store", "s").output == "title,tags\nA,red\n")
    }

    @Test("a join row that exists already is a conflict, and the error names the option that permits it")
    func repeatedPairs() throws {
        let fixture = Checkout.root.appendingPathComponent("Fixtures/warehouse").path
        try strata("import", "-q", fixture, "--model", fixture, "--store", "s").expect(status: 0)
        try write("product,category,place\nJJ-001,c-05,4\n", to: "product_category.csv")
        let refused = try strata("import", "product_category.csv", "--store", "s", "--model", fixture)
        refused.expect(status: 65)
        #expect(
            refused.errors
                == "product_category.csv:2: record 1, column product, category: the join row already exists; use "
                + "--on-conflict ignore, update or replace to import such records\n"
        )
        let ignored = try strata(
            "import", "product_category.csv", "--store", "s", "--model", fixture, "--on-conflict", "ignore")
        #expect(ignored.status == 0 && ignored.errors.contains("(1 ignored)"), "\(ignored.errors)")
        let updated = try strata(
            "import", "product_category.csv", "--store", "s", "--model", fixture, "--on-conflict", "update")
        #expect(
            updated.errors.contains("imported 1 ") && updated.errors.contains("(1 of them updated)"),
            "\(updated.errors)")
    }
}
