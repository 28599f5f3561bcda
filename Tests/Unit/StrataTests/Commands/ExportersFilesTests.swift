import Foundation
import Testing

/// Files with the irregularities of other programs and manual edits.
@Suite("Files of other programs")
struct ExportersFilesTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    @Test(
        "a line of only spaces or tabs in a CSV file with several columns is not a record",
        arguments: ["a,b\n1,2\n3,4\n   \n", "a,b\n \n1,2\n\t \n3,4", "a,b\n1,2\n  \n\n3,4\n"])
    func blankLines(text: String) throws {
        try folder.write(text, to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "a,b\n1,2\n3,4\n")
        // A quoted text and a field of a table with one column are values.
        try folder.write("a,b\n\"  \"\n", to: "e.csv")
        try run("import e.csv --store t -q").expect(status: 65)
        try folder.write("a\n  \n", to: "f.csv")
        try run("import f.csv --store t -q").expect(status: 0)
        #expect(try run("export --entity f --store t").output == "a\n\"  \"\n")
    }

    @Test(
        "a column with an empty or repeated name gets a unique name",
        arguments: [
            ("a,b,\n1,2,\n", "a,b,column3", "column 3 has no name"),
            (",a\n1,2\n", "column1,a", "column 1 has no name"),
            ("a,a,a\n1,2,3\n", "a,a_2,a_3", "column 2 has the name \"a\" again"),
            ("a,a_2,a\n1,2,3\n", "a,a_2,a_3", "column 3 has the name \"a\" again"),
            (",column1,\n1,2,3\n", "column1_2,column1,column3", "column 1 has no name"),
            ("name,name,name_2,name_2\n1,2,3,4\n", "name,name_3,name_2,name_2_2", "column 4 has the name"),
            ("Ä,Ä\n1,2\n", "Ä,Ä_2", "column 2 has the name"),
            ("\"\",\"\"\n1,2\n", "column1,column2", "column 2 has no name"),
        ])
    func headers(_ text: String, _ header: String, _ note: String) throws {
        try folder.write(text, to: "d.csv")
        let first = try run("import d.csv --store s")
        #expect(first.status == 0 && first.errors.contains(note), "\(first.errors)")
        // The names also apply to the next such file, exports and options.
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

    @Test("an unknown column without a name is reported by its position")
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
        "each of several consecutive JSON objects, or a single JSON object, is a record",
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
        "values of one JSON key that have different types are exported unchanged",
        arguments: [
            #"{"id":1,"v":{"x":1}}|{"id":2,"v":"str"}"#, #"{"id":1,"v":[1,2]}|{"id":2,"v":7}|{"id":3,"v":null}"#,
            #"{"id":1,"v":true}|{"id":2,"v":"true"}"#, #"{"id":1,"v":1}|{"id":2,"v":"1"}|{"id":3,"v":true}"#,
            #"{"id":1,"v":[]}|{"id":2,"v":{}}|{"id":3,"v":"a\"b\\ü"}"#, #"{"id":1,"v":"2024-01-01"}|{"id":2,"v":[3]}"#,
            #"{"id":1,"v":1.50}|{"id":2,"v":false}"#, #"{"id":1,"v":""}|{"id":2,"v":{}}"#,
            #"{"id":1,"v":{"a":[{"b":null}]}}|{"id":2,"v":-1e400}"#, #"{"id":1,"v":"[1]"}|{"id":2,"v":[1]}"#,
        ], ["s.sqlite", "s.stxml", "s.stbin"])
    func mixedKinds(lines: String, store: String) throws {
        let text = lines.replacing("|", with: "\n") + "\n"
        try folder.write(text, to: "d.ndjson")
        try run("import d.ndjson --store \(store) -q").expect(status: 0)
        #expect(try run("export --entity d --format ndjson --store \(store)").output == text)
        // The same is true via a CSV table.
        try run("export --entity d --store \(store) --output out.csv").expect(status: 0)
        try folder.write(try run("model show \(store) --format json").output, to: "m.json")
        try run("import out.csv --entity d --model m.json --store again.db -q").expect(status: 0)
        #expect(try run("export --entity d --format ndjson --store again.db").output == text)
    }

    @Test(
        "signed zeros are imported and exported unchanged",
        arguments: ["-0.0", "-0", "-0.00", "-0e0", "-.0", "-0.0,5.5", "5.5,-0.0", "1.50,-0.0", "1e10,-0.0", "-00.0"])
    func negativeZero(values: String) throws {
        let text = "id,v\n" + values.split(separator: ",").enumerated().map { "\($0 + 1),\($1)\n" }.joined()
        try folder.write(text, to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == text)
    }

    @Test(
        "a migration that changes a type reports values that cannot be converted",
        arguments: [
            ("integer", #""number","strata:scale":2"#, "too large for decimal(2)"),
            ("boolean", #""number","strata:scale":2"#, nil), ("integer", #""boolean""#, "other than 0 and 1"),
            ("string", #""integer""#, "a text that is not a value of type integer64"),
            ("integer", #""number""#, "a double cannot represent exactly"),
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
            return #expect(!difference.output.contains("cannot be migrated"), "\(difference.output)")
        }
        #expect(
            difference.output.contains("rows with") && difference.output.contains(exceptions), "\(difference.output)")
    }

    @Test("generated datetimes of a column all have a time zone or all have none", arguments: ["Z", "", "+02:00"])
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

    @Test(
        "an empty quoted field is null in a column whose other fields are quoted",
        arguments: [
            ("33", "integer"), ("1.50", "decimal"), ("2020-01-01", "day"), ("true", "boolean"), ("1e5", "double"),
            ("2020-01-01T10:00:00Z", "date"), ("10:00:00", "time"), ("31/12/2020", "day"), ("1,234.50", "decimal"),
            ("123E4567-E89B-12D3-A456-426614174000", "uuid"),
        ], ["s.sqlite", "s.stxml"])
    func quotedEmpty(cell: (value: String, type: String), store: String) throws {
        let (value, type) = cell
        let record = value == "1e5" ? "0.1\"\n\"3\",\"1.5e-07" : value
        try folder.write("\"id\",\"v\"\n\"1\",\"\"\n\"2\",\"\(record)\"\n", to: "d.csv")
        let result = try run("import d.csv --store \(store)")
        let note = "d.csv: column v: 1 cell read as null, first \"\" in line 2"
        #expect(result.status == 0 && result.errors.contains(note), "\(result.errors)")
        #expect(result.errors.contains("\"\" is null: 1 cell, the first on line 2"), "\(result.errors)")
        let model = try run("model show \(store)").output
        #expect(
            model.split(separator: "\n").contains { $0.contains(" v ") && $0.contains("optional \(type)") }, "\(model)")
        #expect(try run("export --entity d --store \(store) --format ndjson").output.hasPrefix("{\"id\":1,\"v\":null}"))
        let report = try run("validate d.csv --store \(store) --report r.json --on-conflict update")
        #expect(report.status == 0, "\(report.errors)")
        let counted = "\"changedCells\":[{\"column\":\"v\",\"count\":1,\"line\":2,\"text\":\"\"}]"
        #expect(try folder.text("r.json").contains(counted))
    }

    @Test(
        "an empty quoted field remains a text in a column of texts or of unquoted fields",
        arguments: ["1,\"\"\n2,33\n", "1,33\n2,\"\"\n", "1,\"\"\n2,\"a\"\n", "1,\"\"\n2,\n", "1,\"\"\n2,yes\n"])
    func quotedTexts(records: String) throws {
        try folder.write("id,v\n" + records, to: "d.csv")
        try run("import d.csv --store s -q").expect(status: 0)
        let first = records.hasPrefix("1,\"\"") ? 1 : 2
        #expect(
            try run("export --entity d --store s --format ndjson").output.contains("{\"id\":\(first),\"v\":\"\"}"))
        // The option makes it null.
        try run("import d.csv --store t -q --null ''").expect(status: 0)
        #expect(
            try run("export --entity d --store t --format ndjson").output.contains("{\"id\":\(first),\"v\":null}"))
    }

    @Test(
        "the texts for null that a descriptor lists in missingValues also apply to quoted fields",
        arguments: [
            ("", "integer", "null", 1), (#","missingValues":[""]"#, "integer", "null", 1),
            (#","missingValues":[""]"#, "string", "null", 1), ("", "string", "\"\"", 0),
            (#","missingValues":["","NA"]"#, "string", "null", 1), (#","missingValues":["NA"]"#, "string", "\"\"", 0),
            ("", "date", "null", 1), ("", "datetime", "null", 1), ("", "number", "null", 1), ("", "boolean", "null", 1),
        ])
    func missingValues(_ missing: String, _ type: String, _ expected: String, _ count: Int) throws {
        try folder.write(
            #"{"resources":[{"name":"d","path":"d.csv","schema":{"fields":[{"name":"id","type":"integer"},"#
                + #"{"name":"v","type":"\#(type)"}],"primaryKey":["id"]\#(missing)}}]}"#, to: "datapackage.json")
        try folder.write("id,v\n1,\"\"\n", to: "d.csv")
        let result = try run("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(result.errors.contains("column v: 1 cell read as null") == (count > 0), "\(result.errors)")
        #expect(try run("export --entity d --store s --format ndjson").output == "{\"id\":1,\"v\":\(expected)}\n")
        // The exported package imports with the same values.
        try run("export --all --format datapackage --output p --store s").expect(status: 0)
        try run("import p --store again.db -q").expect(status: 0)
        #expect(
            try run("export --entity d --store again.db --format ndjson").output == "{\"id\":1,\"v\":\(expected)}\n")
    }

    @Test(
        "an import counts the cells that will be exported differently because of the descriptor's types",
        arguments: [
            (
                #""integer""#, "007,12,+5,-0,8",
                "column v: 3 cells will be exported differently, first \"007\" in line 2 as \"7\""
            ),
            (
                #""number""#, "1.50,2.5,3.25",
                "column v: 1 cell will be exported differently, first \"2.5\" in line 3 as \"2.50\""
            ),
            (
                #""number","strata:type":"double""#, "1.50,2.5,-0.0",
                "column v: 2 cells will be exported differently, first \"1.50\""
            ),
            (
                #""number","strata:type":"double""#, "5,5.0,1e3",
                "column v: 2 cells will be exported differently, first \"5\""
            ),
            (
                #""datetime","strata:type":"date""#, "2024-01-26T10:00:00Z,2024-01-26T12:00:00+02:00",
                "column v: 1 cell will be exported differently, first \"2024-01-26T12:00:00+02:00\" in line 3"
            ),
            (#""number","strata:scale":2"#, "1.50,01.5", "column v: 1 cell"),
        ])
    func changedCells(_ type: String, _ values: String, _ note: String) throws {
        try folder.write(
            #"{"resources":[{"name":"d","path":"d.csv","schema":{"fields":[{"name":"v","type":"# + type + "}]}}]}",
            to: "datapackage.json")
        try folder.write("v\n" + values.split(separator: ",").map { $0 + "\n" }.joined(), to: "d.csv")
        let result = try run("import datapackage.json --store s --report r.json")
        #expect(result.status == 0 && result.errors.contains(note), "\(result.errors)")
        #expect(try folder.text("r.json").contains("\"changedCells\":[{\"column\":\"v\",\"count\":"))
        // An exported file is not changed again.
        try run("export --entity d --store s --output d.csv").expect(status: 0)
        let again = try run("import datapackage.json --store t")
        #expect(again.status == 0 && !again.errors.contains("differently"), "\(again.errors)")
    }

    @Test("an import counts the identifiers that will be exported differently; with an inferred model there are none")
    func changedIdentifiers() throws {
        try folder.write("id,v\n01,1.50\n2,2.5\n", to: "d.csv")
        let inferred = try run("import d.csv --store s")
        #expect(inferred.status == 0 && !inferred.errors.contains("differently"), "\(inferred.errors)")
        try folder.write(
            #"{"resources":[{"name":"d","path":"d.csv","schema":{"fields":[{"name":"id","type":"integer"},"#
                + #"{"name":"v","type":"string"}],"primaryKey":["id"]}}]}"#, to: "m.json")
        let result = try run("import d.csv --model m.json --store t")
        #expect(
            result.errors.contains("column id: 1 cell will be exported differently, first \"01\" in line 2 as \"1\""))
    }

    @Test(
        "elements of flattened arrays are updated, replaced or ignored together with their records",
        arguments: ["update", "replace", "ignore"], ["s.sqlite", "s.stxml", "s.stbin"])
    func flattenedAgain(action: String, store: String) throws {
        try folder.write(
            #"[{"id":1,"items":[{"sku":"a","tags":["x"]},{"sku":"b"}]},{"id":2,"items":[]}]"#, to: "o.json")
        try run("import o.json --flatten --store \(store) -q").expect(status: 0)
        let items = try run("export --entity o_items --store \(store)").output
        for _ in 0..<2 {
            try run("import o.json --flatten --store \(store) -q --on-conflict \(action)").expect(status: 0)
            #expect(try run("export --entity o_items --store \(store)").output == items)
        }
        try FileManager.default.createDirectory(atPath: folder.path("later"), withIntermediateDirectories: true)
        try folder.write(#"[{"id":1,"items":[{"sku":"A"}]},{"id":3,"items":[{"sku":"n"}]}]"#, to: "later/o.json")
        try run("import later/o.json --flatten --store \(store) -q --on-conflict \(action)").expect(status: 0)
        let first = action == "ignore" ? "a" : "A"
        #expect(
            try run("export --entity o_items --store \(store) --columns o_id,sku,position --sort 'o.id, position'")
                .output == "o_id,sku,position\n1,\(first),1\n1,b,2\n3,n,1\n")
        let refused = try run("import later/o.json --flatten --store \(store)")
        #expect(refused.status == 65 && refused.errors.contains("--on-conflict ignore, update or replace"))
    }

    @Test(
        "an import can exchange unique values between the rows of a store", arguments: ["s.db", "s.stxml", "s.stbin"],
        ["update", "replace"])
    func exchangedUniqueValues(store: String, action: String) throws {
        try folder.write("id,rank,Größe\n1,10,a\n2,20,b\n3,30,c\n", to: "u.csv")
        try run("import u.csv --key u.id --store \(store) -q").expect(status: 0)
        try run("migrate --store \(store) --unique u.rank -q").expect(status: 0)
        try folder.write("id,rank,Größe\n1,20,x\n2,10,y\n", to: "later.csv")
        try run("import later.csv --as u --store \(store) --on-conflict \(action) -q").expect(status: 0)
        #expect(try run("export --entity u --store \(store)").output == "id,rank,Größe\n1,20,x\n2,10,y\n3,30,c\n")
        try folder.write("id,rank,Größe\n1,30,x\n3,31,z\n2,31,y\n", to: "later.csv")
        let refused = try run("import later.csv --as u --store \(store) --on-conflict \(action)")
        #expect(refused.status == 65 && refused.errors.contains("later.csv:4: record 3, column rank: object 2"))
        #expect(try run("export --entity u --store \(store)").output == "id,rank,Größe\n1,20,x\n2,10,y\n3,30,c\n")
    }

    @Test(
        "documents with missing keys or empty arrays can be flattened",
        arguments: [
            "[]", #"[{"items":[1]},{"id":2}]"#, #"[{"items":[1]},{"id":2,"items":[2]}]"#, #"[{"id":1,"items":[[]]}]"#,
            #"[{"id":1,"items":[[1,2],[3]]}]"#, #"[{"id":null,"items":[{"x":1}]}]"#,
            #"[{"id":1,"(place in the array)":5,"items":["a"]}]"#,
            #"[{"id":"a","code":"b","items":[{"id":1},{"id":1}]}]"#,
        ])
    func missingLinks(document: String) throws {
        try folder.write(document, to: "o.json")
        let first = try run("import o.json --flatten --store s.db -q")
        #expect(first.status == 0, "\(first.errors)")
        try run("check --store s.db").expect(status: 0)
        // The same document imports equally into another store.
        try run("model infer o.json --flatten --output m.json -q").expect(status: 0)
        try run("import o.json --flatten --model m.json --store t.db -q").expect(status: 0)
        try run("export --all --store s.db --output s -q").expect(status: 0)
        try run("export --all --store t.db --output t -q").expect(status: 0)
        let difference = try Tool.debug.shell("diff -r s t", in: folder)
        #expect(difference.status == 0, "\(difference.output)")
    }

    @Test("an error about array elements without an identifying key names the command that adds the key")
    func undeclaredElements() throws {
        try folder.write(#"[{"id":1,"items":[{"sku":"a"},{"sku":"b"}]}]"#, to: "o.json")
        let inferred = try run("model infer o.json --flatten").output
        #expect(inferred.contains("\"uniqueKeys\""))
        let lines = inferred.split(separator: "\n").filter { !$0.contains("uniqueKeys") }
        try folder.write(lines.joined(separator: "\n"), to: "m.json")
        try run("import o.json --flatten --model m.json --store s.db -q").expect(status: 0)
        let refused = try run("import o.json --flatten --store s.db --on-conflict update")
        let command = "strata migrate --store s.db --unique o_items.o_id,position"
        #expect(refused.status == 64 && refused.errors.contains(command), "\(refused.errors)")
        try run(String(command.dropFirst("strata ".count))).expect(status: 0)
        try run("import o.json --flatten --store s.db --on-conflict update -q").expect(status: 0)
        #expect(try run("export --entity o_items --store s.db").output == "o_id,sku,position\n1,a,1\n1,b,2\n")
    }

    @Test("a dataset with more columns than SQLite allows is rejected before a store is created")
    func columns() throws {
        for count in [1_998, 1_999, 2_000] {
            let names = (0..<count).map { "c\($0)" }.joined(separator: ",")
            let record = Array(repeating: "a", count: count).joined(separator: ",")
            try folder.write("\(names)\n\(record)\n", to: "w.csv")
            let result = try run("import w.csv --store s.db -q")
            #expect(result.status == (count > 1_998 ? 65 : 0), "\(result.errors.prefix(200))")
            guard count > 1_998 else {
                try FileManager.default.removeItem(atPath: folder.path("s.db"))
                continue
            }
            #expect(result.errors.contains("1998") && result.errors.contains("\(count)"))
            #expect(!FileManager.default.fileExists(atPath: folder.path("s.db")))
            // Another kind of store has no such limit, but its copy into SQLite fails.
            try run("import w.csv --store s.stbin -q").expect(status: 0)
            #expect(try run("export --entity w --store s.stbin").output == "\(names)\n\(record)\n")
            let copied = try run("copy --store s.stbin --to t.db")
            #expect(copied.status == 65 && copied.errors.contains("at most 1998"), "\(copied.errors.prefix(200))")
            try FileManager.default.removeItem(atPath: folder.path("s.stbin"))
        }
    }

    @Test("elements are matched by their owner's key, even if the key is renamed")
    func foundAgain() throws {
        try folder.write(
            #"[{"code":"c","Nr":1,"items":[{"x":1,"position":"a","tags":["t"]}],"teams":[{"code":"t1","members":["m"]}]}]"#,
            to: "o.json")
        let options = "--flatten --map Nr=id --key o.id -q"
        try run("import o.json --store s.db \(options)").expect(status: 0)
        try run("export --all --store s.db --output first -q").expect(status: 0)
        for _ in 0..<2 {
            try run("import o.json --store s.db --flatten --map Nr=id -q --on-conflict update").expect(status: 0)
        }
        try run("export --all --store s.db --output second -q").expect(status: 0)
        let difference = try Tool.debug.shell("diff -r first second", in: folder)
        #expect(difference.status == 0, "\(difference.output)")
    }

    @Test("--type reads an empty quoted field like an import without the option")
    func quotedEmptyOfGivenType() throws {
        try folder.write("id,v\n1,\"\"\n2,33\n", to: "d.csv")
        try run("import d.csv --store s --type d.v=integer -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "id,v\n1,\n2,33\n")
    }

    @Test("the null texts of a package may contain quotes and backslashes")
    func hostileMissingValues() throws {
        for word in ["\\N", "\"", "\n", "a\\\"b"] {
            let json = try String(decoding: JSONEncoder().encode(["", word]), as: UTF8.self)
            try folder.write(
                #"{"resources":[{"name":"d","path":"d.csv","schema":{"fields":[{"name":"v","type":"string","missingValues":"#
                    + json + "}]}}]}", to: "m.json")
            try folder.write("{\"v\":null}\n{\"v\":\"\"}\n{\"v\":\"x\"}\n", to: "d.ndjson")
            try run("import d.ndjson --model m.json --store s.db -q").expect(status: 0)
            try run("export --all --format datapackage --output p --store s.db -q").expect(status: 0)
            try run("import p --store t.db -q").expect(status: 0)
            #expect(
                try run("export --entity d --store t.db --format ndjson").output
                    == "{\"v\":null}\n{\"v\":\"\"}\n{\"v\":\"x\"}\n")
            for name in ["s.db", "t.db", "p"] { try FileManager.default.removeItem(atPath: folder.path(name)) }
        }
    }

    @Test("a document with nested records is rejected, and the error names the option that reads them")
    func documents() throws {
        for (text, message) in [
            ("{\"n\":1,\"rows\":[{\"id\":1}]}", "--root: rows"), ("{\"u1\":{\"n\":1},\"u2\":{\"n\":2}}", "--key-as"),
        ] {
            try folder.write(text, to: "d.json")
            let result = try run("import d.json --store s")
            #expect(result.status == 65 && result.errors.contains(message), "\(result.errors)")
        }
    }

    @Test("a byte order mark before a later line is skipped")
    func marks() throws {
        try folder.write("\u{FEFF}{\"id\":1}\n\u{FEFF}{\"id\":2}\n", to: "d.ndjson")
        try run("import d.ndjson --store s -q").expect(status: 0)
        #expect(try run("export --entity d --store s").output == "id\n1\n2\n")
    }

    @Test("a file without an extension is read as CSV if its model is inferred")
    func withoutExtension() throws {
        try folder.write("id,v\n1,a\n", to: "table")
        try run("import table --store s -q").expect(status: 0)
        #expect(try run("export --entity table --store s").output == "id,v\n1,a\n")
        try run("validate table").expect(status: 0)
    }

    @Test("a model file in a directory of datasets is not imported")
    func modelOfDirectory() throws {
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: true)
        try folder.write("id,v\n1,a\n", to: "d/p.csv")
        try run("model infer d/p.csv --output d/m.json -q").expect(status: 0)
        let result = try run("import d --store s")
        result.expect(status: 0)
        #expect(
            result.errors.contains("skipped files that do not have the name of an entity: m.json"), "\(result.errors)")
        #expect(try run("export --entity p --store s").output == "id,v\n1,a\n")
    }

    @Test(
        "a copy to a file with the extension of a dataset is rejected",
        arguments: ["x.csv", "x.json", "x.ndjson.gz", "x.tsv"])
    func copies(name: String) throws {
        try folder.write("id,v\n1,a\n", to: "p.csv")
        try run("import p.csv --store s -q").expect(status: 0)
        let result = try run("copy --store s --to \(name)")
        #expect(
            result.status == 64 && result.errors.contains("use strata export to write a dataset"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }

    @Test("numbers that --flatten generates are not inferred as references to each other")
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
