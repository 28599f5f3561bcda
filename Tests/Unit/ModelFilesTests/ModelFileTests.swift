import StrataCore
import StrataModelFiles
import StrataRepositories
import StrataTestSupport
import Testing

/// Returns all properties of a model except closures, as one text per property.
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

@Suite("Model files")
struct ModelFileTests {
    @Test("a model that is written to a file and read again is unchanged and is written identically")
    func referenceModel() throws {
        let model = try ReferenceModel.model()
        let text = ModelFile.text(of: model)
        let file = try ModelFile(json: Array(text.utf8), isStrict: true)
        #expect(try sayings(file.model) == sayings(model))
        #expect(ModelFile.text(of: file.model) == text)
    }

    @Test(
        "a random model is written and read with all rules, defaults, names and relationships",
        arguments: Seeds.first(30, of: 1...1_000))
    func randomModels(seed: Int) throws {
        var random = RandomModel(seed: UInt64(seed))
        let model = try random.model()
        let text = ModelFile.text(of: model)
        let file = try ModelFile(json: Array(text.utf8))
        // Random rules may exclude each other, and no other warning is expected.
        #expect(
            file.warnings.allSatisfy { $0.message.hasPrefix("no value satisfies both this constraint and ") },
            "\(file.warnings)")
        #expect(try sayings(file.model) == sayings(model), "\(text)")
        #expect(ModelFile.text(of: file.model) == text)
    }

    @Test("a standard descriptor without strata: properties is read as a model with generated names")
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
        // The delete rule is `deny` if the reference is mandatory.
        #expect(codes.relationships.map(\.deleteRule) == [.nullify, .nullify, .deny, .nullify])
        let visits = try file.model.entity(named: "Visits")
        #expect(visits.external.idColumn == nil)
        #expect(visits.relationships.map(\.inverse) == ["visits", "visitsOfTo"])
    }

    @Test("enumerations, categories with labels and exclusive bounds become rules")
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

    @Test("keys of several fields are unique in combination, and the fields of a primary key are mandatory")
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

    @Test("the names of JSON members are compared by their bytes")
    func memberNames() throws {
        // Unicode treats the Kelvin sign as K, and é has two encodings.
        let json = Array(
            """
            {"caf\u{E9}": 1, "cafe\u{301}": 2, "resources": [{"name": "a", "schema": {
                "fields": [{"name": "x"}], "primary\u{212A}ey": ["x"]}}]}
            """.utf8)
        let file = try ModelFile(json: json)
        #expect(file.model.entities[0].attributes.map(\.isUnique) == [false])
        #expect(file.warnings.map(\.place) == ["/resources/0/schema/primary\u{212A}ey", ""])
        #expect(file.warnings.last?.message.hasSuffix("define: caf\u{E9}") == true)
    }

    @Test("all custom properties that the standard permits are reported in one note, also in strict mode")
    func customProperties() throws {
        let fields = (1...30).map { #"{"name": "f\#($0)", "unit": "kg", "x:note": {"deep": 1}}"# }.joined(
            separator: ",")
        let json = Array(
            #"{"team": "ö", "resources": [{"name": "a", "schema": {"fields": [\#(fields)], "colour": "red"}}]}"#.utf8)
        let file = try ModelFile(json: json, isStrict: true)
        #expect(
            file.warnings.map { "\($0.severity) \($0)" } == [
                "note properties that the standard does not define: unit (30 times), x:note (30 times), colour, team"
            ])
    }

    @Test("the earlier name of a reference may be declared at its field or at its foreign key")
    func renamedReference() throws {
        func json(field: String, key: String) -> [UInt8] {
            Array(
                """
                {"resources": [
                  {"name": "a", "schema": {"fields": [{"name": "id", "type": "integer"}], "primaryKey": ["id"]}},
                  {"name": "b", "schema": {"fields": [{"name": "x", "type": "integer"\(field)}],
                    "foreignKeys": [{"fields": "x"\(key), "reference": {"resource": "a", "fields": "id"}}]}}]}
                """.utf8)
        }
        let words = #", "strata:renamedFrom": ["old"]"#
        for json in [json(field: words, key: ""), json(field: "", key: words)] {
            let file = try ModelFile(json: json, isStrict: true)
            #expect(file.model.entities[1].relationships[0].renamedFrom == ["old"])
        }
    }

    @Test("a reference to fields that are not declared unique makes the fields unique and is reported in a note")
    func undeclaredKey() throws {
        func json(_ key: String, _ fields: String) -> [UInt8] {
            Array(
                """
                {"resources": [
                  {"name": "a", "schema": {"fields": [{"name": "x"}, {"name": "y"}]\(key)}},
                  {"name": "b", "schema": {"fields": [{"name": "x"}, {"name": "y"}],
                    "foreignKeys": [{"fields": \(fields), "reference": {"resource": "a", "fields": \(fields)}}]}}]}
                """.utf8)
        }
        for (fields, unique) in [("\"x\"", [["x"]]), ("[\"y\", \"x\"]", [["y", "x"]])] {
            let file = try ModelFile(json: json("", fields), isStrict: true)
            let entity = file.model.entities[0]
            #expect(
                entity.uniquenessConstraints + entity.attributes.filter(\.isUnique).map { [$0.name] } == unique)
            #expect(
                file.warnings.count == 1 && file.warnings[0].message.contains("declare it in uniqueKeys of its schema"))
            #expect(file.warnings[0].place == "/resources/1/schema/foreignKeys/0/reference/fields")
            let declared = try ModelFile(json: json(", \"uniqueKeys\": [\(fields)]", fields), isStrict: true)
            #expect(declared.warnings.isEmpty)
        }
    }

    @Test("the longest of several foreign keys with a common field is used, and a warning reports each other key")
    func overlappingKeys() throws {
        func model(_ keys: [String]) throws -> ModelFile {
            let foreign = keys.map { names in
                let fields = names.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ", ")
                return "{\"fields\": [\(fields)], \"reference\": {\"resource\": \"k\(names.filter { $0 != " " })\", "
                    + "\"fields\": [\(fields)]}}"
            }.joined(separator: ", ")
            let targets = Set(keys).sorted().map { names in
                let parts = names.split(separator: " ")
                return "{\"name\": \"k\(parts.joined())\", \"schema\": {\"fields\": ["
                    + parts.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ") + "], \"primaryKey\": ["
                    + parts.map { "\"\($0)\"" }.joined(separator: ", ") + "]}}"
            }.joined(separator: ", ")
            return try ModelFile(
                json: Array(
                    ("{\"resources\": [{\"name\": \"m\", \"schema\": {\"fields\": [{\"name\": \"t\"}, {\"name\": \"u\"}, "
                        + "{\"name\": \"p\"}], \"foreignKeys\": [\(foreign)]}}, \(targets)]}").utf8))
        }
        for (keys, destinations, attributes, place) in [
            (["t u", "t p"], ["Ktu"], ["p"], 1), (["t", "t u"], ["Ktu"], ["p"], 0), (["t u", "u"], ["Ktu"], ["p"], 1),
            (["t p", "t u p"], ["Ktup"], [], 0),
        ] {
            let file = try model(keys)
            let entity = file.model.entities[0]
            #expect(entity.relationships.map(\.destination) == destinations)
            #expect(entity.attributes.map(\.name) == attributes)
            #expect(file.warnings.map(\.place) == ["/resources/0/schema/foreignKeys/\(place)"])
        }
    }

    @Test("an unknown property is reported with its location and the nearest name, and is an error in strict mode")
    func unknown() throws {
        let json = Array(
            """
            {"resources": [{"name": "a", "path": "a.csv", "primaryKeys": ["b"], "schema": {
                "fields": [{"name": "b", "type": "string", "constraint": {"required": true}, "strata:indexd": true},
                           {"name": "when", "type": "list"}]}}]}
            """.utf8)
        let expected = [
            "/resources/0/primaryKeys: this property is not understood; did you mean primaryKey, in the schema?",
            "/resources/0/schema/fields/0/constraint: this property is not understood; did you mean constraints?",
            "/resources/0/schema/fields/0/strata:indexd: this property is not understood; did you mean strata:indexed?",
            "/resources/0/schema/fields/1/type: a list is stored as the text in the file and not validated",
        ]
        #expect(try ModelFile(json: json).warnings.map(\.description) == expected)
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: json, isStrict: true) }
        #expect(error?.findings.map(\.description) == expected)
    }
}
