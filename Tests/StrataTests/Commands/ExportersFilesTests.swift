import Foundation
import Testing

/// Files as programs and people leave them.
@Suite("Files as other programs write them")
struct ExportersFilesTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    @Test(
        "a line of spaces is no record",
        arguments: ["a,b\n1,2\n3,4\n   \n", "a,b\n \n1,2\n\t \n3,4", "a,b\n1,2\n  \n\n3,4\n"])
    func blankLines(text: String) throws {
        try folder.write(text, to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "a,b\n1,2\n3,4\n")
        // A quoted text, and the one column of a table, are values.
        try folder.write("a,b\n\"  \"\n", to: "e.csv")
        try run("import e.csv --store t -q").expect(status: 65)
        try folder.write("a\n  \n", to: "f.csv")
        try run("import f.csv --store t -q").expect(status: 0)
        #expect(try run("export --entity f --store t").output == "a\n\"  \"\n")
    }

    @Test(
        "a column without a name, and one that repeats a name, gets a name of its own",
        arguments: [
            ("a,b,\n1,2,\n", "a,b,column3", "column 3 has no name"),
            (",a\n1,2\n", "column1,a", "column 1 has no name"),
            ("a,a,a\n1,2,3\n", "a,a_2,a_3", "column 2 is called \"a\" again"),
            ("a,a_2,a\n1,2,3\n", "a,a_2,a_3", "column 3 is called \"a\" again"),
            (",column1,\n1,2,3\n", "column1_2,column1,column3", "column 1 has no name"),
            ("name,name,name_2,name_2\n1,2,3,4\n", "name,name_3,name_2,name_2_2", "column 4 is called"),
            ("Ä,Ä\n1,2\n", "Ä,Ä_2", "column 2 is called"),
            ("\"\",\"\"\n1,2\n", "column1,column2", "column 2 has no name"),
        ])
    func headers(_ text: String, _ header: String, _ note: String) throws {
        try folder.write(text, to: "d.csv")
        let first = try run("import d.csv --store s")
        #expect(first.status == 0 && first.errors.contains(note), "\(first.errors)")
        // The names are the same in the next file of the kind, in an export and in options.
        try run("import d.csv --store s -q").expect(status: 0)
        let record = text.split(separator: "\n")[1]
        let kept = record + "\n"
        #expect(try run("export --entity d --store s").output == "\(header)\n\(kept)\(kept)")
        let last = try #require(header.split(separator: ",").last)
        try run("import d.csv --store t -q --map '\(last)=other'").expect(status: 0)
        let report = try run("validate d.csv --report r.json --store s")
        #expect(report.status == 0, "\(report.errors)")
        #expect(try folder.text("r.json").contains(note.replacing("\"", with: "\\\"")))
    }

    @Test("a model that has no such column names the place of it")
    func unnamedColumns() throws {
        try folder.write("id,v\n1,a\n", to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        try folder.write("id,v,\n2,b,\n", to: "d.csv")
        let refused = try run("import d.csv --store s")
        #expect(refused.status == 65 && refused.errors.contains("column 3 has no name"), "\(refused.errors)")
        try run("import d.csv --store s -q --ignore-unknown-columns").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "id,v\n1,a\n2,b\n")
    }

    @Test(
        "objects behind each other are records, and so is one object",
        arguments: [
            ("{\"id\":1,\"v\":\"a\"}\n{\"id\":2,\"v\":\"b\"}\n", "id,v\n1,a\n2,b\n"),
            (" {\"id\":1}\r\n\r\n{\"id\":2,\"v\":\"b\"}", "id,v\n1,\n2,b\n"), ("{\"id\":1,\"v\":\"a\"}", "id,v\n1,a\n"),
            ("{\"id\":1,\"tags\":[\"x\",\"y\"]}\n", "id,tags\n1,\"[\"\"x\"\",\"\"y\"\"]\"\n"),
        ])
    func objects(_ text: String, _ exported: String) throws {
        try folder.write(text, to: "d.json")
        try run("import d.json --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == exported)
    }

    @Test(
        "values of several kinds under one key come back as they are",
        arguments: [
            #"{"id":1,"v":{"x":1}}|{"id":2,"v":"str"}"#, #"{"id":1,"v":[1,2]}|{"id":2,"v":7}|{"id":3,"v":null}"#,
            #"{"id":1,"v":true}|{"id":2,"v":"true"}"#, #"{"id":1,"v":1}|{"id":2,"v":"1"}"#,
            #"{"id":1,"v":[]}|{"id":2,"v":{}}|{"id":3,"v":"a\"b\\ü"}"#, #"{"id":1,"v":"2024-01-01"}|{"id":2,"v":3}"#,
            #"{"id":1,"v":1.50}|{"id":2,"v":false}"#, #"{"id":1,"v":""}|{"id":2,"v":0}"#,
            #"{"id":1,"v":{"a":[{"b":null}]}}|{"id":2,"v":-1e400}"#, #"{"id":1,"v":"[1]"}|{"id":2,"v":[1]}"#,
        ], ["s.sqlite", "s.xml", "s.bin"])
    func mixedKinds(lines: String, store: String) throws {
        let text = lines.replacing("|", with: "\n") + "\n"
        try folder.write(text, to: "d.ndjson")
        try run("import d.ndjson --store \(store) -q").expect(status: 0)
        #expect(try run("export --entity d --format ndjson --store \(store)").output == text)
        // And through a table.
        try run("export --entity d --store \(store) --output out.csv").expect(status: 0)
        try folder.write(try run("model show \(store) --format json").output, to: "m.json")
        try run("import out.csv --entity d --model m.json --store again.db -q").expect(status: 0)
        #expect(try run("export --entity d --format ndjson --store again.db").output == text)
    }

    @Test(
        "zeros with a sign come back",
        arguments: ["-0.0", "-0", "-0.00", "-0e0", "-.0", "-0.0,5.5", "5.5,-0.0", "1.50,-0.0", "1e10,-0.0", "-00.0"])
    func negativeZero(values: String) throws {
        let text = "id,v\n" + values.split(separator: ",").enumerated().map { "\($0 + 1),\($1)\n" }.joined()
        try folder.write(text, to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == text)
    }

    @Test(
        "a change of a type names the values that cannot follow",
        arguments: [
            ("integer", #""number","strata:scale":2"#, "too large for decimal(2)"),
            ("boolean", #""number","strata:scale":2"#, nil), ("integer", #""boolean""#, "other than 0 and 1"),
            ("string", #""integer""#, "a text that is no integer64"), ("integer", #""number""#, "no double is exactly"),
            ("integer\",\"strata:type\":\"integer16", #""number","strata:scale":2"#, nil),
            ("number", #""integer""#, "a fraction"), ("integer", #""string""#, nil),
        ] as [(String, String, String?)])
    func typeChanges(_ old: String, _ new: String, _ exceptions: String?) throws {
        func model(_ type: String) -> String {
            #"{"resources":[{"name":"t","path":"t.csv","schema":{"fields":[{"name":"v","type":"# + type + "}]}}]}"
        }
        try folder.write(model("\"\(old)\""), to: "a.json")
        try folder.write(model(new), to: "b.json")
        let difference = try run("model diff a.json b.json")
        #expect(!difference.output.contains("a integer") && !difference.output.contains("is none"))
        guard let exceptions else {
            return #expect(!difference.output.contains("cannot follow"), "\(difference.output)")
        }
        #expect(
            difference.output.contains("rows with") && difference.output.contains(exceptions), "\(difference.output)")
    }

    @Test("made-up datetimes of one column all have a zone, or none has", arguments: ["Z", "", "+02:00"])
    func datetimes(zone: String) throws {
        for (least, greatest) in [("2024-01-01T00:00:00", "2024-01-01T00:00:05"), ("2020-02-02T10:00:00", "")] {
            let maximum = greatest.isEmpty ? "" : ",\"maximum\":\"\(greatest)\(zone)\""
            let model =
                "{\"resources\":[{\"name\":\"r\",\"path\":\"r.csv\",\"schema\":{\"fields\":[{\"name\":\"at\","
                + "\"type\":\"datetime\",\"constraints\":{\"required\":true,\"minimum\":\"\(least)\(zone)\"\(maximum)}}]}}]}"
            try folder.write(model, to: "m.json")
            try run("generate --model m.json --count 50 --output out -q").expect(status: 0)
            let cells = try folder.text("out/r.csv").split(separator: "\n").dropFirst()
            let zoned = cells.filter { $0.hasSuffix("Z") || $0.dropFirst(11).contains { "+-".contains($0) } }
            #expect(cells.count == 50 && [0, 50].contains(zoned.count), "\(zoned.count): \(cells.prefix(5))")
            try run("validate out/r.csv --model m.json").expect(status: 0)
            try FileManager.default.removeItem(atPath: folder.path("out"))
        }
    }

    @Test("an object around the records says how to read them")
    func documents() throws {
        for (text, message) in [
            ("{\"n\":1,\"rows\":[{\"id\":1}]}", "--root: rows"), ("{\"u1\":{\"n\":1},\"u2\":{\"n\":2}}", "--key-as"),
        ] {
            try folder.write(text, to: "d.json")
            let result = try run("import d.json --store s")
            #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
        }
    }

    @Test("a byte order mark before a later line is passed over")
    func marks() throws {
        try folder.write("\u{FEFF}{\"id\":1}\n\u{FEFF}{\"id\":2}\n", to: "d.ndjson")
        try run("import d.ndjson --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "id\n1\n2\n")
    }

    @Test("a file without an extension is CSV where its model is inferred")
    func withoutExtension() throws {
        try folder.write("id,v\n1,a\n", to: "table")
        try run("import table --store s -q").expect(status: 0)
        #expect(try run("export --entity table --store s").output == "id,v\n1,a\n")
        try run("validate table").expect(status: 0)
    }

    @Test("a model beside the datasets of a directory is none of them")
    func modelOfDirectory() throws {
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: true)
        try folder.write("id,v\n1,a\n", to: "d/p.csv")
        try run("model infer d/p.csv --output d/m.json -q").expect(status: 0)
        let result = try run("import d --store s")
        result.expect(status: 0)
        #expect(result.errors.contains("left alone, as their names are no entity's: m.json"), "\(result.errors)")
        #expect(try run("export --entity p --store s").output == "id,v\n1,a\n")
    }

    @Test("a copy has no name of a dataset", arguments: ["x.csv", "x.json", "x.ndjson.gz", "x.tsv"])
    func copies(name: String) throws {
        try folder.write("id,v\n1,a\n", to: "p.csv")
        try run("import p.csv --store s -q").expect(status: 0)
        let result = try run("copy --store s --to \(name)")
        #expect(result.status == 64 && result.errors.contains("strata export writes datasets"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }

    @Test("numbers that --flatten makes are no reference to other numbers that it makes")
    func madeNumbers() throws {
        try folder.write(
            #"[{"files":[{"lines":[],"file":"a"}]},{"files":[{"lines":[{"n":4}],"file":"b"}]}]"#, to: "g.json")
        let first = try run("import g.json --flatten --store s")
        first.expect(status: 0)
        #expect(!first.errors.contains("its name is that"), "\(first.errors)")
        let more = #"[{"files":[{"lines":[{"n":1}],"file":"c"},{"lines":[],"file":"d"},{"lines":[],"file":"e"}]}]"#
        try folder.write(more, to: "g.json")
        try run("import g.json --flatten --store s -q").expect(status: 0)
        #expect(try run("check --store s").output == "ok\n")
    }
}
