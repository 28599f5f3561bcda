import Foundation
import Testing

@testable import strata

/// Custom models: `--model`, and the command that shows and checks them.
@Suite("Custom models")
struct ModelTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    private static let model = """
        {"resources": [
            {"name": "people", "path": "people.csv", "schema": {
                "fields": [{"name": "no.", "type": "integer"},
                           {"name": "full name", "type": "string", "constraints": {"required": true, "maxLength": 8}},
                           {"name": "boss", "type": "integer"}],
                "primaryKey": ["no."],
                "foreignKeys": [{"fields": ["boss"], "reference": {"fields": ["no."]}, "strata:inverse": "staff"}]}}
        ]}
        """
    private static let people = "no.,full name,boss\n1,Ada,\n2,\"Bo, Jr\",1\n"

    init() throws {
        try folder.write(Self.model, to: "model.json")
        try folder.write(Self.people, to: "people.csv")
    }

    private func makeStore() throws {
        let result = try strata("import", "people.csv", "--model", "model.json", "--store", "s")
        result.expect(status: 0)
    }

    @Test("every command works on a store of any model without a model file")
    func commands() throws {
        try makeStore()
        try FileManager.default.removeItem(atPath: folder.path("model.json"))
        #expect(try strata("export", "--entity", "people", "--store", "s").output == Self.people)
        #expect(
            try strata("show", "--entity", "people", "--store", "s", "--where", "boss.fullName = 'Ada'").output
                .contains("Bo, Jr"))
        #expect(
            try strata("update", "--entity", "people", "--store", "s", "--set", "fullName = 'Eve'", "--where", "id = 2")
                .status == 0)
        #expect(try strata("export", "--entity", "People", "--store", "s").output.hasSuffix("2,Eve,1\n"))
        #expect(try strata("check", "--store", "s").output == "ok\n")
        #expect(try strata("info", "--store", "s").output.contains("People     2"))
        #expect(try strata("report", "--store", "s").output.contains("People"))
        try strata("export", "--all", "--store", "s", "--output", "all").expect(status: 0)
        try strata("import", "all", "--model", "s", "--store", "t").expect(status: 0)
        #expect(try strata("export", "--entity", "people", "--store", "t").output.hasSuffix("2,Eve,1\n"))
        try strata("delete", "--entity", "people", "--store", "s", "--where", "id = 2").expect(status: 0)
        try strata("import", "people.csv", "--store", "s", "--on-conflict", "ignore", "--dry-run").expect(status: 0)
    }

    @Test("validate without a store reports an invalid record with the file, the line and the file's column name")
    func badRecord() throws {
        try folder.write("no.,full name,boss\n1,Adalbertine,\n", to: "people.csv")
        let result = try strata("validate", "people.csv", "--model", "model.json")
        result.expect(status: 65)
        #expect(
            result.errors.hasPrefix("people.csv:2: record 1, column full name: \"Adalbertine\" is longer than 8"),
            "\(result.errors)")
    }

    @Test("--like exports with the delimiter, quotes, line ends and byte order mark of another file")
    func like() throws {
        try makeStore()
        for file in [
            "no.;full name;boss\r\n1;Ada;\r\n2;Bo, Jr;1\r\n",
            "\"no.\",\"full name\",\"boss\"\n\"1\",\"Ada\",\n\"2\",\"Bo, Jr\",\"1\"\n",
            "\u{FEFF}no.\tfull name\tboss\n1\tAda\t\n2\tBo, Jr\t1\n", Self.people,
            "no.|full name|boss\r1|Ada|\r2|Bo, Jr|1\r",
        ] {
            try folder.write(file, to: "other.csv")
            let result = try strata("export", "--entity", "people", "--store", "s", "--like", "other.csv")
            #expect(Array(result.output.utf8) == Array(file.utf8), "\(result.errors)")
        }
        let beside = try strata(
            "export", "--entity", "people", "--store", "s", "--like", "other.csv", "--delimiter", ";", "--line-ending",
            "lf")
        #expect(beside.output.hasPrefix("no.;full name;boss\n"))
        #expect(
            try strata("export", "--entity", "people", "--store", "s", "--like", "other.csv", "--format", "json").status
                == 64)
        try strata("export", "--entity", "people", "--store", "s", "--like", "gone.csv").expect(status: 66)
    }

    @Test("if the model declares no scale for a number, the store's model gets the scale of the imported data")
    func openNumbers() throws {
        let model = """
            {"resources": [{"name": "m", "path": "m.csv", "schema": {"fields": [
                {"name": "a", "type": "number"}, {"name": "b", "type": "number"}]}}]}
            """
        try folder.write(model, to: "numbers.json")
        try folder.write("a,b\n1.25,12345678901234567890.5\n-3.00,1\n", to: "m.csv")
        try strata("validate", "m.csv", "--model", "numbers.json").expect(status: 0)
        try strata("import", "m.csv", "--model", "numbers.json", "--store", "n").expect(status: 0)
        #expect(
            try strata("export", "--entity", "m", "--store", "n").output.hasPrefix("a,b\n1.25,12345678901234567890.5\n")
        )
        let shown = try strata("model", "show", "n").output
        #expect(shown.contains("optional decimal(2)") && shown.contains("optional string, domain number"), "\(shown)")
        // A greater scale than the store's is now an error with the same model file.
        try folder.write("a,b\n1.125,1\n", to: "m.csv")
        let refused = try strata("import", "m.csv", "--model", "numbers.json", "--store", "n")
        #expect(refused.status == 65 && refused.errors.contains("m.csv:2: record 1, column a"), "\(refused.errors)")
        let piped = try Tool.debug.run(
            ["import", "-", "--entity", "m", "--format", "csv", "--model", "numbers.json", "--store", "p"], in: folder,
            input: "a,b\n1,2\n")
        #expect(piped.status == 64 && piped.errors.contains("standard input cannot be read twice"), "\(piped.errors)")
    }

    @Test("an import with another model than that of the store changes nothing and reports every difference")
    func otherModel() throws {
        try makeStore()
        try folder.write(Self.model.replacing("\"maxLength\": 8", with: "\"maxLength\": 9"), to: "other.json")
        let result = try strata("import", "people.csv", "--model", "other.json", "--store", "s")
        result.expect(status: 65)
        #expect(
            result.errors == """
                s: the store was created with another model than --model; nothing was changed:
                  People.fullName is string, maximum length 8 in the store, string, maximum length 9 in the model

                """)
        #expect(
            try strata("import", "people.csv", "--model", "model.json", "--store", "s", "--on-conflict", "ignore")
                .status == 0)
    }

    @Test("model show prints a model file that is equal to the store's model")
    func shown() throws {
        try makeStore()
        let shown = try strata("model", "show", "s", "--format", "json").output
        try folder.write(shown, to: "shown.json")
        let same = try strata("model", "diff", "model.json", "shown.json")
        #expect(same.status == 0 && same.output.isEmpty)
        #expect(try strata("model", "check", "shown.json", "--strict").output == "shown.json: ok\n")
        #expect(try strata("model", "show", "shown.json", "--format", "json").output == shown)
        #expect(
            try strata("model", "show", "s", "--format", "mermaid").output.contains("People }o--o| People : boss"))
        #expect(try strata("model", "sql", "s").output.contains("CREATE TABLE \"People\""))
    }

    @Test("model diff prints the differences between two models and exits 1")
    func differences() throws {
        try folder.write(Self.model.replacing("full name", with: "name in full"), to: "other.json")
        let result = try strata("model", "diff", "model.json", "other.json")
        result.expect(status: 1)
        #expect(result.output.contains("the entity") || result.output.contains("People.fullName is in the old model"))
        let json = try strata("model", "diff", "model.json", "other.json", "--format", "json")
        #expect(json.status == 1 && json.output.contains("\"differences\""))
    }

    @Test("an invalid model file creates nothing, and the error has its location")
    func wrong() throws {
        try folder.write(
            Self.model.replacing("\"boss\", \"type\": \"integer\"", with: "\"boss\", \"type\": \"intger\""),
            to: "bad.json")
        let result = try strata("import", "people.csv", "--model", "bad.json", "--store", "new")
        result.expect(status: 65)
        #expect(
            result.errors
                == "bad.json: /resources/0/schema/fields/2/type: the standard has no type “intger”; did you mean integer?\n"
        )
        #expect(try !folder.files.contains("new"))
        let check = try strata("model", "check", "bad.json")
        check.expect(status: 65)
        #expect(check.output.hasPrefix("bad.json: error: /resources/0/schema/fields/2/type: "))
        let json = try strata("model", "check", "bad.json", "--format", "json")
        json.expect(status: 65)
        #expect(json.output.contains("\"pointer\" : \"/resources/0/schema/fields/2/type\""))
        try strata("model", "show", "nothing.json").expect(status: 66)
        #expect(try strata("model", "shw", "model.json").errors.contains("did you mean show?"))
    }

    @Test("--model reference selects the reference model")
    func reference() throws {
        let result = try strata("import", "people.csv", "--store", "own")
        #expect(result.status == 0 && result.errors.contains("no model was given: the model is inferred"))
        #expect(try strata("model", "names", "own").output == "People\n")
        #expect(try strata("model", "show", "reference").output.hasPrefix("Color\n"))
        try folder.write("id,firstName,lastName\n1,Ada,Lace\n", to: "bosses.csv")
        try strata("import", "bosses.csv", "--store", "new", "--model", "reference").expect(status: 0)
        try strata("model", "diff", "new", "reference").expect(status: 0)
    }

    @Test("model names prints the names of entities, or of an entity's properties, one per line")
    func names() throws {
        #expect(try strata("model", "names", "model.json").output == "People\n")
        #expect(
            try strata("model", "names", "model.json", "--entity", "people").output == "id\nfullName\nboss\nstaff\n")
        #expect(try strata("model", "names", "model.json", "--entity", "peple").errors.contains("did you mean People?"))
        try strata("model", "show", "model.json", "--entity", "people").expect(status: 64)
    }

    @Test("the commands of the guide for new users work verbatim")
    func guide() throws {
        for (name, lines) in [("people.csv", ModelGuide.people), ("books.csv", ModelGuide.books)] {
            try folder.write(lines.dropFirst().map { $0.dropFirst(2) + "\n" }.joined(), to: name)
        }
        try folder.write(ModelGuide.model.joined(separator: "\n"), to: "library.json")
        let commands = ModelGuide.guide.blocks.compactMap { block -> [String]? in
            guard case .lines(let lines) = block, lines.allSatisfy({ $0.hasPrefix("strata ") }) else { return nil }
            return lines
        }.joined()
        #expect(commands.count == 5)
        for command in commands {
            let result = try Tool.debug.shell(command, in: folder)
            #expect(result.status == 0, "\(command): \(result.errors)")
            if command.contains(" show ") { #expect(result.output.contains("Neuromancer")) }
        }
        let copy = try String(contentsOfFile: folder.path("copy/books.csv"), encoding: .utf8)
        #expect(copy == ModelGuide.books.dropFirst().map { $0.dropFirst(2) + "\n" }.joined())
        #expect(try strata("help", "model").output.contains("A model of your own:"))
    }

    @Test("a schema file in the model file's directory is read, and a link to a file outside is rejected")
    func schemaFiles() throws {
        let schema = #"{"fields": [{"name": "a"}]}"#
        for folder in ["package/schemas", "outside"] {
            try FileManager.default.createDirectory(
                atPath: self.folder.path(folder), withIntermediateDirectories: true)
        }
        try folder.write(schema, to: "package/schemas/t.json")
        try folder.write(schema, to: "outside/t.json")
        try folder.write(
            #"{"resources": [{"name": "t", "path": "t.csv", "schema": "schemas/t.json"}]}"#,
            to: "package/datapackage.json")
        #expect(try strata("model", "names", "package", "--entity", "T").output == "a\n_row\n")
        try folder.write("a\n1\n", to: "t.csv")
        try strata("import", "t.csv", "--model", "package", "--store", "own").expect(status: 0)
        #expect(try strata("export", "--entity", "t", "--store", "own").output == "a\n1\n")
        try FileManager.default.removeItem(atPath: folder.path("package/schemas"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("package/schemas"), withDestinationPath: folder.path("outside"))
        let linked = try strata("model", "check", "package")
        linked.expect(status: 65)
        #expect(linked.output.contains("a link points outside the model file's directory"), "\(linked.output)")
    }
}
