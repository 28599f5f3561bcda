import Testing

/// Tests of `strata import` for JSON without a model.
@Suite("Inferred models of documents")
struct InferredDocumentTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    @Test("JSON numbers that are written in different forms are exported as numbers in their original forms")
    func numbers() throws {
        let text = """
            [
            {"name":"a","value":1.2},
            {"name":"b","value":1.00},
            {"name":"c","value":null},
            {"name":"d","value":1e3},
            {"name":"e","value":123456789012345678901234567890}
            ]

            """
        try folder.write(text, to: "readings.json")
        let imported = try strata("import", "readings.json", "--store", "r.sqlite")
        imported.expect(status: 0)
        let exported = try strata("export", "--store", "r.sqlite", "--entity", "readings", "--format", "json")
        #expect(exported.output == text, "\(exported.errors)")
        let most = try strata(
            "export", "--store", "r.sqlite", "--entity", "readings", "--where", "value > \"2\"", "--columns", "name",
            "--format", "csv")
        #expect(most.output == "name\nd\ne\n", "\(most.errors)")
        let table = try strata("export", "--store", "r.sqlite", "--entity", "readings", "--format", "csv")
        #expect(table.output == "name,value\na,1.2\nb,1.00\nc,\nd,1e3\ne,123456789012345678901234567890\n")
    }

    @Test("a text that is not a JSON number is exported as a string even in a column of numbers")
    func otherNumbers() throws {
        try folder.write(
            """
            {"resources":[{"name":"things","path":"things.csv","schema":{"fields":[
            {"name":"value","type":"string","strata:domain":"number"},
            {"name":"large","type":"string","strata:domain":"bigInteger"}]}}]}
            """, to: "m.json")
        try folder.write(
            "[{\"value\":-1.50,\"large\":12345678901234567890},{\"value\":\"+01\",\"large\":\"7\"}]", to: "things.json")
        let imported = try strata("import", "things.json", "--store", "t.sqlite", "--model", "m.json")
        imported.expect(status: 0)
        let exported = try strata("export", "--store", "t.sqlite", "--entity", "things", "--format", "ndjson")
        #expect(
            exported.output
                == "{\"value\":-1.50,\"large\":\"12345678901234567890\"}\n{\"value\":\"+01\",\"large\":\"7\"}\n",
            "\(exported.errors)")
        try folder.write("[{\"value\":\"one\",\"large\":1}]", to: "wrong.json")
        let wrong = try strata("import", "wrong.json", "--store", "t.sqlite", "--entity", "things")
        #expect(wrong.status == 65 && wrong.errors.contains("wrong.json:1"), "\(wrong.errors)")
        try folder.write("[{\"value\":1,\"large\":1.5}]", to: "wrong.json")
        let fraction = try strata("import", "wrong.json", "--store", "t.sqlite", "--entity", "things")
        #expect(
            fraction.status == 65
                && fraction.errors.contains("wrong.json:1: record 1, column large: is not a whole number"),
            "\(fraction.errors)")
    }
}
