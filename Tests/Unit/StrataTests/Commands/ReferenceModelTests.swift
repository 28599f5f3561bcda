import Foundation
import StrataTestSupport
import Testing

@testable import strata

/// Tests that the demo's model is used only if `--model reference` names it or the store has it.
@Suite("The reference model is used only by name")
struct ReferenceModelTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func make(_ directory: String) throws {
        try FileManager.default.createDirectory(atPath: folder.path(directory), withIntermediateDirectories: true)
    }

    /// A dataset named after a reference entity, the inferred entity, and the error with the reference model.
    struct Dataset: Sendable, CustomTestStringConvertible {
        var file: String
        var text: String
        var entity: String
        var misfit: String?

        var testDescription: String { file }
    }

    static let datasets = [
        Dataset(
            file: "items.csv", text: "id,name\n1,Lamp\n2,Desk\n", entity: "Items",
            misfit: "missing column \"unitCost\", which is mandatory"),
        Dataset(
            file: "items.csv", text: "sku,price\nA1,2.50\n", entity: "Items", misfit: "unknown column \"sku\""),
        Dataset(file: "Color.csv", text: "id,hex,name\n1,#FF0000,Red\n", entity: "Color"),
        Dataset(
            file: "bosses.ndjson", text: "{\"lead\":\"Ann\"}\n", entity: "Bosses", misfit: "unknown key \"lead\""),
        Dataset(
            file: "own/employees.csv", text: "staff_no,team\nx7,red\n", entity: "Employees",
            misfit: "unknown column \"staff_no\""),
    ]

    @Test("the model of a new store is inferred from files named after reference entities", arguments: datasets)
    func inferred(_ dataset: Dataset) throws {
        try make("own")
        try folder.write(dataset.text, to: dataset.file)
        let path = dataset.file.hasPrefix("own/") ? "own" : dataset.file
        let result = try strata("import \(path) --store s")
        result.expect(status: 0)
        #expect(result.errors.hasPrefix("no model was given: the model is inferred"), "\(result.errors)")
        #expect(try strata("model names s").output == dataset.entity + "\n")
        let format = dataset.file.split(separator: ".").last ?? ""
        let exported = try strata("export --entity \(dataset.entity) --store s --format \(format)")
        #expect(exported.output == dataset.text, "\(exported.errors)")
        let validated = try strata("validate \(path)")
        validated.expect(status: 0)
        #expect(validated.errors.hasPrefix("no model was given: the model is inferred from the data\n"))
        #expect(
            validated.errors.contains(
                "would import \(dataset.text.count(where: \.isNewline) - (format == "csv" ? 1 : 0)) "))
        // The existing store keeps its model, and --entity names an entity of it.
        let action = result.errors.contains("no key") ? "" : "--on-conflict ignore"
        let again = try strata("import \(dataset.file) --entity \(dataset.entity) --store s \(action) -q")
        again.expect(status: 0)
    }

    @Test("the same files are imported with the reference model if --model names it", arguments: datasets)
    func named(_ dataset: Dataset) throws {
        try make("own")
        try folder.write(dataset.text, to: dataset.file)
        let path = dataset.file.hasPrefix("own/") ? "own" : dataset.file
        for line in ["import \(path) --store s --model reference", "validate \(path) --model reference"] {
            let result = try strata(line)
            #expect(result.status == (dataset.misfit == nil ? 0 : 65), "\(result.errors)")
            #expect(result.errors.contains(dataset.misfit ?? "1 Color record"), "\(result.errors)")
        }
        guard dataset.misfit == nil else { return }
        #expect(try strata("model names s").output == "Color\nBoss\nEmployee\nItem\n")
        // The store's model is used without --model.
        try strata("import \(path) --store s --on-conflict update").expect(status: 0)
    }

    @Test("an empty file as the store is treated as a new store")
    func emptyFile() throws {
        try folder.write("", to: "s")
        try folder.write("id,name\n1,Lamp\n", to: "items.csv")
        try strata("show --entity items --store s").expect(status: 66)
        try strata("import items.csv --store s").expect(status: 0)
        #expect(try strata("model names s").output == "Items\n")
        try folder.write("", to: "t")
        try strata("generate --model reference --count Boss=1 --store t").expect(status: 0)
    }

    @Test("standard input needs no --entity if its model is inferred")
    func standardInput() throws {
        try folder.write("id,hex,name\n1,#FF0000,Red\n", to: "in.csv")
        for line in ["import - --format csv --store s", "validate - --format csv"] {
            let result = try Tool.debug.shell("cat in.csv | strata \(line)", in: folder)
            #expect(result.status == 0 && result.errors.contains("1 Data record"), "\(result.errors)")
        }
    }

    @Test("--model ./reference names a file or directory and not the reference model")
    func file() throws {
        let model = #"{"resources": [{"name": "tags", "path": "tags.csv", "schema": {"fields": [{"name": "tag"}]}}]}"#
        try folder.write("tag\nred\n", to: "tags.csv")
        for isDirectory in [false, true] {
            try? FileManager.default.removeItem(atPath: folder.path("reference"))
            try? FileManager.default.removeItem(atPath: folder.path("s"))
            if isDirectory { try make("reference") }
            try folder.write(model, to: isDirectory ? "reference/datapackage.json" : "reference")
            try strata("import tags.csv --model ./reference --store s").expect(status: 0)
            #expect(try strata("model names s").output == "Tags\n")
            #expect(try strata("model names ./reference").output == "Tags\n")
            #expect(try strata("generate --model ./reference --count 2").output.hasPrefix("tag\n"))
            #expect(try strata("model names reference").output == "Color\nBoss\nEmployee\nItem\n")
            try strata("import tags.csv --model reference --store t").expect(status: 64)
        }
    }

    @Test("generate without a model lists the choices and creates nothing")
    func generate() throws {
        try folder.write("id,tag\n1,red\n", to: "tags.csv")
        try strata("import tags.csv --store own -q").expect(status: 0)
        try strata("generate --model own --count 2 -o made -q").expect(status: 0)
        let files = try folder.files
        for options in ["", "--describe", "--count 3 -o new", "--store new", "--entity Color", "--check made"] {
            let result = try strata("generate \(options)")
            #expect(
                result.errors
                    == "strata: generate requires a model; name a model file, a data package or its directory, a "
                    + "store, "
                    + "or reference with --model MODEL\nRun 'strata help generate' for usage.\n")
            result.expect(status: 64)
            #expect(result.output == "")
        }
        #expect(try folder.files == files)
        // An existing store has a model.
        try strata("generate --count 2 --store own").expect(status: 65)
        try strata("generate --model own --check made").expect(status: 0)
    }

    @Test("a check of fixtures finds the reference model by the hashes in the manifest")
    func check() throws {
        try strata("generate --model reference --count Boss=2 -o made -q").expect(status: 0)
        try strata("generate --check made").expect(status: 0)
        let manifest = try folder.text("made/manifest.json")
        let hash = try #require(manifest.split(separator: "modelHash\": \"").last?.prefix(16))
        try folder.write(manifest.replacing(hash, with: "0123456789abcdef"), to: "made/manifest.json")
        try strata("generate --check made").expect(status: 64)
    }

    @Test(
        "an import of an exported directory uses the separator and null text of its manifest",
        arguments: ["", "/manifest.json"])
    func exported(end: String) throws {
        try folder.write("code,label\na,\nb,x\n", to: "kinds.csv")
        try folder.write("n,kind_code\n1,b\n2,a\n", to: "things.csv")
        try strata("import kinds.csv things.csv --store s -q").expect(status: 0)
        let export = "export --all --delimiter ; --null NULL --quiet"
        try strata("\(export) --store s --output a").expect(status: 0)
        try folder.write("x\n1\n", to: "a/others.csv")
        let imported = try strata("import a\(end) --store t")
        imported.expect(status: 0)
        #expect(try strata("model names t").output == "Kinds\nThings\n")
        #expect(try strata("show --entity things --store t --where kind.label=null").output.contains("2  a"))
        try strata("\(export) --store t --output b").expect(status: 0)
        #expect(try Tool.debug.shell("rm a/others.csv; diff -r a b", in: folder).output == "")
        let validated = try strata("validate a\(end) -q")
        #expect(validated.status == 0 && validated.errors == "", "\(validated.errors)")
    }

    static let readers = [
        "show --entity x", "export --entity x", "export --all --output out", "update --entity x --set a=1 --all",
        "delete --entity x --all", "check", "check --repair", "info", "report", "copy --to new", "metadata",
        "metadata --set a=b", "metadata --get a", "destroy", "migrate --model reference", "validate in.csv --entity x",
        "validate in.csv",
    ]

    @Test(
        "a command that reads a missing store reports that there is no store and exits 66", arguments: readers,
        [false, true])
    func missing(line: String, namesModel: Bool) throws {
        let takesModel = !line.hasPrefix("destroy") && !line.hasPrefix("migrate")
        try folder.write("id\n1\n", to: "in.csv")
        for store in ["none", "none.stxml", "no/folder"] {
            let result = try strata("\(line) --store \(store)" + (namesModel && takesModel ? " --model reference" : ""))
            result.expect(status: 66)
            #expect(result.errors.hasSuffix("/\(store): there is no store\n"), "\(result.errors)")
            #expect(result.output == "")
        }
        #expect(try folder.files == ["in.csv"])
    }

    @Test("no help text assumes the entities of the reference model")
    func help() {
        for command in Strata.program.commands {
            let options = command.options.flatMap { [$0.help, $0.details] }
            let positionals = command.positionals.flatMap { [$0.help, $0.details] }
            for text in options + positionals + [command.summary] {
                #expect(!["Color", "Boss", "Employee"].contains { text.contains($0) }, "\(command.name): \(text)")
            }
        }
    }
}
