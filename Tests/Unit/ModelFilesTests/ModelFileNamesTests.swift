import StrataCore
import StrataModelFiles
import StrataTestSupport
import Testing

/// The assignment of names to properties, and its duration for many properties.
@Suite("Names in model files")
struct ModelFileNamesTests {
    private static func file(_ json: String) throws -> ModelFile { try ModelFile(json: Array(json.utf8)) }

    @Test("a generated name gets a suffix if an explicit name anywhere in the file is the same")
    func given() throws {
        let model = try Self.file(
            """
            {"resources": [
                {"name": "visits", "schema": {
                    "fields": [{"name": "from", "type": "integer"}, {"name": "to", "type": "integer"}],
                    "foreignKeys": [{"fields": "from", "reference": {"resource": "places", "fields": "k"}}]}},
                {"name": "trips", "schema": {
                    "fields": [{"name": "goal", "type": "integer"}],
                    "foreignKeys": [{"fields": "goal", "strata:inverse": "friends",
                        "reference": {"resource": "places", "fields": "k"}}]}},
                {"name": "places", "schema": {
                    "fields": [{"name": "k", "type": "integer"}, {"name": "friends"}, {"name": "near"}],
                    "primaryKey": "k"},
                 "strata:links": [{"name": "visits", "resource": "places", "inverse": "near"}]}
            ]}
            """
        ).model
        let places = try model.entity(named: "Places")
        #expect(places.attributes.map(\.name) == ["friends2", "near2"])
        #expect(places.attributes.map(\.externalName) == ["friends", "near"])
        #expect(places.relationships.map(\.name) == ["visitsOfFrom", "friends", "visits", "near"])
        let text = ModelFile.text(of: model)
        #expect(ModelFile.text(of: try Self.file(text).model) == text)
    }

    @Test("a repeated explicit name is rejected at its second location")
    func twice() {
        let error = #expect(throws: ModelFileError.self) {
            try Self.file(
                """
                {"resources": [{"name": "a", "schema": {
                    "fields": [{"name": "k", "type": "integer"}, {"name": "x", "type": "integer"},
                        {"name": "y", "strata:name": "back"}],
                    "primaryKey": "k",
                    "foreignKeys": [{"fields": "x", "strata:inverse": "back", "reference": {"fields": "k"}}]},
                 "strata:links": [{"name": "l", "resource": "a", "inverse": "l"},
                    {"name": "m", "resource": "a", "inverse": "L"}]}]}
                """)
        }
        #expect(
            error?.findings.map(\.description) == [
                "/resources/0/schema/foreignKeys/0/strata:inverse: “back” is reserved, or another property of A",
                "/resources/0/strata:links/1/inverse: “L” is reserved, or another property of A",
            ])
    }

    /// Returns a table with a number of fields and as many references, whose fields have the given name.
    private static func wide(_ count: Int, by name: String, _ more: String = "") -> String {
        let numbers = 1...count
        let fields = numbers.map { #"{"name": "reference \#($0)", "type": "integer"}"# }.joined(separator: ",")
        let keys = numbers.map { #"{"fields": "\#(name) \#($0)", "reference": {"fields": "k"}}"# }.joined(
            separator: ",")
        return """
            {"resources": [{"name": "a"\(more), "schema": {"fields": [{"name": "k", "type": "integer"}, \(fields)],
                "primaryKey": "k", "foreignKeys": [\(keys)]}}]}
            """
    }

    @Test("a model file with 2,000 references in one table is read")
    func manyReferences() {
        // The error prevents the creation of the model, which is not the subject of this test.
        let error = #expect(throws: ModelFileError.self) {
            try Self.file(Self.wide(2_000, by: "reference", #", "strata:ids": "both""#))
        }
        #expect(error?.findings.map(\.description) == ["/resources/0/strata:ids: “both” is neither file nor own"])
    }

    @Test("findings beyond the first 100 are only counted")
    func manyFindings() {
        let count = Seeds.count(160, all: 300)
        let error = #expect(throws: ModelFileError.self) { try Self.file(Self.wide(count, by: "referenze")) }
        #expect(error?.findings.count == 101)
        #expect(error?.findings.first?.message == "there is no field “referenze 1”; did you mean reference 1?")
        #expect(error?.findings.last?.message == "and \(count - 100) more")
    }

    @Test("1,024 equal generated names are distinguished by numbers")
    func manyNames() throws {
        let marks = ["!", "?", "%", "&"]
        let texts = (0..<1_024).map { number in
            "f" + (0..<5).map { marks[number >> (2 * $0) & 3] }.joined()
        }
        let fields = texts.map { #"{"name": "\#($0)"}"# }.joined(separator: ",")
        let model = try Self.file(#"{"resources": [{"name": "a", "schema": {"fields": [\#(fields)]}}]}"#).model
        #expect(model.entities[0].attributes.map(\.name) == ["f"] + (2...1_024).map { "f\($0)" })
    }
}
