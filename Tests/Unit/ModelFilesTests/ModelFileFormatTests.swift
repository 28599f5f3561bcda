import StrataCore
import StrataModelFiles
import Testing

/// Texts with a format, and their declaration in files.
@Suite("Text formats in model files")
struct ModelFileFormatTests {
    private func attributes(_ fields: String) throws -> [AttributeDescription] {
        try ModelFile(json: Array(ModelFileErrorTests.table(fields).utf8), isStrict: true).model.entities[0].attributes
    }

    @Test("bounds of text formats with an order are read as rules and written unchanged")
    func bounds() throws {
        let fields = [
            #"{"name": "a", "type": "datetime", "constraints": {"minimum": "2024-01-01T00:00:00Z"}}"#,
            #"{"name": "b", "type": "year", "constraints": {"exclusiveMaximum": 2030}}"#,
            #"{"name": "c", "type": "yearmonth", "constraints": {"maximum": "2030-12"}}"#,
            #"{"name": "d", "type": "string", "strata:domain": "bigInteger", "strata:rules": [{"minimum": 5}]}"#,
        ]
        let found = try attributes(fields.joined(separator: ", "))
        #expect(
            found.map(\.rules) == [
                [.minimum(.string("2024-01-01T00:00:00Z"))], [.lessThan(.string("2030"))],
                [.maximum(.string("2030-12"))], [.minimum(.string("5"))],
            ])
        #expect(found.map { $0.domain?.format } == [.dateTime, .year, .yearMonth, .bigInteger])
        let model = try ManagedObjectModel([EntityDescription("A", found.map { .attribute($0) })])
        let text = ModelFile.text(of: model)
        #expect(text.contains(#""minimum": "2024-01-01T00:00:00Z""#))
        #expect(
            try ModelFile(json: Array(text.utf8), isStrict: true).model.entities[0].attributes.map(\.rules)
                == found.map(\.rules))
    }

    @Test("fields of type object and array become texts with a validated format")
    func json() throws {
        let found = try attributes(#"{"name": "a", "type": "object"}, {"name": "b", "type": "array"}"#)
        #expect(found.map { $0.domain?.format } == [.object, .array])
        let text = ModelFile.text(of: try ManagedObjectModel([EntityDescription("A", found.map { .attribute($0) })]))
        #expect(text.contains(#""type": "object""#) && text.contains(#""type": "array""#))
        #expect(!text.contains("strata:domain"))
    }

    @Test(
        "bounds of a format without an order, invalid bounds and invalid defaults are rejected",
        arguments: [
            (
                #"{"name": "x", "type": "duration", "constraints": {"minimum": "P1D"}}"#,
                "/resources/0/schema/fields/0/constraints/minimum: a text of the form duration has no minimum"
            ),
            (
                #"{"name": "x", "type": "string", "constraints": {"maximum": "b"}}"#,
                "/resources/0/schema/fields/0/constraints/maximum: a string has no maximum"
            ),
            (
                #"{"name": "x", "type": "year", "constraints": {"minimum": "20"}}"#,
                "/resources/0/schema/fields/0: the minimum “20” is not a year, such as 2024"
            ),
            (
                #"{"name": "x", "type": "integer", "strata:default": 0, "constraints": {"minimum": 1}}"#,
                "/resources/0/schema/fields/0/strata:default: the default breaks a rule: 0 is less than 1"
            ),
            (
                #"{"name": "x", "strata:default": "b", "constraints": {"enum": ["a"]}}"#,
                "/resources/0/schema/fields/0/strata:default: the default breaks a rule: “b” is not one of “a”"
            ),
            (
                #"{"name": "x", "format": "email", "strata:default": "ada"}"#,
                "/resources/0/schema/fields/0/strata:default: the default breaks a rule: is not an e-mail address, such as ada@example.org"
            ),
            (
                #"{"name": "x", "type": "duration", "strata:default": "PT5M6."}"#,
                "/resources/0/schema/fields/0/strata:default: the default breaks a rule: is not a duration, such as P1DT12H"
            ),
        ])
    func refused(field: String, finding: String) {
        let error = #expect(throws: ModelFileError.self) { try attributes(field) }
        #expect(error?.findings.map(\.description) == [finding])
    }

    @Test("a stored model with an invalid default can still be read")
    func kept() throws {
        let json = ModelFileErrorTests.table(
            #"{"name": "x", "type": "integer", "strata:default": 0, "constraints": {"minimum": 1}}"#)
        let model = try ModelFile(json: Array(json.utf8), isKept: true).model
        #expect(model.entities[0].attributes[0].defaultValue == .constant(.integer(0)))
        #expect(try ManagedObjectModel(model.entities).json() == model.json())
    }

    @Test("strata:renamedFrom is read as one name or a list and is written unchanged")
    func renamed() throws {
        let found = try attributes(
            #"{"name": "a", "strata:renamedFrom": "b"}, {"name": "c", "strata:renamedFrom": ["d", "e"]}"#)
        #expect(found.map(\.renamedFrom) == [["b"], ["d", "e"]])
        let text = ModelFile.text(of: try ManagedObjectModel([EntityDescription("A", found.map { .attribute($0) })]))
        #expect(
            try ModelFile(json: Array(text.utf8)).model.entities[0].attributes.map(\.renamedFrom) == [
                ["b"], ["d", "e"],
            ])
        #expect(text.contains(#""strata:renamedFrom": "b""#))
    }
}
