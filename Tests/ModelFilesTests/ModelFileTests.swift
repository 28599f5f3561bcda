import StrataCore
import StrataModelFiles
import StrataRepositories
import StrataTestSupport
import Testing

/// Everything that a model says, but for closures, in one text a property.
private func sayings(_ model: ManagedObjectModel) throws -> [String] {
    var sayings = [try model.json()]
    for entity in model.entities {
        sayings.append("\(entity.name) \(entity.external) \(entity.uniquenessConstraints) \(entity.indexes)")
        for property in entity.properties {
            switch property {
            case .attribute(let attribute):
                sayings.append(
                    "\(attribute.name) \(attribute.externalName ?? "-") \(attribute.type) \(attribute.rules) \(attribute.spelling) "
                        + "\(attribute.title ?? "-") \(attribute.explanation ?? "-") \(attribute.renamedFrom) "
                        + "\(attribute.defaultValue.map { "\($0)" } ?? "-") \(attribute.domain?.name ?? "-")")
            case .relationship(let relationship): sayings.append("\(relationship)")
            }
        }
    }
    return sayings
}

@Suite("Models in files")
struct ModelFileTests {
    @Test("a model that is written and read is the same model, and is written alike again")
    func referenceModel() throws {
        let model = try ReferenceModel.model()
        let text = ModelFile.text(of: model)
        let file = try ModelFile(json: Array(text.utf8), isStrict: true)
        #expect(try sayings(file.model) == sayings(model))
        #expect(ModelFile.text(of: file.model) == text)
    }

    @Test(
        "so is any model: rules, defaults and names of every kind, relationships of every kind",
        arguments: Seeds.first(30, of: 1...1_000))
    func randomModels(seed: Int) throws {
        var random = RandomModel(seed: UInt64(seed))
        let model = try random.model()
        let text = ModelFile.text(of: model)
        let file = try ModelFile(json: Array(text.utf8))
        // Drawn rules may exclude each other; of nothing else is there anything to say.
        #expect(file.warnings.allSatisfy { $0.message.hasPrefix("no value meets this and ") }, "\(file.warnings)")
        #expect(try sayings(file.model) == sayings(model), "\(text)")
        #expect(ModelFile.text(of: file.model) == text)
    }

    @Test("a descriptor by the standard alone is a model, with words for names")
    func standardAlone() throws {
        let file = try ModelFile(
            json: Array(
                """
                {"resources": [
                    {"name": "country-codes", "path": "c.csv", "schema": {
                        "fields": [
                            {"name": "Nr.", "type": "integer"},
                            {"name": "full name", "type": "string", "constraints": {"required": true, "maxLength": 40}},
                            {"name": "Straße", "constraints": {"pattern": "^[a-z]+$"}},
                            {"name": "2nd choice", "type": "date", "constraints": {"minimum": "2000-01-01"}},
                            {"name": "日本", "type": "boolean"},
                            {"name": "parent", "type": "integer"}
                        ],
                        "primaryKey": "Nr.",
                        "uniqueKeys": [["full name"]],
                        "foreignKeys": [{"fields": "parent", "reference": {"resource": "", "fields": "Nr."}}]
                    }},
                    {"name": "visits", "path": "v.csv", "schema": {
                        "fields": [{"name": "from", "type": "integer", "constraints": {"required": true}},
                                   {"name": "to", "type": "integer"}],
                        "foreignKeys": [
                            {"fields": ["from"], "reference": {"resource": "country-codes", "fields": ["Nr."]}},
                            {"fields": ["to"], "reference": {"resource": "country-codes", "fields": ["Nr."]}}
                        ]
                    }}
                ]}
                """.utf8))
        #expect(file.warnings.isEmpty)
        let codes = try file.model.entity(named: "CountryCodes")
        #expect(codes.external == ExternalForm(name: "country-codes", identifiers: .column("Nr.")))
        #expect(codes.columns.map(\.name) == ["fullName", "Strasse", "x2ndChoice", "field5", "parent"])
        #expect(codes.columns.map(\.externalName) == ["full name", "Straße", "2nd choice", "日本", "parent"])
        #expect(codes.columns.map(\.type) == [.string, .string, .day, .boolean, .integer64])
        #expect(codes.columns.map(\.isOptional) == [false, true, true, true, true])
        #expect(codes.attributes[0].isUnique)
        #expect(codes.attributes[0].rules == [.maximumLength(40)])
        #expect(codes.attributes[1].rules == [.pattern("[a-z]+")])
        #expect(codes.relationships.map(\.name) == ["parent", "countryCodes", "visits", "visitsOfTo"])
        // What needs its owner keeps it from going.
        #expect(codes.relationships.map(\.deleteRule) == [.nullify, .nullify, .deny, .nullify])
        let visits = try file.model.entity(named: "Visits")
        #expect(visits.external.idColumn == nil)
        #expect(visits.relationships.map(\.inverse) == ["visits", "visitsOfTo"])
    }

