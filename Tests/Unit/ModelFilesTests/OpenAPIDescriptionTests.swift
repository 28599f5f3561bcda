import Foundation
import StrataCore
import StrataModelFiles
import StrataModelOpenAPI
import Testing

@Suite("The description of an HTTP API")
struct OpenAPIDescriptionTests {
    private func document(_ entities: [EntityDescription]) throws -> [String: Any] {
        let text = OpenAPIDescription(try ManagedObjectModel(entities), title: "Shop").text
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func schemas(_ entities: [EntityDescription]) throws -> [String: [String: Any]] {
        let components = try document(entities)["components"] as? [String: Any]
        return try #require(components?["schemas"] as? [String: [String: Any]])
    }

    /// Returns the schema of a property as JSON with sorted keys.
    private func property(_ attribute: AttributeDescription) throws -> String {
        let properties = try schemas([EntityDescription("Bill", [.attribute(attribute)])])["Bill"]?["properties"]
        let value = try #require((properties as? [String: Any])?[attribute.name])
        return String(
            decoding: try JSONSerialization.data(
                withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes]),
            as: UTF8.self)
    }

    static let examples: [(AttributeDescription, String)] = [
        (AttributeDescription("a", .string, isOptional: true), #"{"type":["string","null"]}"#),
        (
            AttributeDescription("a", .integer16, rules: [.minimum(.integer(3))]),
            #"{"maximum":32767,"minimum":3,"type":"integer"}"#
        ),
        (
            AttributeDescription("a", .decimal(scale: 2), rules: [.greaterThan(.integer(0))]),
            #"{"exclusiveMinimum":0,"multipleOf":0.01,"type":"number"}"#
        ),
        (
            AttributeDescription("a", .day, rules: [.minimum(.day(Day(clampingYear: 2000, month: 1, day: 1)))]),
            #"{"format":"date","type":"string"}"#
        ),
        (
            AttributeDescription("a", .string, isOptional: true, rules: [.oneOf([.string("x")])]),
            #"{"enum":["x",null],"type":["string","null"]}"#
        ),
        (
            AttributeDescription("a", .string, rules: [.pattern("a|b"), .maximumLength(9)]),
            #"{"maxLength":9,"pattern":"^(?:a|b)$","type":"string"}"#
        ),
        (AttributeDescription("a", .boolean, defaultValue: true), #"{"default":true,"type":"boolean"}"#),
        (AttributeDescription("a", .binary), #"{"contentEncoding":"base64","type":"string"}"#),
    ]

    @Test("an attribute is described in JSON Schema", arguments: examples)
    func attributes(_ attribute: AttributeDescription, _ schema: String) throws {
        #expect(try property(attribute) == schema)
    }

    @Test("stored records have all members, new records the required ones, and patches none")
    func forms() throws {
        let entity = EntityDescription(
            "Bill",
            [
                .attribute(AttributeDescription("word", .string)),
                .attribute(AttributeDescription("count", .integer64, defaultValue: 0)),
                .relationship(RelationshipDescription("parent", to: "Bill", .toOne)),
            ])
        let schemas = try schemas([entity])
        #expect(schemas["Bill"]?["required"] as? [String] == ["id", "word", "count", "parent", "version"])
        #expect(schemas["NewBill"]?["required"] as? [String] == ["word"])
        #expect(schemas["BillPatch"]?["required"] == nil)
    }

    @Test("an attribute called version hides the version, and entities may have the names of other schemas")
    func hostileNames() throws {
        let version = EntityDescription("Problem", [.attribute(AttributeDescription("version", .string))])
        let schemas = try schemas([version, EntityDescription("NewProblem", [])])
        #expect(schemas["Problem2"]?["required"] as? [String] == ["id", "version"])
        #expect(schemas["Problem"]?["required"] as? [String] == ["type", "title", "status"])
        #expect(schemas.count == 8)
    }

    @Test("two entities never have the same path, and a pattern of another dialect is omitted")
    func collisions() throws {
        let text = AttributeDescription("a", .string, rules: [.pattern("[a-z&&[^b]]")])
        let entities = [EntityDescription("Box", [.attribute(text)]), EntityDescription("Boxe", [])]
        let paths = try document(entities)["paths"] as? [String: Any]
        #expect(paths?["/boxes"] != nil && paths?["/boxes2"] != nil)
        #expect(try property(text) == #"{"type":"string"}"#)
    }

    @Test("a path is the name in files, or the plural of the name in the model")
    func paths() throws {
        let names = ["Boss", "Company", "Day", "Color", "Box"]
        let named = EntityDescription("Line", [], external: ExternalForm(name: "order lines/ä"))
        let paths = try document(names.map { EntityDescription($0, []) } + [named])["paths"] as? [String: Any]
        for path in ["/bosses", "/companies", "/days", "/colors/{id}", "/boxes", "/order%20lines%2F%C3%A4/import"] {
            #expect(paths?[path] != nil, "\(path)")
        }
    }
}
