import Foundation
import Testing

/// Tests that rows keep the order of their file, also if it differs from the order of identifiers.
@Suite("Order of rows in files")
struct OrderOfFilesTests {
    static let stores = ["s.sqlite", "s.stxml", "s.stbin"]

    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    private func importing(_ text: String, _ store: String, as file: String = "team.csv", _ options: String...) throws {
        try folder.write(text, to: file)
        try Tool.debug.run(["import", "-q", file, "--store", store] + options, in: folder).expect(status: 0)
    }

    private func export(_ store: String, _ words: String...) throws -> String {
        let result = try Tool.debug.run(["export", "--entity", "team", "--store", store] + words, in: folder)
        result.expect(status: 0)
        return result.output
    }

    @Test(
        "exported rows are in the same order as in the imported file, even if their identifiers are not ascending",
        arguments: [
            "id,name\n3,c\n2,b\n1,a\n", "id,name\n7,c\n1,b\n100,a\n4,d\n",
            "id,name\n9007199254740991,c\n1,b\n9007199254740990,a\n", "id,name\n0,c\n2,b\n1,a\n",
            "id,name\n-1,c\n2,b\n-5,a\n", "id,name\n2,b\n1,a\n9007199254740992,c\n",
        ], stores)
    func order(_ text: String, _ store: String) throws {
        try importing(text, store)
        #expect(try export(store) == text)
        let shown = try strata("show", "--entity", "team", "--store", store, "--columns", "name")
        let names = shown.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let expected = text.split(separator: "\n").dropFirst().map { String($0.split(separator: ",")[1]) }
        #expect(names.filter(expected.contains) == expected)
        try strata("export", "--all", "--store", store, "--output", "all", "-q").expect(status: 0)
        #expect(try folder.text("all/team.csv") == text)
    }

    @Test("later imports append new rows, and replaced and updated rows keep their positions", arguments: stores)
    func laterImports(_ store: String) throws {
        try importing("id,name\n30,c\n10,a\n20,b\n", store)
        try importing("id,name\n25,z\n5,y\n", store)
        #expect(try export(store) == "id,name\n30,c\n10,a\n20,b\n25,z\n5,y\n")
        try importing("id,name\n1,x\n10,A\n", store, as: "team.csv", "--on-conflict", "update")
        #expect(try export(store) == "id,name\n30,c\n10,A\n20,b\n25,z\n5,y\n1,x\n")
        try importing("id,name\n20,B\n2,w\n30,C\n", store, as: "team.csv", "--on-conflict", "replace")
        #expect(try export(store) == "id,name\n30,C\n10,A\n20,B\n25,z\n5,y\n1,x\n2,w\n")
        try strata("delete", "-q", "--entity", "team", "--store", store, "--where", "id in (10, 25)").expect(status: 0)
        #expect(try export(store, "--where", "id < 25") == "id,name\n20,B\n5,y\n1,x\n2,w\n")
        #expect(try export(store, "--sort", "id", "--limit", "2") == "id,name\n1,x\n2,w\n")
    }

    @Test("rows with equal sort keys are exported in the order of the imported file", arguments: stores)
    func sort(_ store: String) throws {
        try importing("id,name\n30,b\n10,a\n20,b\n5,a\n", store)
        #expect(try export(store, "--sort", "name") == "id,name\n10,a\n5,a\n30,b\n20,b\n")
    }

    @Test(
        "a store created from a file sorted by id also sorts the rows of later, unsorted files by id",
        arguments: stores)
    func layoutStays(_ store: String) throws {
        try importing("id,name\n1,a\n2,b\n", store)
        let model = try strata("model", "show", store)
        try importing("id,name\n9,c\n3,d\n", store)
        #expect(try export(store) == "id,name\n1,a\n2,b\n3,d\n9,c\n")
        #expect(try strata("model", "show", store).output == model.output)
    }

