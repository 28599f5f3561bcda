import Testing

@Suite("Tables of data packages")
struct DataPackageReadingTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func exported(_ entity: String = "t") throws -> String {
        try strata("export --entity \(entity) --store s").output
    }

    @Test(
        "every property of a descriptor's CSV dialect is applied",
        arguments: [
            (#"{"escapeChar": "\\"}"#, "a,b\n1\\,2,\"x\\\"y\"\n", "a,b\n\"1,2\",\"x\"\"y\"\n"),
            (#"{"escapeChar": "\""}"#, "a,b\n1,\"x\"\"y\"\n", "a,b\n1,\"x\"\"y\"\n"),
            (#"{"doubleQuote": false, "escapeChar": "\\"}"#, "a,b\n1,\"x\\\"y\"\n", "a,b\n1,\"x\"\"y\"\n"),
            (#"{"headerRows": [2]}"#, "Table 1\na,b\n1,2\n", "a,b\n1,2\n"),
            (#"{"commentRows": [2]}"#, "a,b\nkg,m\n1,2\n", "a,b\n1,2\n"),
            (#"{"skipInitialSpace": true}"#, "a, b\n1, \"2\"\n", "a,b\n1,2\n"),
            (#"{"quoteChar": ""}"#, "a,b\n1,\"2\n", "a,b\n1,\"\"\"2\"\n"),
            (#"{"nullSequence": "-"}"#, "a,b\n1,-\n", "a,b\n1,\n"),
            (#"{"lineTerminator": "\r"}"#, "a,b\r1,2\r", "a,b\n1,2\n"),
            (#"{"delimiter": "|", "commentChar": "//"}"#, "//x\na|b\n1|2\n", "a,b\n1,2\n"),
        ])
    func dialects(dialect: String, text: String, expected: String) throws {
        try folder.write(text, to: "t.csv")
        try folder.writeDescriptor(#""path": "t.csv", "dialect": \#(dialect)"#)
        let result = try strata("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(try exported() == expected)
    }

    @Test("column names in two header rows are joined")
    func headerRows() throws {
        try folder.write("size,size,\nwidth,height,name\n1,2,x\n", to: "t.csv")
        try folder.writeDescriptor(
            #""path": "t.csv", "dialect": {"headerRows": [1, 2], "headerJoin": "."}"#,
            fields: ["size.width", "size.height", "name"])
        let result = try strata("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(try exported() == "size.width,size.height,name\n1,2,x\n")
    }

    @Test("a dataset that is divided into several files is imported, and an error names the file and its line")
    func parts() throws {
        try folder.write("a,b\n1,2\n", to: "t1.csv")
        try folder.write("a,b\n3,4\n", to: "t2.csv")
        try folder.write("5,6\n", to: "t3.csv")
        try folder.writeDescriptor(#""path": ["t1.csv", "t2.csv", "t3.csv"]"#)
        let result = try strata("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(try exported() == "a,b\n1,2\n3,4\n5,6\n")
        try folder.write("a,b\n3,4\n5\n", to: "t2.csv")
        let wrong = try strata("import datapackage.json --store u")
        #expect(wrong.errors == "t2.csv:3: record 2: 1 field, but there are 2 columns\n")
    }

    @Test(
        "a header that does not match the schema as fieldsMatch requires is rejected",
        arguments: [
            ("", "a,b\n1,2\n", nil),
            (
                "", "b,a\n1,2\n",
                "column 1 is \"b\", but field 1 of the schema \"a\"; without fieldsMatch the columns must have the "
                    + "names and positions of the fields"
            ),
            (
                "", "a\n1\n",
                "the header has 1 column, but the schema has 2 fields; without fieldsMatch the columns must have the "
                    + "names and positions of the fields"
            ),
            ("equal", "b,a\n2,1\n", nil),
            ("equal", "a\n1\n", "there is no column \"b\", which is a field of the schema; fieldsMatch is equal"),
            ("subset", "a,c,b\n1,3,2\n", nil),
            ("subset", "a,c\n1,3\n", "there is no column \"b\", which is a field of the schema; fieldsMatch is subset"),
            ("superset", "b\n2\n", nil),
            ("partial", "b,c\n2,3\n", nil),
            ("partial", "c\n3\n", "no column of the header is a field of the schema; fieldsMatch is partial"),
        ] as [(String, String, String?)])
    func fieldsMatch(word: String, text: String, message: String?) throws {
        try folder.write(text, to: "t.csv")
        try folder.writeDescriptor(#""path": "t.csv""#, schema: word.isEmpty ? "" : #""fieldsMatch": "\#(word)", "#)
        let result = try strata("import datapackage.json --store s")
        #expect(result.status == (message == nil ? 0 : 65), "\(result.errors)")
        if let message { #expect(result.errors.contains("t.csv:1: \(message)"), "\(result.errors)") }
    }

    @Test("a surplus column is rejected if fieldsMatch forbids it")
    func superset() throws {
        try folder.write("b,c\n2,3\n", to: "t.csv")
        try folder.writeDescriptor(#""path": "t.csv""#, schema: #""fieldsMatch": "superset", "#)
        let result = try strata("import datapackage.json --store s")
        #expect(result.status == 65 && result.errors.contains("\"c\""), "\(result.errors)")
    }

    @Test(
        "rows embedded in the descriptor are imported",
        arguments: [
            #""data": [{"a": "1", "b": "2"}, {"a": "3", "b": null}]"#,
            #""data": [["a", "b"], ["1", "2"], ["3", null]]"#,
            #""data": "a,b\n1,2\n3,\n", "format": "csv""#,
            #""data": "a;b\n1;2\n3;\n", "format": "csv", "dialect": {"delimiter": ";"}"#,
        ])
    func inline(properties: String) throws {
        try folder.writeDescriptor(properties)
        let result = try strata("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(result.errors == "imported 2 T records from datapackage.json#/resources/0/data into s\n")
        #expect(try exported() == "a,b\n1,2\n3,\n")
    }

    @Test("records of a JSON file are read from the property that the descriptor's dialect names")
    func documents() throws {
        try folder.write(#"{"x": {"rows": [{"a": "1", "b": "2"}]}}"#, to: "t.json")
        try folder.writeDescriptor(#""path": "t.json", "dialect": {"property": "x.rows"}"#)
        let result = try strata("import datapackage.json --store s")
        result.expect(status: 0)
        #expect(try exported() == "a,b\n1,2\n")
    }

    @Test("the scale of a number is inferred from the data files if the descriptor does not specify the scale")
    func openNumbers() throws {
        try folder.write("a,b\nx,1.50\ny,20.25\n", to: "t.csv")
        try folder.write(
            #"{\#(TemporaryFolder.version2), "resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}, {"name": "b", "type": "number"}]}}]}"#,
            to: "datapackage.json")
        try strata("import datapackage.json --store s").expect(status: 0)
        #expect(try exported() == "a,b\nx,1.50\ny,20.25\n")
    }
}
