import StrataCore
import StrataModelFiles
import StrataTestSupport
import Testing

/// Files that are not valid models, which are rejected with the location of each error.
@Suite("Invalid model files")
struct ModelFileErrorTests {
    /// Returns a descriptor of one table `a` with fields and more members of its schema.
    static func table(_ fields: String, _ more: String = "") -> String {
        #"{"resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [\#(fields)]\#(more)}}]}"#
    }

    static let wrong: [(json: String, findings: [String])] = [
        ("", ["line 1, column 1: this is not valid JSON: the document ends where a value is expected"]),
        ("{\n  \"a\": tru\n}", ["line 2, column 8: this is not valid JSON: a value is expected here"]),
        ("{\"ä\": 01}", ["line 1, column 7: this is not valid JSON: a number must not begin with 0"]),
        ("{\"a\": 1, \"a\": 2}", ["line 1, column 10: this is not valid JSON: “a” occurs twice in one object"]),
        ("{} x", ["line 1, column 4: this is not valid JSON: there is more text after the end of the document"]),
        (
            "{\"a\": \"\\ud800x\"}",
            [
                "line 1, column 14: this is not valid JSON: half of a surrogate pair is not a "
                    + "character"
            ]
        ),
        (
            String(repeating: "[", count: 100_000),
            ["line 1, column 66: this is not valid JSON: the document is nested more than 64 levels deep"]
        ),
        ("[]", ["a list found, but an object is expected"]),
        ("{}", ["there are no resources: a model is a Data Package descriptor with one resource for each table"]),
        (#"{"resources": []}"#, ["/resources: there is no resource; a model must have at least one table"]),
        (
            #"{"resources": [{"name": "leaflet", "path": "leaflet.pdf"}]}"#,
            ["/resources: no resource is a table; a model must have at least one table"]
        ),
        (
            #"{"strata:version": 3, "resources": []}"#,
            ["/strata:version: the file has version 3, but this program reads version 2; use a newer program"]
        ),
        (table(#"{"type": "string"}"#), ["/resources/0/schema/fields/0: the field has no name"]),
        (
            table(#"{"name": "x"}, {"name": "x"}"#),
            ["/resources/0/schema/fields/1/name: two fields have the name “x”"]
        ),
        (
            table(#"{"name": "x", "type": "strng"}, {"name": "y", "type": 7}"#),
            [
                "/resources/0/schema/fields/0/type: the standard has no type “strng”; did you mean string?",
                "/resources/0/schema/fields/1/type: a number found, but a text is expected",
            ]
        ),
        (
            table(#"{"name": "x", "type": "number", "decimalChar": ",,", "groupChar": "."}"#),
            [
                "/resources/0/schema/fields/0/decimalChar: “,,” is not one character",
                "/resources/0/schema/fields/0/groupChar: “.” is both the decimal and the group character",
            ]
        ),
        (
            table(#"{"name": "x", "groupChar": ".", "trueValues": ["y"], "missingValues": [7]}"#),
            ["/resources/0/schema/fields/0/missingValues/0: a text is expected, or an object with one as its value"]
        ),
        (
            table(#"{"name": "x", "groupChar": ".", "trueValues": ["y"], "strata:fewestDigits": true}"#),
            [
                "/resources/0/schema/fields/0/groupChar: this property can be used only for numbers",
                "/resources/0/schema/fields/0/strata:fewestDigits: a value of type string is always written with as few digits as "
                    + "possible; remove the property",
                "/resources/0/schema/fields/0/trueValues: this property can be used only for booleans",
            ]
        ),
        (
            table(#"{"name": "x", "type": "boolean", "trueValues": ["y", "n"], "falseValues": ["n"]}"#),
            ["/resources/0/schema/fields/0/falseValues: “n” is both true and false"]
        ),
        (
            table(
                #"{"name": "x"}, {"name": "y"}"#,
                #", "foreignKeys": [{"fields": "x", "reference": {"fields": "yy"}}]"#),
            ["/resources/0/schema/foreignKeys/0/reference/fields/0: “a” has no field “yy”; did you mean y?"]
        ),
        (
            table(
                #"{"name": "x", "type": "integer"}, {"name": "y", "constraints": {"unique": true}}"#,
                #", "foreignKeys": [{"fields": "x", "reference": {"fields": "y"}}]"#),
            ["/resources/0/schema/fields/0: “x” has the type integer64, but refers to “y”, which has the type string"]
        ),
        (
            table(
                #"{"name": "x"}, {"name": "y", "constraints": {"unique": true}}"#,
                #", "foreignKeys": [{"fields": ["x", "x"], "reference": {"fields": ["y", "y"]}}]"#),
            ["/resources/0/schema/foreignKeys/0/fields: “x” is listed twice"]
        ),
        (
            #"{"resources": [{"name": "a", "strata:links": [{"name": "l", "resource": "a", "inverse": "m", "through": "b"}], "schema": {"fields": [{"name": "k"}]}}]}"#,
            ["/resources/0/strata:links/0/through: there is no resource “b” of join rows"]
        ),
        (
            #"{"resources": [{"name": "a", "strata:links": [{"name": "l", "resource": "a", "inverse": "m", "field": "k"}], "schema": {"fields": [{"name": "k", "type": "string"}]}}]}"#,
            ["/resources/0/schema/fields/0/type: the field of a link must have the type list"]
        ),
        (
            #"{"resources": [{"name": "a", "strata:links": [{"name": "l", "resource": "a", "inverse": "m", "through": "b"}], "schema": {"fields": [{"name": "k", "type": "integer"}], "primaryKey": "k"}}, {"name": "b", "schema": {"fields": [{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}, {"name": "z"}], "foreignKeys": [{"fields": "x", "reference": {"resource": "a", "fields": "k"}}, {"fields": "y", "reference": {"resource": "a", "fields": "k"}}]}}]}"#,
            [
                "/resources/1/schema/fields/2: a join row cannot have other values: remove the link to make “b” an "
                    + "entity with two references"
            ]
        ),
        (
            table(#"{"name": "x", "strata:scale": 19}"#),
            [
                "/resources/0/schema/fields/0/strata:scale: a number found, but a whole number from 0 to 18 is expected"
            ]
        ),
        (
            table(#"{"name": "x", "type": "integer", "constraints": {"pattern": "a"}}"#),
            ["/resources/0/schema/fields/0/constraints/pattern: an integer64 has no pattern"]
        ),
        (
            table(#"{"name": "x", "type": "integer", "constraints": {"minimum": "many"}}"#),
            ["/resources/0/schema/fields/0/constraints/minimum: the value is not a whole number"]
        ),
        (
            table(#"{"name": "x", "type": "integer", "constraints": {"enum": [1, true]}}"#),
            [
                "/resources/0/schema/fields/0/constraints/enum: the value is a list with true, which is true or false, "
                    + "but a whole number is expected"
            ]
        ),
        (
            table(#"{"name": "x", "type": "integer", "constraints": {"enum": []}}"#),
            ["/resources/0/schema/fields/0: the list of allowed values is empty"]
        ),
        (
            table(#"{"name": "x", "type": "string", "constraints": {"pattern": "("}}"#),
            ["/resources/0/schema/fields/0: “(” is not a valid regular expression: expected ')'"]
        ),
        (
            table(#"{"name": "x", "type": "integer", "strata:default": 12.5}"#),
            ["/resources/0/schema/fields/0/strata:default: the value is not a whole number"]
        ),
        (
            table(#"{"name": "x", "type": "string", "strata:default": {"function": "today"}}"#),
            [
                "/resources/0/schema/fields/0/strata:default: a default must be a value, or {\"function\": \"now\"} or "
                    + "{\"function\": \"newUUID\"}"
            ]
        ),
        (
            table(#"{"name": "customer"}"#, #", "primaryKey": "custmer""#),
            ["/resources/0/schema/primaryKey/0: there is no field “custmer”; did you mean customer?"]
        ),
        (
            table(
                #"{"name": "x", "type": "integer"}"#,
                #", "foreignKeys": [{"fields": "x", "reference": {"resource": "b", "fields": "id"}}]"#),
            ["/resources/0/schema/foreignKeys/0/reference/resource: there is no resource “b”; did you mean a?"]
        ),
        (
            table(
                #"{"name": "x", "type": "integer"}"#,
                #", "foreignKeys": [{"fields": ["x", "y"], "reference": {"fields": "id"}}]"#),
            ["/resources/0/schema/foreignKeys/0: the foreign key has 2 fields, but its reference has 1"]
        ),
        (
            table(
                #"{"name": "x", "strata:name": "b"}, {"name": "y", "strata:name": "B"}, {"name": "z", "strata:name": "id"}"#
            ),
            [
                "/resources/0/schema/fields/1/strata:name: “B” is reserved, or another property's name",
                "/resources/0/schema/fields/2/strata:name: “id” is reserved, or another property's name",
            ]
        ),
        (
            table(#"{"name": "x"}"#, #", "uniqueKeys": [["x", "z"], 7]"#),
            [
                "/resources/0/schema/uniqueKeys/0/1: there is no field “z”; did you mean x?",
                "/resources/0/schema/uniqueKeys/1: a unique key must be a list of fields",
            ]
        ),
        (
            table(#"{"name": "x", "strata:name": "a b"}"#),
            [
                "/resources/0/schema/fields/0/strata:name: “a b” is not a valid name: use letters, digits and _, and "
                    + "begin with a letter"
            ]
        ),
        (
            #"{"resources": [{"name": "a", "schema": {"fields": []}}, {"name": "A", "strata:name": "B", "schema": {"fields": []}}, {"name": "b", "strata:name": "b", "schema": {"fields": []}}]}"#,
            ["/resources/2/strata:name: “b” is reserved, or another entity's name"]
        ),
    ]

    @Test("each error in a model file is reported with its location and the reason", arguments: wrong + wrongSpellings)
    func refused(_ json: String, _ findings: [String]) {
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8)) }
        #expect(error?.findings.filter { $0.severity == .error }.map(\.description) == findings)
    }

    @Test("a model file above the maximum size is rejected")
    func large() {
        let json = [UInt8](repeating: 0x20, count: ModelFile.maximumByteCount + 1)
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: json) }
        #expect(error?.description == "the file has more than 16777216 bytes, the maximum of a model file")
    }

    @Test("a randomly changed model file is rejected, or its model can be written and read again")
    func spoiled() throws {
        var random = SeededGenerator(seed: 16)
        var drawn = RandomModel(seed: 16)
        let whole = Array(ModelFile.text(of: try drawn.model()).utf8)
        var readCount = 0
        for _ in 0..<Seeds.count(300, all: 20_000) {
            var json = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<json.count, using: &random)
                let length = min(Int.random(in: 1...12, using: &random), json.count - place)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: json[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: json.removeSubrange(place..<place + length)
                default: json.insert(contentsOf: json[place..<place + length], at: place)
                }
            }
            do throws(ModelFileError) {
                let model = try ModelFile(json: json).model
                let again = try ModelFile(json: Array(ModelFile.text(of: model).utf8)).model
                #expect(ModelFile.differences(from: model, to: again).isEmpty)
                readCount += 1
            } catch {
                #expect(!error.findings.isEmpty)
            }
        }
        #expect(readCount > 0)
    }

    @Test("a model file with 1,000 tables and one table of 10,000 columns is valid")
    func many() throws {
        let tables = (1...1_000).map { #"{"name": "table \#($0)", "schema": {"fields": [{"name": "Select"}]}}"# }
        let columns = (1...10_000).map { #"{"name": "column \#($0)", "type": "integer"}"# }
        let json =
            #"{"resources": [\#(tables.joined(separator: ",")), {"name": "wide", "schema": {"fields": [\#(columns.joined(separator: ","))]}}]}"#
        let model = try ModelFile(json: Array(json.utf8)).model
        #expect(model.entities.count == 1_001)
        #expect(try model.entity(named: "Wide").columns.count == 10_000)
    }

    @Test("an attribute with an unknown Swift type rejects values until the type is registered")
    func domains() throws {
        let json = Array(Self.table(#"{"name": "x", "strata:domain": "HexColor"}"#).utf8)
        let unknown = try #require(try ModelFile(json: json).model.entities[0].attributes[0].domain)
        #expect(throws: ValueError.self) { try unknown.canonicalize(.string("#000000")) }
        let known = AttributeDomain(name: "HexColor") { _ in .string("black") }
        let attribute = try ModelFile(json: json, domains: ["HexColor": known]).model.entities[0].attributes[0]
        #expect(try attribute.domain?.canonicalize(.string("#000000")) == .string("black"))
    }
}