    @Test(
        "an import with a model file that declares no row order preserves the row order of the dataset",
        arguments: stores)
    func modelFile(_ store: String) throws {
        try folder.write(
            """
            {"resources":[{"name":"team","path":"team.csv","schema":{"fields":[{"name":"id","type":"integer"},
            {"name":"name","type":"string"}],"primaryKey":["id"]}}]}
            """, to: "m.json")
        let text = "id,name\n3,c\n1,a\n2,b\n"
        try importing(text, store, as: "team.csv", "--model", "m.json")
        #expect(try export(store, "--model", "m.json") == text)
        try strata("migrate", "-q", "--store", store, "--model", "m.json").expect(status: 0)
        try importing("id,name\n9,z\n8,y\n", store, as: "team.csv", "--model", "m.json")
        #expect(try export(store) == text + "9,z\n8,y\n")
        // The order of piped input is unknown until its end.
        try FileManager.default.removeItem(atPath: folder.path(store))
        try Tool.debug.run(
            ["import", "-q", "-", "--format", "csv", "--entity", "team", "--store", store, "--model", "m.json"],
            in: folder, input: text
        ).expect(status: 0)
        #expect(try export(store) == text)
    }

    @Test(
        "a store created from another store's printed model also preserves the row order of the imported file",
        arguments: stores)
    func writtenModel(_ store: String) throws {
        let text = "id,name\n3,c\n1,a\n2,b\n"
        try importing(text, store)
        try folder.write(try strata("model", "show", store, "--format", "json").output, to: "m.json")
        #expect(try folder.text("m.json").contains("\"strata:order\": \"file\""))
        try importing(text, "other-" + store, as: "team.csv", "--model", "m.json")
        #expect(try export("other-" + store, "--model", "m.json") == text)
    }

    @Test("no command accepts or prints the internal position column", arguments: stores)
    func hidden(_ store: String) throws {
        try importing("id,name\n3,c\n1,a\n2,b\n", store)
        for words in [
            ["show", "--entity", "team", "--where", "_position = 1"],
            ["show", "--entity", "team", "--sort", "_position"],
            ["export", "--entity", "team", "--columns", "_position"],
            ["update", "--entity", "team", "--set", "_position = 1", "--all"],
        ] {
            let result = try Tool.debug.run(words + ["--store", store], in: folder)
            result.expect(status: 64)
            #expect(result.errors.contains("_position"))
        }
        for words in [
            ["show", "--entity", "team", "--store", store], ["model", "show", store],
            ["report", "--store", store], ["info", "--store", store],
            ["check", "--store", store],
        ] {
            let result = try Tool.debug.run(words, in: folder)
            result.expect(status: 0)
            #expect(!result.output.contains("_position"))
        }
    }

    @Test("a column named _position in an imported file has the same name in an export", arguments: stores)
    func sameName(_ store: String) throws {
        let text = "id,_position,_version\n3,x,1\n1,y,2\n2,z,3\n"
        try importing(text, store)
        #expect(try export(store) == text)
        #expect(try export(store, "--where", "`_position` = 'y'") == "id,_position,_version\n1,y,2\n")
        #expect(try export(store, "--columns", "`_position`,id") == "_position,id\nx,3\ny,1\nz,2\n")
    }

    @Test("join rows are exported in the order in which their owners appear in the imported file", arguments: stores)
    func pairs(_ store: String) throws {
        try folder.write("id,name\n3,c\n1,a\n2,b\n", to: "team.csv")
        try folder.write("id,name\n20,x\n10,y\n", to: "badge.csv")
        try folder.write("team_id,badge_id\n3,20\n3,10\n1,10\n2,20\n", to: "team_badge.csv")
        try strata("import", "-q", "team.csv", "badge.csv", "team_badge.csv", "--store", store).expect(status: 0)
        try strata("export", "--all", "--store", store, "--output", "all", "-q").expect(status: 0)
        #expect(try folder.text("all/team_badge.csv").hasPrefix("team_id,badge_id\n3,"))
    }

    @Test(
        "a copy of a store has the same row order, and later imports append rows to the copy",
        arguments: stores, stores)
    func copy(_ store: String, _ other: String) throws {
        let text = "id,name\n3,c\n1,a\n2,b\n"
        try importing(text, store)
        try strata("copy", "--store", store, "--to", "copy-" + other, "-q").expect(status: 0)
        #expect(try export("copy-" + other) == text)
        try importing("id,name\n9,z\n8,y\n", "copy-" + other)
        #expect(try export("copy-" + other) == text + "9,z\n8,y\n")
    }
}
