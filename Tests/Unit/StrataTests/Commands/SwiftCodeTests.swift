import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("strata model swift and openapi")
struct SwiftCodeTests {
    private let folder = TemporaryFolder()

    private func run(_ arguments: String...) throws -> Tool.Result {
        try Tool.debug.run(["model"] + arguments, in: folder)
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    /// Writes a model with two tables.
    private func writeModel(_ column: String = "name", second: String = "orders") throws {
        try write(
            """
            {"resources": [
              {"name": "people", "path": "p.csv", "schema": {"fields": [{"name": "\(column)", "type": "string"}]}},
              {"name": "\(second)", "path": "o.csv", "schema": {"fields": [{"name": "state", "type": "string"}]}}]}
            """, "shop.json")
    }

    @Test("the generated code of the package of tests is up to date with its data and model")
    func committed() throws {
        let root = Checkout.root.path
        let csv = ["customers", "orders", "lines"].map { "\(root)/Fixtures/orders/\($0).csv" }
        let inferred = try Tool.debug.run(["model", "infer"] + csv + ["-q", "-o", "shop.model.json"], in: folder)
        #expect(inferred.status == 0, "\(inferred.errors)")
        #expect(
            try text("shop.model.json")
                == String(
                    contentsOfFile: "\(root)/Tests/Packages/Models/shop.model.json", encoding: .utf8))
        let check = try run("swift", "shop.model.json", "-o", "\(root)/Tests/Packages/Sources/Shop", "--check", "-q")
        #expect(check.status == 0 && check.output.isEmpty, "\(check.output)\(check.errors)")
    }

