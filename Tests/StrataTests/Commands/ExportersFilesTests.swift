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
