import StrataCore
import StrataModelFiles
import Testing

@Suite("Schemas in separate files")
struct SchemaFileTests {
    private struct NotThere: Error, CustomStringConvertible {
        let description = "there is no such file"
    }

    private static let files = [
        "people.schema.json":
            #"{"fields": [{"name": "no.", "type": "integer"}, {"name": "name"}], "primaryKey": ["no."]}"#,
        "schemas/bad.json": #"{"fields": [{"name": "no.", "type": "intger"}], "odd": 1}"#,
        "schemas/none.json": "{\n  \"fields\": [}",
    ]

    private func read(_ schema: String) throws -> ModelFile {
        let json = #"{"resources": [{"name": "people", "path": "p.csv", "schema": "\#(schema)"}]}"#
        return try ModelFile(json: Array(json.utf8)) { path in
            guard let text = Self.files[path] else { throw NotThere() }
            return Array(text.utf8)
        }
    }

    @Test("a schema in another file is read like an inline schema and written into the descriptor")
    func read() throws {
        let model = try read("people.schema.json").model
        #expect(model.entities[0].attributes.map(\.name) == ["name"])
        #expect(model.entities[0].external.idColumn == "no.")
        #expect(try ModelFile(json: Array(ModelFile.text(of: model).utf8)).model.json() == model.json())
    }

    @Test(
        "an error in a schema file is reported with the path of the file and the location inside the file",
        arguments: [
            (
                "schemas/bad.json",
                [
                    "schemas/bad.json#/fields/0/type: the standard has no type “intger”; did you mean integer?"
                ]
            ),
            (
                "schemas/none.json",
                ["schemas/none.json#: line 2, column 14, this is not valid JSON: a value is expected here"]
            ),
            ("gone.json", ["/resources/0/schema: the schema “gone.json” cannot be read: there is no such file"]),
            (
                "https://example.org/s.json",
                [
                    "/resources/0/schema: “https://example.org/s.json” is a remote file, which is not fetched; "
                        + "download the file and name the copy"
                ]
            ),
        ])
    func wrong(schema: String, findings: [String]) {
        let error = #expect(throws: ModelFileError.self) { try read(schema) }
        #expect(error?.findings.map(\.description) == findings)
    }

    @Test(
        "a schema path that is not below the descriptor's directory is rejected",
        arguments: [
            "", "/etc/passwd", "../s.json", "a/../../s.json", "~/s.json", ".hidden/s.json", "a//s.json", #"a\\s.json"#,
        ])
    func unsafe(path: String) {
        let error = #expect(throws: ModelFileError.self) { try read(path) }
        #expect(
            error?.findings.map(\.place) == ["/resources/0/schema"]
                && error?.findings.first?.message.contains("must be a path below the descriptor's directory") == true)
    }

    @Test("a schema in another file is an error if the descriptor is read without its directory")
    func alone() {
        let json = #"{"resources": [{"name": "people", "path": "p.csv", "schema": "people.schema.json"}]}"#
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8)) }
        #expect(
            error?.findings.map(\.description) == [
                "/resources/0/schema: the schema is in another file, and the descriptor has no directory; put it here"
            ])
    }
}