    @Test("enumerations, categories with labels and open bounds are rules")
    func choices() throws {
        let file = try ModelFile(
            json: Array(
                """
                {"resources": [{"name": "a", "schema": {"fields": [
                    {"name": "x", "type": "integer", "constraints": {"enum": [1, "2"], "exclusiveMinimum": 0}},
                    {"name": "y", "type": "string", "categories": ["m", {"value": "f", "label": "female"}]},
                    {"name": "z", "type": "number", "strata:scale": 1, "constraints": {"exclusiveMaximum": "1.5"}}
                ]}}]}
                """.utf8), isStrict: true)
        let rules = file.model.entities[0].attributes.map(\.rules)
        #expect(rules[0] == [.greaterThan(.integer(0)), .oneOf([.integer(1), .integer(2)])])
        #expect(rules[1] == [.oneOf([.string("m"), .string("f")])])
        #expect(rules[2] == [.lessThan(.decimal(ScaledDecimal(unscaled: 15, scale: 1)))])
    }

    @Test("keys of several fields are unique together, and those of a primary key required")
    func keys() throws {
        let file = try ModelFile(
            json: Array(
                """
                {"resources": [{"name": "a", "strata:indexes": [["the z", "x"]], "schema": {
                    "fields": [{"name": "x"}, {"name": "y", "type": "integer"}, {"name": "the z"}],
                    "primaryKey": ["x", "y"], "uniqueKeys": [["y", "x"], ["the z", "y"], "the z"]}}]}
                """.utf8), isStrict: true)
        let entity = file.model.entities[0]
        #expect(entity.uniquenessConstraints == [["x", "y"], ["theZ", "y"]])
        #expect(entity.indexes == [["theZ", "x"]])
        #expect(entity.attributes.map(\.isOptional) == [false, false, true])
        #expect(entity.attributes.map(\.isUnique) == [false, false, true])
    }

    @Test("names of members are compared by their bytes")
    func memberNames() throws {
        // The Kelvin sign is a K for Unicode, and é may be written in two ways.
        let json = Array(
            """
            {"caf\u{E9}": 1, "cafe\u{301}": 2, "resources": [{"name": "a", "schema": {
                "fields": [{"name": "x"}], "primary\u{212A}ey": ["x"]}}]}
            """.utf8)
        let file = try ModelFile(json: json)
        #expect(file.model.entities[0].attributes.map(\.isUnique) == [false])
        #expect(file.warnings.map(\.place) == ["/caf\u{E9}", "/cafe\u{301}", "/resources/0/schema/primary\u{212A}ey"])
    }

    @Test("what is not understood is named with its place and the nearest right name; strict makes it an error")
    func unknown() throws {
        let json = Array(
            """
            {"resources": [{"name": "a", "path": "a.csv", "primaryKeys": ["b"], "schema": {
                "fields": [{"name": "b", "type": "string", "constraint": {"required": true}, "strata:indexd": true},
                           {"name": "when", "type": "geojson"}]}}]}
            """.utf8)
        let expected = [
            "/resources/0/primaryKeys: this property is not understood; did you mean primaryKey, in the schema?",
            "/resources/0/schema/fields/0/constraint: this property is not understood; did you mean constraints?",
            "/resources/0/schema/fields/0/strata:indexd: this property is not understood; did you mean strata:indexed?",
            "/resources/0/schema/fields/1/type: a geojson is kept as the text that it is written as, and not checked",
        ]
        #expect(try ModelFile(json: json).warnings.map(\.description) == expected)
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: json, isStrict: true) }
        #expect(error?.findings.map(\.description) == expected)
    }
}