    @Test("a check reports missing, different and obsolete files with status 65, and writes nothing")
    func check() throws {
        try writeModel()
        #expect(
            try run("swift", "shop.json", "-o", "code", "--check", "-q").output.contains(
                "code/People.swift: the file is missing\n"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("code")))
        #expect(try run("swift", "shop.json", "-o", "code").errors.hasSuffix("wrote 10 files to code\n"))
        #expect(try run("swift", "shop.json", "-o", "code", "--check", "-q").status == 0)
        try write(try text("code/People.swift").replacing("var name", with: "var nome"), "code/People.swift")
        try writeModel(second: "bills")
        let check = try run("swift", "shop.json", "-o", "code", "--check", "-q")
        #expect(check.status == ExitCode.badData)
        let lines = check.output.split(separator: "\n")
        #expect(lines.contains("code/People.swift:10: the file differs from the generated code"), "\(lines)")
        #expect(lines.contains("code/Bills.swift: the file is missing"))
        #expect(lines.contains("code/Orders.swift: the file is not generated any more"))
        let json = try run("swift", "shop.json", "-o", "code", "--check", "-q", "--format", "json")
        #expect(json.status == ExitCode.badData && json.output.contains("\"state\" : \"obsolete\""))
    }

    @Test("a removed entity's files are deleted with a message, and own files remain")
    func removal() throws {
        try writeModel()
        #expect(try run("swift", "shop.json", "-o", "code", "-q").status == 0)
        try write("extension People {}\n", "code/People+Mine.swift")
        try writeModel(second: "bills")
        let result = try run("swift", "shop.json", "-o", "code")
        #expect(result.status == 0)
        #expect(result.errors.contains("deleted code/Orders.swift, which is not generated any more\n"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("code"))
        #expect(names.contains("People+Mine.swift") && names.contains("Bills.swift"))
        #expect(!names.contains { $0.hasPrefix("Orders") })
    }

    @Test("one entity's files can be generated alone, and other files remain")
    func oneEntity() throws {
        try writeModel()
        #expect(try run("swift", "shop.json", "-o", "code", "-q").status == 0)
        try writeModel("full name")
        let result = try run("swift", "shop.json", "-o", "code", "--entity", "People", "--repositories", "-q")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try text("code/AppModel.swift").contains("Orders.self"))
        #expect(try text("code/People.swift").contains("var fullName"))
        #expect(FileManager.default.fileExists(atPath: folder.path("code/Orders.swift")))
        #expect(try run("swift", "shop.json", "--entity", "Unknown").status == ExitCode.badData)
    }

    @Test("a file that was not generated is not replaced, and nothing is written")
    func ownFile() throws {
        try writeModel()
        try FileManager.default.createDirectory(atPath: folder.path("code"), withIntermediateDirectories: true)
        try write("struct Orders {}\n", "code/Orders.swift")
        let result = try run("swift", "shop.json", "-o", "code", "-q")
        #expect(result.status == ExitCode.cannotCreate)
        #expect(result.errors.hasPrefix("code/Orders.swift: the file was not generated"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("code")) == ["Orders.swift"])
    }

    @Test("the files of another model are not replaced")
    func otherModel() throws {
        try writeModel()
        #expect(try run("swift", "shop.json", "-o", "code", "-q").status == 0)
        try FileManager.default.copyItem(atPath: folder.path("shop.json"), toPath: folder.path("second.json"))
        let result = try run("swift", "second.json", "-o", "code", "-q")
        #expect(result.status == ExitCode.cannotCreate)
        #expect(result.errors.contains("the file was generated from another model"))
    }

    @Test("files that are not regular, and other files of the user, are left alone")
    func strangeFiles() throws {
        try writeModel()
        let prepared = try Tool.debug.shell(
            "mkdir -p code/Mine.swift && mkfifo code/pipe.swift && printf x > code/Other.swift", in: folder)
        try #require(prepared.status == 0)
        #expect(try run("swift", "shop.json", "-o", "code", "-q").status == 0)
        #expect(try text("code/Other.swift") == "x")
    }

    @Test("a change from two layers to one deletes the files of both layers and their folders")
    func layers() throws {
        try writeModel()
        #expect(try run("swift", "shop.json", "-o", "code", "-q", "--layers", "two").status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path("code/Domain/People.swift")))
        #expect(try run("swift", "shop.json", "-o", "code", "-q").status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path("code/Domain")))
    }

    @Test("JSON output reports what was written, and a description does not replace its model")
    func outputs() throws {
        try writeModel()
        let written = try run("swift", "shop.json", "-o", "code", "-q", "--format", "json")
        #expect(written.status == 0 && written.output.contains("\"ok\" : true"))
        let model = try text("shop.json")
        #expect(try run("openapi", "shop.json", "-o", "shop.json").status == ExitCode.cannotCreate)
        #expect(try text("shop.json") == model)
    }

    @Test("notes are printed with entity and property, and are errors with --strict")
    func notes() throws {
        try writeModel()
        let result = try run("swift", "shop.json")
        #expect(result.status == 0 && result.output.contains("public var stateValue: String?"))
        #expect(result.errors.hasPrefix("shop.json: note: Orders.state: a managed object has a member of this name"))
        let strict = try run("swift", "shop.json", "--strict", "-o", "code")
        #expect(strict.status == ExitCode.badData && strict.errors.hasPrefix("shop.json: error: Orders.state"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("code")))
    }

    @Test("the code of a store equals the code of its model file, except for the name in the header")
    func store() throws {
        try writeModel()
        try write("name\nAda\n", "p.csv")
        let imported = try Tool.debug.run(
            ["import", "p.csv", "--entity", "People", "--model", "shop.json", "--store", "a.sqlite"], in: folder)
        #expect(imported.status == 0, "\(imported.errors)")
        let (file, store) = (try run("swift", "shop.json", "-q"), try run("swift", "a.sqlite", "-q"))
        #expect(store.output == file.output.replacing("swift shop.json", with: "swift a.sqlite"))
    }

    @Test("the code of a database of another program has a record for each table")
    func foreignDatabase() throws {
        let sql =
            "CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
            + "CREATE TABLE album (id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artist(id));"
        let created = try Tool.debug.shell("sqlite3 music.db '\(sql)'", in: folder)
        try #require(created.status == 0, "\(created.errors)")
        let result = try run("swift", "music.db", "-q")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("public struct Artist: PersistentRecord"))
        #expect(result.output.contains("public var artist_id: Artist.ID?"))
        #expect(result.output.hasPrefix("// Generated by \"strata model swift music.db\""))
    }

    @Test(
        "options that do not belong together are errors of the command line",
        arguments: [
            ["swift", "shop.json", "--check"], ["swift", "shop.json", "--format", "json"],
            ["swift", "shop.json", "--access", "secret"],
            ["swift", "shop.json", "--report", "r"], ["show", "shop.json", "--doubles"],
            ["openapi", "shop.json", "--layers", "two"], ["openapi", "shop.json", "--check"],
            ["names", "shop.json", "--entity", "A", "--entity", "B"], ["swift", "shop.json", "--output", "-"],
            ["swift", "shop.json", "--domain-module", "A"], ["openapi", "shop.json", "--check", "--output", "-"],
            ["swift", "shop.json", "--layers", "two", "--access", "internal"],
        ])
    func usage(_ arguments: [String]) throws {
        try writeModel()
        #expect(try Tool.debug.run(["model"] + arguments, in: folder).status == 64)
    }

    @Test("the description of an API is written, and a check reports the first line that differs")
    func openAPI() throws {
        try writeModel()
        #expect(
            try run("openapi", "shop.json", "-o", "api.json", "--check").output == "api.json: the file is missing\n")
        #expect(try run("openapi", "shop.json", "-o", "api.json").status == 0)
        #expect(try run("openapi", "shop.json", "-o", "api.json", "--check").status == 0)
        #expect(try text("api.json") == run("openapi", "shop.json").output)
        try writeModel("full name")
        let check = try run("openapi", "shop.json", "-o", "api.json", "--check")
        #expect(check.status == ExitCode.badData && check.output.contains("api.json:"))
    }

    @Test("the generator for builds links no database library, and reports errors with file, line and column")
    func buildGenerator() throws {
        let generator = URL(fileURLWithPath: Tool.debug.path).deletingLastPathComponent().appendingPathComponent(
            "strata-model-generator"
        ).path
        let libraries = try Tool.debug.shell("ldd '\(generator)'", in: folder)
        #expect(libraries.status == 0 && !libraries.output.contains("sqlite"), "\(libraries.output)")
        try writeModel()
        let result = try Tool.debug.shell("'\(generator)' shop.json Out.swift", in: folder)
        #expect(result.status == 0 && result.output.hasPrefix("shop.json:1:1: note: Orders.state"))
        #expect(try text("Out.swift").contains("struct StoredPeopleRepository"))
        try write(
            "{\"resources\": [\n {\"name\": \"a\", \"schema\": {\"fields\": [{\"name\": \"b\", \"type\": 3}]}}]}",
            "x.json")
        let failed = try Tool.debug.shell("'\(generator)' x.json Out.swift", in: folder)
        #expect(failed.status == 65 && failed.errors.hasPrefix("x.json:2:"), "\(failed.errors)")
        try write("{\"resources\": [{\"name\": \"a\", \"schema\": \"s.json\"}]}", "y.json")
        #expect(try Tool.debug.shell("'\(generator)' y.json Out.swift", in: folder).errors.contains("does not exist"))
        try write("{\n\"fields\": [{\"name\": \"b\", \"type\": 3}]}", "s.json")
        let separate = try Tool.debug.shell("'\(generator)' y.json Out.swift", in: folder)
        #expect(separate.errors.contains("s.json:2:"), "\(separate.errors)")
        try write("{\"parts\": [\"all\"]}", "strata-model-options.json")
        let wrong = try Tool.debug.shell("'\(generator)' shop.json Out.swift", in: folder)
        #expect(wrong.status == 65 && wrong.errors.contains("“all” is not a value of parts"), "\(wrong.errors)")
    }
}
