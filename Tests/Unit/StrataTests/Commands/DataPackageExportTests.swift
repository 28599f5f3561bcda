import Foundation
import StrataTestSupport
import Testing

@Suite("Export of data packages")
struct DataPackageExportTests {
    private let folder = TemporaryFolder()
    private static let root = Checkout.root
    private let warehouse = root.appendingPathComponent("Fixtures/warehouse").path
    private static let frictionless = root.appendingPathComponent(".build/frictionless/bin/frictionless").path
    private static let hasFrictionless = FileManager.default.isExecutableFile(atPath: frictionless)

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    private func export(_ store: String, _ directory: String, _ options: String...) throws {
        let arguments = ["export", "--all", "--store", store, "--format", "datapackage", "--output", directory]
        let result = try Tool.debug.run(arguments + options, in: folder)
        result.expect(status: 0)
    }

    private func expectSameFiles(_ first: String, _ second: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path(first)) {
            #expect(try folder.data("\(first)/\(name)") == folder.data("\(second)/\(name)"), "\(name)")
        }
    }

    @Test(
        "an exported package is imported with the same model and data, and without a warning",
        arguments: [[], ["--delimiter", ";"], ["--delimiter", "tab"], ["--line-ending", "cr"], ["--quote-all"]])
    func warehouse(options: [String]) throws {
        try strata("import", warehouse, "--store", "s").expect(status: 0)
        let arguments = ["export", "--all", "--store", "s", "--format", "datapackage", "--output", "one/p"]
        try FileManager.default.createDirectory(atPath: folder.path("one"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("two"), withIntermediateDirectories: true)
        try Tool.debug.run(arguments + options, in: folder).expect(status: 0)
        let result = try strata("import", "one/p", "--store", "t", "--strict")
        #expect(result.status == 0 && !result.errors.contains("warning"), "\(result.errors)")
        try strata("model", "diff", "s", "t").expect(status: 0)
        let again = ["export", "--all", "--store", "t", "--format", "datapackage", "--output", "two/p"]
        try Tool.debug.run(again + options, in: folder).expect(status: 0)
        try expectSameFiles("one/p", "two/p")
        if options.isEmpty {
            let product = try String(contentsOfFile: warehouse + "/product.csv", encoding: .utf8)
            #expect(try folder.text("one/p/product.csv") == product)
        }
    }

    @Test("an exported package distinguishes empty texts from null, which is written as a separate text")
    func emptyTexts() throws {
        let text = "[\n{\"a\":null,\"b\":\"\",\"c\":\"x\"},\n{\"a\":\"\",\"b\":\"y\",\"c\":null}\n]\n"
        try folder.write(text, to: "notes.json")
        try strata("import", "notes.json", "--store", "s").expect(status: 0)
        let arguments = ["export", "--all", "--store", "s", "--format", "datapackage", "--output", "p"]
        let result = try Tool.debug.run(arguments, in: folder)
        #expect(
            result.errors.hasPrefix("notes.csv: null in \"a\" is written as NA, because empty texts are values\n"),
            "\(result.errors)")
        #expect(try folder.text("p/notes.csv") == "a,b,c\nNA,\"\",x\n\"\",y,\n")
        try strata("import", "p", "--store", "t").expect(status: 0)
        #expect(try strata("export", "--entity", "notes", "--store", "t", "--format", "json").output == text)
        try folder.write("[\n{\"a\":null,\"b\":\"z\"}\n]\n", to: "others.json")
        try strata("import", "others.json", "--store", "u").expect(status: 0)
        let silent = try strata("export", "--all", "--store", "u", "--format", "datapackage", "--output", "q")
        #expect(silent.errors == "exported 1 record of 1 entity to q\n")
    }

    @Test("join rows of a link without a mapped table are exported and imported")
    func pairs() throws {
        try folder.write(
            """
            {"resources": [
              {"name": "a", "schema": {"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]},
               "strata:links": [{"name": "bs", "resource": "b", "inverse": "as"}]},
              {"name": "b", "schema": {"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}}]}
            """, to: "m.json")
        try folder.write("id\n1\n2\n", to: "a.csv")
        try folder.write("id\n7\n", to: "b.csv")
        try folder.write("source,target\n1,7\n2,7\n", to: "A_bs.csv")
        let result = try strata("import", "a.csv", "b.csv", "A_bs.csv", "--model", "m.json", "--store", "s")
        result.expect(status: 0)
        try export("s", "p")
        let again = try strata("import", "p", "--store", "t", "--strict")
        #expect(again.status == 0 && again.errors.contains("imported 2 A_bs records"), "\(again.errors)")
        try strata("model", "diff", "s", "t").expect(status: 0)
        #expect(try strata("check", "--store", "t").output == "ok\n")
    }

    @Test(
        "the frictionless tool validates an exported package",
        .enabled(if: hasFrictionless, "frictionless is not installed in .build; .ci/setup-tests.sh does"))
    func otherTool() throws {
        try strata("import", warehouse, "--store", "s").expect(status: 0)
        try export("s", "p")
        let valid = try Tool(path: Self.frictionless).run(["validate", "p/datapackage.json"], in: folder)
        #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
    }

    @Test(
        "options that do not fit a data package are rejected",
        arguments: [
            (
                ["--all", "--null", "NA"],
                "--null cannot be combined with --format datapackage: the descriptor determines the format of the files"
            ),
            (
                ["--all", "--bom"],
                "--bom cannot be combined with --format datapackage: the descriptor determines the "
                    + "format of the files"
            ),
            (["--entity", "product"], "a data package contains the whole store: --format datapackage requires --all"),
        ])
    func refused(options: [String], message: String) throws {
        try strata("import", warehouse, "--store", "s").expect(status: 0)
        let arguments = ["export", "--store", "s", "--format", "datapackage", "--output", "p"]
        let result = try Tool.debug.run(arguments + options, in: folder)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("p")))
    }

    @Test("a directory with a manifest of another model is rejected")
    func manifest() throws {
        try strata("import", warehouse, "--store", "s").expect(status: 0)
        try strata("export", "--all", "--store", "s", "--output", "p").expect(status: 0)
        let result = try strata("export", "--all", "--store", "s", "--format", "datapackage", "--output", "p")
        result.expect(status: 64)
        #expect(result.errors.contains("p has a manifest.json of another export"), "\(result.errors)")
    }
}
