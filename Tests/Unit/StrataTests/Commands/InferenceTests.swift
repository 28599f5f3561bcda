import Foundation
import StrataInterchange
import Testing

@testable import strata

/// Data without a model: `strata model infer`, and imports that infer the model.
@Suite("Inferred models")
struct InferenceTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    /// Ten columns in typical manual spelling that no model defines.
    private static let customers = #"""
        Kd-Nr,Name,Geb.,Umsatz (EUR),PLZ,aktiv,Telefon,seit,Faktor,Ort
        7,Anna,01.02.1990,"1.234,50",01067,ja,+49 351 1,2020-01-31,1.5,Dresden
        9,Bert,28.12.1971,"0,75",10115,nein,+49 30 2,2021-02-28,2.25,Berlin
        12,"Carl ""C""",,"12,00",,ja,,1999-12-31,3,

        """#

    @Test("five commands import, show, export, report and generate a table without a model")
    func fiveCommands() throws {
        try folder.write(Self.customers, to: "customers.csv")
        let imported = try strata("import", "customers.csv", "--store", "c.sqlite")
        imported.expect(status: 0)
        #expect(
            imported.errors.contains(
                "no model was given: the model is inferred from the data and stored in the "
                    + "store"))
        #expect(imported.errors.contains("PLZ: text, not integer: line 2 \"01067\" would be written as 1067"))
        let shown = try strata("show", "--entity", "customers", "--store", "c.sqlite", "--where", "UmsatzEUR > 100")
        #expect(shown.output.contains("Anna") && !shown.output.contains("Bert"), "\(shown.errors)")
        #expect(try strata("export", "--entity", "customers", "--store", "c.sqlite").output == Self.customers)
        #expect(try strata("report", "--store", "c.sqlite").output.contains("Dresden"))
        let made = try strata("generate", "--model", "c.sqlite", "--count", "Customers=50", "--output", "made")
        made.expect(status: 0)
        #expect(try strata("check", "--store", "c.sqlite").output == "ok\n")
    }

    @Test("references between several files of a directory are inferred")
    func severalFiles() throws {
        try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: true)
        try folder.write("code,name\nde,Germany\nfr,France\n", to: "data/countries.csv")
        try folder.write("id,name,country_code\n1,Anna,fr\n2,Bert,\n", to: "data/people.csv")
        for arguments in [["data"], ["data/people.csv", "data/countries.csv"]] {
            let store = "s\(arguments.count).sqlite"
            let result = try Tool.debug.run(["import"] + arguments + ["--store", store], in: folder)
            result.expect(status: 0)
            #expect(
                result.errors.contains(
                    "country_code refers to countries.code: all 1 values are there, and its name is that of countries"))
            let shown = try strata(
                "show", "--entity", "people", "--store", store, "--where", "country.name = 'France'")
            #expect(shown.output.contains("Anna"), "\(shown.errors)")
        }
    }

    @Test(
        "a file that is named like no entity is rejected, and the error names the entity with most of its columns",
        arguments: [
            ("more.csv", "iata,city\nMUC,Munich\n", "all 2 columns match the entity Airports: use --entity Airports"),
            (
                "more.csv", "iata,town,country_code\nMUC,M,de\n",
                "2 of its 3 columns match the entity Airports: use --entity Airports"
            ),
            (
                "more.tsv", "code\tname\nit\tItaly\n",
                "all 2 columns match the entity Countries: use --entity Countries"
            ),
            ("more.ndjson", "{\"code\":\"it\"}\n", "all 1 keys match the entity Countries: use --entity Countries"),
            ("more.csv", "x,y\n1,2\n", "not known; use --entity NAME (the store has Countries, Airports)"),
        ])
    func nearestEntity(file: String, text: String, advice: String) throws {
        try folder.write("code,name\nde,Germany\nfr,France\n", to: "countries.csv")
        try folder.write("iata,city,country_code\nBER,Berlin,de\n", to: "airports.csv")
        try strata("import", "countries.csv", "airports.csv", "--store", "s.sqlite").expect(status: 0)
        try folder.write(text, to: file)
        let refused = try strata("import", file, "--store", "s.sqlite")
        #expect(refused.status == 64 && refused.errors.contains(advice), "\(refused.errors)")
        #expect(refused.errors.contains("import data of another kind into a new store"))
    }

    @Test("a store of the reference model imports files named after its entities, and rejects other files")
    func others() throws {
        try folder.write("name,hex\nRed,#FF0000\n", to: "colors.csv")
        try strata("import", "colors.csv", "--model", "reference", "--store", "r.sqlite").expect(status: 0)
        #expect(try strata("info", "--store", "r.sqlite").output.contains("Employee"))
        try strata("import", "colors.csv", "--store", "r.sqlite").expect(status: 0)
        try folder.write("a,b\n1,2\n", to: "others.csv")
        let refused = try strata("import", "others.csv", "--store", "r.sqlite")
        refused.expect(status: 64)
        #expect(refused.errors.contains("\"others.csv\" is not the name of an entity"))
        #expect(refused.errors.contains("(the store has Color, Boss, Employee, Item)"))
    }

    @Test("an import of an invalid file creates no store, and the error has its location")
    func failures() throws {
        for (text, message) in [
            ("a,b\n1\n", "own.csv:2"),
            ("a,b\n\"1,2\n", "own.csv:2"),
        ] {
            try folder.write(text, to: "own.csv")
            let result = try strata("import", "own.csv", "--store", "f.sqlite")
            #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("f.sqlite")))
        }
        try folder.write("a,b\n1,2\n", to: "own.csv")
        try folder.write("a\tb\n1\t2\n", to: "own.tsv")
        let twice = try strata("model", "infer", "own.csv", "own.tsv")
        #expect(twice.status == 64 && twice.errors.contains("own.csv and own.tsv would both have the name own"))
        let format = try strata("model", "infer", "own.csv", "--type", "own.a=day:%Q")
        #expect(format.status == 64 && format.errors.contains("%Q is unknown"), "\(format.errors)")
        try folder.write("{\"a\":1}\n{\"a\":\"x\"}\n", to: "mixed.ndjson")
        let mixed = try strata("import", "mixed.ndjson", "--store", "m.sqlite")
        #expect(mixed.status == 65 && mixed.errors.contains("of mixed kinds: 1 numbers, 1 strings"), "\(mixed.errors)")
        let taken = try strata("import", "-q", "mixed.ndjson", "--store", "m.sqlite", "--numbers-as-text")
        taken.expect(status: 0)
        let piped = try Tool.debug.shell("cat own.csv | strata import /dev/stdin --store p.sqlite", in: folder)
        #expect(piped.status == 64 && piped.errors.contains("cannot be read twice"), "\(piped.errors)")
    }

    @Test("model infer writes a model that is valid without a warning, and a JSON report")
    func command() throws {
        try folder.write("zip,n\n12345,1\n00501,2\n", to: "places.csv")
        let result = try strata("model", "infer", "places.csv", "--output", "m.json", "--report", "r.json")
        #expect(result.status == 0 && result.output.isEmpty, "\(result.errors)")
        try strata("model", "check", "m.json", "--strict").expect(status: 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("r.json")))
        let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let entities = try #require(report["entities"] as? [[String: Any]])
        let columns = try #require(entities[0]["columns"] as? [[String: Any]])
        let refused = try #require(columns[0]["refused"] as? [[String: Any]])
        #expect(entities[0]["records"] as? Int == 2 && columns[0]["type"] as? String == "text")
        #expect(refused.contains { $0["type"] as? String == "integer" && $0["written"] as? String == "501" })
        let forced = try strata("model", "infer", "-q", "places.csv", "--type", "places.n=text", "--key", "places.zip")
        #expect(forced.status == 0 && forced.errors.isEmpty)
        #expect(
            forced.output.contains(
                "\"zip\", \"type\": \"string\", \"constraints\": {\"required\": true, \"unique\": true}")
                && !forced.output.contains("integer"))
        for (arguments, message) in [
            (["--key", "places.x"], "places has no column \"x\""), (["--type", "places.n=number"], "is not one of"),
            (["--key", "zip"], "is not TABLE.COLUMN"), (["--sample", "0"], "--sample"),
        ] {
            let failed = try Tool.debug.run(["model", "infer", "places.csv"] + arguments, in: folder)
            #expect(failed.status != 0 && failed.errors.contains(message), "\(failed.errors)")
        }
    }

    @Test("model infer applies the dialect options of an import")
    func dialects() throws {
        try folder.write("Of today\na, b\nkg,EUR\n1, \"x \\\" y\"\n", to: "t.csv")
        let dialect = ["--escape", "\\", "--skip-initial-space"]
        for (options, columns) in [
            (["--header-rows", "2", "--comment-rows", "3"], ["a", "b"]),
            (["--header-rows", "2,3"], ["a kg", "b EUR"]),
            (["--header-rows", "2,3", "--header-join", "_"], ["a_kg", "b_EUR"]),
        ] {
            let inferred = try Tool.debug.run(["model", "infer", "t.csv"] + dialect + options, in: folder)
            inferred.expect(status: 0)
            let lines = inferred.errors.split(separator: "\n")
            #expect(lines.prefix(3) == ["t.csv: 1 record of T", "  \(columns[0]): integer", "  \(columns[1]): text"])
            let store = "\(columns[0]).sqlite"
            let imported = try Tool.debug.run(
                ["import", "-q", "t.csv", "--store", store] + dialect + options, in: folder)
            imported.expect(status: 0)
            let exported = try strata("export", "--entity", "t", "--store", store)
            #expect(exported.output == columns.joined(separator: ",") + "\n1,\"x \"\" y\"\n")
        }
        let long = try strata("model", "infer", "t.csv", "--max-record", "2")
        #expect(long.status == 65 && long.errors.contains("--max-record"), "\(long.errors)")
    }

    @Test("an import from standard input reads the input twice to infer the model")
    func standardInput() throws {
        try folder.write(Self.customers, to: "customers.csv")
        try folder.write("[{\"n\":1,\"a\":\"x\"},{\"n\":2,\"a\":\"01\"}]\n", to: "own.json")
        for (number, line) in [
            "cat customers.csv | strata import - --format csv --store S.sqlite",
            "strata import - --format csv --store S.sqlite < customers.csv",
            "{ read line; strata import - --format csv --no-header --columns 'a,b,c,d,e,f,g,h,i,j' --store S.sqlite; } < customers.csv",
            "cat own.json | strata import - --format json --store S.sqlite",
        ].enumerated() {
            let store = "s\(number).sqlite"
            let result = try Tool.debug.shell(line.replacing("S.sqlite", with: store), in: folder)
            #expect(result.status == 0 && result.errors.contains("no model was given"), "\(result.errors)")
            let format = line.contains("json") ? "json" : "csv"
            let exported = try strata("export", "--entity", "data", "--store", store, "--format", format)
            if line.contains("--no-header") {
                let lines = Self.customers.split(separator: "\n")
                #expect(exported.output == "a,b,c,d,e,f,g,h,i,j\n" + lines.dropFirst().joined(separator: "\n") + "\n")
            } else if format == "csv" {
                #expect(exported.output == Self.customers)
            } else {
                #expect(exported.output.contains("\"01\""), "\(exported.errors)")
            }
        }
        let unknown = try Tool.debug.shell("cat own.json | strata import - --store u.sqlite", in: folder)
        #expect(unknown.status == 64 && unknown.errors.contains("standard input has no name"), "\(unknown.errors)")
        let nowhere = try Tool.debug.shell(
            "cat own.json | TMPDIR=/nonexistent strata import - --format json --store u.sqlite", in: folder)
        #expect(
            nowhere.status != 0 && nowhere.errors.contains("standard input cannot be stored for a second reading"),
            "\(nowhere.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("u.sqlite")))
    }

    @Test("standard input that exceeds the size limit for inference is rejected with the limit and advice")
    func bound() throws {
        for (count, isKept) in [(10, true), (11, false)] {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            try writing.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: count))
            try writing.close()
            defer { close(ends[0]) }
            if isKept {
                let replayed = try ReplayedInput(ends[0], bound: 10)
                for _ in 1...2 {
                    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: false)
                    #expect(try reading.readToEnd()?.count == count)
                    try replayed.rewind()
                }
            } else {
                let error = #expect(throws: InterchangeError.self) { try ReplayedInput(ends[0], bound: 10) }
                #expect(error?.message.contains("more than 10 bytes") == true)
                #expect(error?.message.contains("--model") == true)
            }
        }
    }
}
