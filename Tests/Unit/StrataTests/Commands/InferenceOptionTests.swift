import Foundation
import Testing

/// Options that apply while the model is inferred from the data.
@Suite("Options of imports without a model")
struct InferenceOptionTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    /// A dataset, the options of its import, the expected model and the expected export.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let text: String
        let options: String
        let types: [String]
        let exported: String
        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "days with two-digit years", file: "d.csv", text: "n,on\na,31/12/99\nb,01/02/98\n",
            options: "--date-format %d/%m/%y", types: ["on  day"], exported: "n,on\na,31/12/99\nb,01/02/98\n"),
        Case(
            name: "an ambiguous day with a date format", file: "d.csv", text: "n,on\na,01/02/2024\nb,03/04/2024\n",
            options: "--date-format on=%m/%d/%Y", types: ["on  day"], exported: "n,on\na,01/02/2024\nb,03/04/2024\n"),
        Case(
            name: "days without leading zeros", file: "d.csv", text: "n,on\na,1/5/2024\nb,12/10/2024\n",
            options: "--date-format %m/%d/%Y", types: ["on  day"], exported: "n,on\na,1/5/2024\nb,12/10/2024\n"),
        Case(
            name: "a column of ISO days next to a column with a date format", file: "d.csv",
            text: "iso,on\n2024-01-02,01/02/2024\n2024-03-04,03/04/2024\n", options: "--date-format %d/%m/%Y",
            types: ["iso  day", "on   day"], exported: "iso,on\n2024-01-02,01/02/2024\n2024-03-04,03/04/2024\n"),
        Case(
            name: "whole numbers with group separators", file: "d.csv", text: "n;v\na;1.234\nb;12.345\n",
            options: "--decimal , --group .", types: ["v  integer64"], exported: "n,v\na,1.234\nb,12.345\n"),
        Case(
            name: "a decimal sign for one column", file: "d.csv", text: "n;v\na;1,5\nb;2,5\n", options: "--decimal v=,",
            types: ["v  decimal(1)"], exported: "n,v\na,\"1,5\"\nb,\"2,5\"\n"),
        Case(
            name: "words for true and false", file: "d.csv", text: "n,ok\na,si\nb,non\n",
            options: "--true si --false non", types: ["ok  boolean"], exported: "n,ok\na,si\nb,non\n"),
        Case(
            name: "a text for null", file: "d.csv", text: "n,v\na,1\nb,?\n", options: "--null '?'",
            types: ["v  optional integer64"], exported: "n,v\na,1\nb,?\n"),
        Case(
            name: "an omitted column", file: "d.csv", text: "id,name,secret\n1,Ann,x\n", options: "--map secret=-",
            types: ["name  string"], exported: "id,name\n1,Ann\n"),
        Case(
            name: "a renamed column", file: "d.csv", text: "id,Preis (EUR)\n1,1.50\n",
            options: "--map 'Preis (EUR)=price'", types: ["price  decimal(2)"], exported: "id,price\n1,1.50\n"),
        Case(
            name: "a column with a given type", file: "d.csv", text: "id,zip\n1,12345\n", options: "--type d.zip=text",
            types: ["zip  string"], exported: "id,zip\n1,12345\n"),
        Case(
            name: "a column as key", file: "d.csv", text: "email,n\na@x,1\nb@x,2\n", options: "--key d.email",
            types: ["email  string, unique"], exported: "email,n\na@x,1\nb@x,2\n"),
        Case(
            name: "the keys of a document as a column", file: "d.json", text: #"{"u1":{"n":"a"},"u2":{"n":"b"}}"#,
            options: "--key-as login", types: ["login  string, unique"], exported: "login,n\nu1,a\nu2,b\n"),
        Case(
            name: "the keys and values of a document as columns", file: "d.json",
            text: ##"{"red":"#f00","blue":"#00f"}"##,
            options: "--key-as name --value-as hex", types: ["hex   string"],
            exported: "name,hex\nred,#f00\nblue,#00f\n"),
        Case(
            name: "a root path and a path into an object", file: "d.json",
            text: #"{"data":{"rows":[{"id":1,"at":{"city":"X"}},{"id":2,"at":null}]}}"#,
            options: "--root data.rows --map at.city=city", types: ["city  optional string"],
            exported: "id,city\n1,X\n2,\n"),
        Case(
            name: "a root path of a flattened document", file: "d.json", text: #"{"rows":[{"id":1,"tags":["x","y"]}]}"#,
            options: "--root rows --flatten", types: ["D_tags"], exported: "id\n1\n"),
        Case(
            name: "the keys of a flattened document as a column", file: "d.json",
            text: #"{"a":{"tags":["x"]},"b":{"tags":[]}}"#,
            options: "--key-as login --flatten", types: ["D_tags", "login   string, unique"],
            exported: "login\na\nb\n"),
    ]

    @Test("an import applies each option before it infers the model, for each kind of store", arguments: cases)
    func option(_ value: Case) throws {
        try folder.write(value.text, to: value.file)
        for store in ["s.sqlite", "s.xml", "s.bin"] {
            let imported = try run("import \(value.file) --store \(store) \(value.options)")
            imported.expect(status: 0)
            let model = try run("model show \(store)").output
            for type in value.types { #expect(model.contains(type), "\(store): \(model)") }
            let exported = try run("export --entity d --store \(store)")
            #expect(exported.output == value.exported, "\(store): \(exported.errors)")
        }
        try run("validate \(value.file) \(value.options)").expect(status: 0)
    }

    @Test("the printed command for changing the inferred model works verbatim")
    func printedCommand() throws {
        for value in Self.cases {
            try folder.write(value.text, to: value.file)
            let imported = try run("import \(value.file) --store s.sqlite \(value.options)")
            let line = try #require(imported.errors.split(separator: "\n").first { $0.hasPrefix("to change it: ") })
            let command = line.dropFirst("to change it: ".count).prefix { $0 != "\n" }
            let words = try #require(String(command).components(separatedBy: ", and import").first)
            let inferred = try Tool.debug.shell(words, in: folder)
            #expect(inferred.status == 0, "\(words): \(inferred.errors)")
            let again = try run("import \(value.file) --model model.json --store t.sqlite \(Self.options(value))")
            #expect(again.status == 0, "\(value.name): \(again.errors)")
            for file in ["s.sqlite", "t.sqlite", "model.json"] {
                try? FileManager.default.removeItem(atPath: folder.path(file))
            }
        }
    }

    /// Returns the options that an import with the written model also needs; the model contains the others.
    private static func options(_ value: Case) -> String {
        ["--map", "--key-as", "--root", "--flatten"].contains { value.options.contains($0) } ? value.options : ""
    }

    @Test("each option that a report recommends works verbatim")
    func recommendations() throws {
        for (text, option) in [
            ("email,n\na@x,1\nb@x,2\n", "--key m.email"), ("on\n01/02/2024\n03/04/2024\n", "--date-format on=%d/%m/%Y"),
            ("n\n1\nNA\n2\n", "--null 'NA'"), ("n\n1\n?\n2\n", "--null '?'"),
            ("d\n01.02.2024\n31.12.2023\nsoon\n", "--type m.d=day:%d.%m.%Y with --on-error reject"),
            (
                "d\n2011-12-13 23:43:52\n2011-12-14 23:43:52\nsoon\n",
                "--type 'm.d=date:%Y-%m-%d %H:%M:%S' with --on-error reject"
            ),
        ] {
            try folder.write(text, to: "m.csv")
            let imported = try run("import m.csv --store s.sqlite")
            imported.expect(status: 0)
            #expect(imported.errors.contains(option), "\(imported.errors)")
            let words = option.replacing(" with ", with: " ")
            let again = try run("import m.csv --store t.sqlite \(words)")
            #expect(again.status == (words.contains("reject") ? 65 : 0), "\(again.errors)")
            #expect(try run("model show t.sqlite").output != run("model show s.sqlite").output)
            for file in ["s.sqlite", "t.sqlite"] { try FileManager.default.removeItem(atPath: folder.path(file)) }
        }
    }

    @Test("a cell that does not match --type is an error, or rejects its record with --on-error reject")
    func impossibleType() throws {
        try folder.write("id,v\n1,x\n2,5\n", to: "d.csv")
        for command in ["import d.csv --store s", "model infer d.csv"] {
            let result = try run(command + " --type d.v=integer")
            #expect(result.status == 65, "\(result.errors)")
            #expect(result.errors.contains("d.csv:2: column v: \"x\" is not a whole number"), "\(result.errors)")
        }
        let rejected = try run("import d.csv --store s --type d.v=integer --on-error reject --rejects bad.csv")
        rejected.expect(status: 65)
        #expect(try run("export --entity d --store s").output == "id,v\n2,5\n")
        #expect(try folder.text("bad.csv").contains("1,x"))
    }

    @Test("unreadable records are rejected with --on-error reject")
    func rejects() throws {
        try folder.write("id,n,v\n1,a,5\n2,b\n3,c,7,8\n4,d,8\n", to: "r.csv")
        try folder.write("{\"id\":1}\n{\"id\" 2}\n{\"id\":3}\n", to: "j.ndjson")
        for (file, count) in [("r.csv", 2), ("j.ndjson", 2)] {
            let result = try run("import \(file) --store \(file).db --on-error reject --rejects \(file).bad")
            result.expect(status: 65)
            #expect(result.errors.contains("imported \(count) "), "\(result.errors)")
            #expect(FileManager.default.fileExists(atPath: folder.path("\(file).bad")))
            // Without the option nothing is stored.
            try run("import \(file) --store other.db").expect(status: 65)
            #expect(!FileManager.default.fileExists(atPath: folder.path("other.db")))
        }
    }

    @Test("--entity names the dataset of standard input")
    func standardInput() throws {
        try folder.write("id,v\n1,a\n", to: "x")
        let result = try Tool.debug.shell("cat x | strata import - --format csv --entity Staff --store s", in: folder)
        result.expect(status: 0)
        #expect(try run("export --entity Staff --store s").output == "id,v\n1,a\n")
    }

    @Test("an option for one column applies only to the files that have the column")
    func severalFiles() throws {
        try folder.write("id,secret\n1,x\n", to: "a.csv")
        try folder.write("id,on\n1,01/02/2024\n", to: "b.csv")
        try run("import a.csv b.csv --store s --map secret=- --map on=day --date-format on=%d/%m/%Y").expect(status: 0)
        #expect(try run("export --entity a --store s").output == "id\n1\n")
        #expect(try run("export --entity b --store s").output == "id,day\n1,01/02/2024\n")
        let unknown = try run("import a.csv b.csv --store t --map nothing=-")
        #expect(unknown.status == 65 && unknown.errors.contains("no column \"nothing\""), "\(unknown.errors)")
    }

    @Test("inference options are rejected if a model exists, and date formats if no column has the format")
    func usage() throws {
        try folder.write("id,v\n1,a\n", to: "a.csv")
        try run("import a.csv --store s -q").expect(status: 0)
        for (line, message) in [
            ("import a.csv --store s --type a.v=text", "--type can be used only if the model is inferred"),
            ("import a.csv --store t --model s --key a.v", "--key can be used only if the model is inferred"),
            ("import a.csv --store t --date-format %d/%m/%Y", "no column has only cells in the format %d/%m/%Y"),
            ("import a.csv --store t --as x --entity y", "specify only one of them"),
            ("import a.csv --store t --source-column f", "--source-column requires --as"),
        ] {
            let result = try run(line)
            #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
        }
    }

    @Test("--on-conflict without a key of the dataset is rejected", arguments: ["ignore", "update", "replace"])
    func withoutKey(action: String) throws {
        try folder.write("name,v\nx,1\nx,2\n", to: "m.csv")
        let new = try run("import m.csv --store s --on-conflict \(action)")
        #expect(new.status == 64 && new.errors.contains("--key m.name"), "\(new.errors)")
        try folder.write("name,v\nx,1\ny,2\n", to: "m.csv")
        try run("import m.csv --store s -q").expect(status: 0)
        let stored = try run("import m.csv --store s --on-conflict \(action)")
        #expect(stored.status == 64, "\(stored.errors)")
        let remedy = "strata migrate --store s --unique m.name"
        #expect(stored.errors.contains(remedy), "\(stored.errors)")
        try Tool.debug.shell(remedy, in: folder).expect(status: 0)
        try run("import m.csv --store s --on-conflict \(action)").expect(status: 0)
        #expect(try run("export --entity m --store s").output == "name,v\nx,1\ny,2\n")
    }

    @Test("--map applies to keys that only late records of a document contain")
    func lateKeys() throws {
        let records = (1...200).map { "{\"id\":\($0)\($0 > 150 ? ",\"secret\":\"s\",\"opt\":\"o\"" : "")}\n" }
        try folder.write(records.joined(), to: "a.ndjson")
        try folder.write("{\"id\":900,\"secret\":\"x\"}\n", to: "b.ndjson")
        try run("import a.ndjson b.ndjson --as U --map secret=- --map opt=note --store s -q").expect(status: 0)
        let exported = try run("export --entity U --store s").output
        #expect(exported.hasPrefix("id,note\n1,\n") && exported.contains("\n200,o\n"))
    }

    @Test("--map renames and omits columns of a flattened document", arguments: ["n=name", "n=-", "sku=code", "sku=-"])
    func flattenedMapping(option: String) throws {
        try folder.write(#"[{"id":1,"n":"a","items":[{"sku":"x","q":1}]}]"#, to: "o.json")
        try run("import o.json --flatten --map \(option) --store s -q").expect(status: 0)
        let (column, name) = (option.prefix { $0 != "=" }, option.drop { $0 != "=" }.dropFirst())
        let headers = try ["o", "o_items"].map {
            try run("export --entity \($0) --store s").output.prefix { $0 != "\n" }.split(separator: ",")
        }
        #expect(!headers.joined().contains(column))
        #expect(name == "-" || headers.joined().contains(name))
    }

    @Test(
        "the number format determines whether a point groups digits or separates decimals",
        arguments: [
            ("v\n1.234\n12.345\n", "--group .", "v  integer64", "v\n1.234\n12.345\n"),
            ("v\n1.50\n2.345\n", "--type d.v=decimal", "v  decimal(3)", "v\n1.500\n2.345\n"),
            (
                "v;w\n1,50;1\n2,345;2\n", "--type d.v=decimal --decimal ,", "v  decimal(3)",
                "v,w\n\"1,500\",1\n\"2,345\",2\n"
            ),
        ])
    func numbers(_ text: String, _ options: String, _ type: String, _ exported: String) throws {
        try folder.write(text, to: "d.csv")
        try run("import d.csv --store s \(options) -q").expect(status: 0)
        #expect(try run("model show s").output.contains(type))
        #expect(try run("export --entity d --store s").output == exported)
    }

    @Test("a date format for one column does not affect other columns, and an import can resume with it")
    func formats() throws {
        try folder.write("a,b\n01/02/2024,01/02/2024\n", to: "d.csv")
        for options in [
            "--date-format %d/%m/%Y --date-format b=%m/%d/%Y", "--date-format b=%m/%d/%Y --date-format %d/%m/%Y",
        ] {
            let result = try run("import d.csv --store s \(options)")
            #expect(result.errors.contains("a: day (%d/%m/%Y)\n  b: day (%m/%d/%Y)"), "\(result.errors)")
            try FileManager.default.removeItem(atPath: folder.path("s"))
        }
        let options =
            "--store r --date-format a=%d/%m/%Y --date-format b=%m/%d/%Y --type d.a=day:%d/%m/%Y --commit-every 1"
        try run("import d.csv \(options) -q").expect(status: 0)
        let resumed = try run("import d.csv \(options) --resume")
        #expect(
            resumed.status == 0 && resumed.errors.contains("after 1 that an earlier run imported"),
            "\(resumed.errors)")
    }

    @Test(
        "an option that applies to no column or cell is rejected",
        arguments: ["--decimal typo=,", "--group typo=.", "--true ja --false nein", "--map typo=x", "--map typo=-"])
    func unusedOptions(option: String) throws {
        try folder.write("v\n1\n2\n", to: "d.csv")
        for command in ["import d.csv --store s", "validate d.csv"] {
            let result = try run("\(command) \(option)")
            #expect([64, 65].contains(result.status), "\(command): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("s")))
        try folder.write("v\n1\n", to: "e.csv")
        try run("import e.csv --store s -q").expect(status: 0)
        let known = try run("import e.csv --store s --infer --type e.v=text")
        #expect(known.status == 64 && known.errors.contains("the store already has e.v"), "\(known.errors)")
    }

    @Test("an import reads strings of a document as numbers and booleans in the given format")
    func spelledStrings() throws {
        try folder.write("{\"ok\":\"ja\",\"v\":\"1,5\"}\n{\"ok\":\"nein\",\"v\":\"2,5\"}\n", to: "d.ndjson")
        try run("import d.ndjson --true ja --false nein --decimal , --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "ok,v\nja,\"1,5\"\nnein,\"2,5\"\n")
    }
}
