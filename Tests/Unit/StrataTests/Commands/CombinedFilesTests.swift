import Foundation
import Testing

/// Tests of `--as`, which imports several files with the same columns as one dataset.
@Suite("Several files as one dataset")
struct CombinedFilesTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private func prepare() throws {
        try FileManager.default.createDirectory(atPath: folder.path("m"), withIntermediateDirectories: true)
        try folder.write("id,v\n1,10\n2,20\n", to: "m/2024-01.csv")
        try folder.write("v;id;w\n30;3;x\n40;4;y\n", to: "m/2024-02.csv")
        try folder.write("{\"id\":5,\"v\":1.5}\n", to: "m/2024-03.ndjson")
    }

    @Test("--as matches columns by name, infers types from all files, and reports missing columns as null")
    func union() throws {
        try prepare()
        for (files, store) in [("m", "a"), ("m/2024-01.csv m/2024-02.csv m/2024-03.ndjson", "b.xml")] {
            let result = try run("import \(files) --as Sales --store \(store)")
            result.expect(status: 0)
            #expect(result.errors.contains("v: decimal(1), fewest digits"), "\(result.errors)")
            #expect(result.errors.contains("m/2024-01.csv has no column w: null"), "\(result.errors)")
            #expect(
                try run("export --entity Sales --store \(store)").output
                    == "id,v,w\n1,10,\n2,20,\n3,30,x\n4,40,y\n5,1.5,\n")
        }
        try run("validate m --as Sales").expect(status: 0)
        #expect(try run("model infer m --as Sales").output.contains(#""name": "Sales""#))
    }

    @Test("--source-column stores the file name of each record, also in a later import")
    func sourceColumn() throws {
        try prepare()
        try run("import m/2024-01.csv m/2024-02.csv --as Sales --source-column file --store s -q").expect(status: 0)
        try run("import m/2024-03.ndjson --as Sales --source-column file --store s --infer -q").expect(status: 65)
        try folder.write("{\"id\":5,\"v\":15}\n", to: "m/2024-03.ndjson")
        try run("import m/2024-03.ndjson --as Sales --source-column file --store s -q").expect(status: 0)
        #expect(
            try run("export --entity Sales --store s --columns id,file").output
                == "id,file\n1,2024-01.csv\n2,2024-01.csv\n3,2024-02.csv\n4,2024-02.csv\n5,2024-03.ndjson\n")
        try folder.write("id,file\n6,x\n", to: "clash.csv")
        let clash = try run("import clash.csv --as Sales --source-column file --store s")
        #expect(clash.status == 65 && clash.errors.contains("was also given for each record"), "\(clash.errors)")
    }

    @Test("files with the same name require --as, and --entity cannot name the files of a directory")
    func names() throws {
        try prepare()
        try FileManager.default.createDirectory(atPath: folder.path("n"), withIntermediateDirectories: true)
        try folder.write("id,v\n7,70\n", to: "n/2024-01.csv")
        let twice = try run("import m/2024-01.csv n/2024-01.csv --store s")
        #expect(twice.status == 64 && twice.errors.contains("--as 2024-01"), "\(twice.errors)")
        try run("import m/2024-01.csv n/2024-01.csv --as 2024-01 --source-column from --store s -q").expect(status: 0)
        #expect(
            try run("export --entity 2024-01 --store s --columns from").output
                == "from\nm/2024-01.csv\nm/2024-01.csv\nn/2024-01.csv\n")
        let directory = try run("import m --entity Sales --store t")
        #expect(directory.status == 64 && directory.errors.contains("--as NAME"), "\(directory.errors)")
    }

    @Test("--as combines a CSV column of texts with a JSON column of nulls, and an error names the file of the value")
    func kinds() throws {
        try folder.write("{\"id\":1,\"x\":null}\n", to: "a.ndjson")
        try folder.write("id,x\n2,abc\n", to: "b.csv")
        try run("import a.ndjson b.csv --as P --store s -q").expect(status: 0)
        #expect(try run("export --entity P --store s").output == "id,x\n1,\n2,abc\n")
        let wrong = try run("import a.ndjson b.csv --as P --store t --type P.x=integer")
        #expect(wrong.status == 65 && wrong.errors.contains("b.csv:2: column x: \"abc\""), "\(wrong.errors)")
        try folder.write("[{\"n\":1,\"t\":[1]}]", to: "c.json")
        try folder.write("[{\"n\":2,\"t\":[2]}]", to: "d.json")
        let flattened = try run("import c.json d.json --as P --flatten --store t")
        #expect(flattened.status == 64 && flattened.errors.contains("--infer"), "\(flattened.errors)")
    }
}
