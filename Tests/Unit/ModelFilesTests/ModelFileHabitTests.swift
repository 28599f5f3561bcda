import StrataCore
import StrataModelFiles
import Testing

/// Frequent mistakes in descriptors in addition to those of `PublishedMistakeTests`: unsupported properties and invalid
/// structures.
@Suite("Frequent mistakes in descriptors")
struct ModelFileHabitTests {
    private static let schema = "/resources/0/schema"

    /// Returns a table of fields with more members of its schema.
    private static func table(_ fields: String, _ more: String = "") -> String {
        packageDescriptor(#""path": "t.csv""#, schema: "\"fields\": [\(fields)]\(more.isEmpty ? "" : ", " + more)")
    }

    /// Returns a field with properties, and the finding about it.
    private static func field(_ properties: String, _ finding: String) -> (String, String) {
        (table(#"{"name": "a", \#(properties)}"#), "\(schema)/fields/0\(finding)")
    }

    /// Returns a foreign key of `a` to `b`, which is unique, and the finding about it.
    private static func key(_ key: String, _ finding: String) -> (String, String) {
        (
            table(#"{"name": "a"}, {"name": "b", "constraints": {"unique": true}}"#, #""foreignKeys": [\#(key)]"#),
            "\(schema)/foreignKeys/0\(finding)"
        )
    }

    private static let asText = "is stored as the text in the file and not validated"

    private static let left: [(String, String)] = [
        (
            table(#"{"name": "a"}"#, #""foreignKey": []"#),
            "\(schema)/foreignKey: this property is not understood; did you mean foreignKeys?"
        ),
        (
            table(#"{"name": "a"}"#, #""uniqueKey": []"#),
            "\(schema)/uniqueKey: this property is not understood; did you mean uniqueKeys?"
        ),
        (
            table(#"{"name": "a"}"#, #""missingValue": [""]"#),
            "\(schema)/missingValue: this property is not understood; did you mean missingValues?"
        ),
        field(
            #""strata:defualt": 1"#, "/strata:defualt: this property is not understood; did you mean strata:default?"),
        key(
            #"{"fields": ["a"], "resource": "t", "reference": {"fields": ["b"]}}"#,
            "/resource: this property is not understood; it belongs in the foreign key's reference"),
        field(#""type": "year", "format": "%Y""#, "/type: a year in the format “%Y” \(asText)"),
        field(#""type": "geopoint", "format": "map""#, "/type: a geopoint in the format “map” \(asText)"),
        field(#""type": "list""#, "/type: a list \(asText)"),
        field(#""type": "list", "itemType": "integer""#, "/type: a list \(asText)"),
        field(
            #""type": "number", "strata:scale": 1, "bareNumber": false"#,
            "/bareNumber: text around numbers is not removed; reject a cell such as “12 EUR”, or make the field a string"
        ),
        (
            packageDescriptor(#""path": "t.csv", "dialect": {"delimiter": ";"}"#),
            "/resources/0/dialect: the format of a file is ignored in a model and used only if the package itself is "
                + "imported; give the format in the import"
        ),
        (
            #"{"$schema": "https://datapackage.org/profiles/3.1/datapackage.json", "resources": [{"name": "t", "schema": {"fields": [{"name": "a"}]}}]}"#,
            "/$schema: the version “https://datapackage.org/profiles/3.1/datapackage.json” of the standard is unknown; "
                + "the file is read as version 2"
        ),
        (
            #"{"resources": [{"name": "r", "path": "r.pdf"}, {"name": "t", "schema": {"fields": [{"name": "a"}]}}]}"#,
            "/resources/0: “r” has no schema and is skipped"
        ),
    ]

    @Test("an unknown or unsupported property is a warning, and an error in strict mode", arguments: left)
    func warned(_ json: String, _ finding: String) throws {
        #expect(try ModelFile(json: Array(json.utf8)).warnings.map(\.description) == [finding])
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8), isStrict: true) }
        #expect(error?.findings.map(\.description) == [finding])
    }

    private static let shapes: [(String, String)] = [
        (#"{"resources": ["t.csv"]}"#, "/resources/0: a text found, but an object is expected"),
        (#"{"resources": [{"name": "t", "schema": []}]}"#, "\(schema): a list found, but an object is expected"),
        (#"{"resources": [{"name": "t", "schema": {}}]}"#, "\(schema): the schema has no fields"),
        (
            table(#"{"name": "a"}"#, #""primaryKey": 7"#),
            "\(schema)/primaryKey: a number found, but a list is expected"
        ),
        (
            table(#"{"name": "a"}"#, #""primaryKey": ["a", "a"]"#),
            "\(schema)/fields/0: the uniqueness constraint (a, a) has the name twice"
        ),
        key(#"{"fields": [], "reference": {"fields": []}}"#, "/fields: a key must have at least one field"),
        key(#"{"fields": ["aa"], "reference": {"fields": ["b"]}}"#, "/fields: there is no field “aa”; did you mean a?"),
        key(
            #"{"fields": ["b"], "reference": {"fields": ["b"]}}"#,
            ": files cannot refer to T by (b): T.b refers back to itself"),
        key(
            #"{"fields": ["a"], "strata:deleteRule": "cascad", "reference": {"fields": ["b"]}}"#,
            "/strata:deleteRule: “cascad” is not a delete rule; the delete rules are nullify, cascade, deny, noAction; "
                + "did you mean cascade?"
        ),
        field(#""type": "yearmonht""#, "/type: the standard has no type “yearmonht”; did you mean yearmonth?"),
        field(#""strata:type": "integr32""#, "/strata:type: there is no type “integr32”; did you mean integer32?"),
        field(
            #""type": "integer", "strata:scale": 2"#,
            "/strata:scale: a scale can be used only for a number without strata:type"),
        field(
            #""type": "boolean", "constraints": {"maximum": true}"#, "/constraints/maximum: a boolean has no maximum"),
        field(
            #""type": "integer", "categories": ["x"]"#,
            #"/categories: the value is a list with "x", which is not a whole number"#),
        // Some other readers use the name of a block for the script of the same name.
        field(
            #""constraints": {"pattern": "a\\p{IsGreek}+"}"#,
            #"/constraints/pattern: the value is a pattern with \p{IsGreek}, a block of XML Schema's; a script is meant by \p{Greek}"#
        ),
    ]

    @Test("a property with an impossible value or structure is an error", arguments: shapes)
    func refused(_ json: String, _ finding: String) {
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8)) }
        #expect(error?.findings.map(\.description) == [finding])
    }

    @Test("incomplete or contradictory strata:links and strata:rules are errors that name the member")
    func links() {
        func link(_ members: String, _ finding: String) {
            let json =
                #"{"resources": [{"name": "a", "strata:links": [{\#(members)}], "schema": {"fields": [{"name": "k", "type": "integer"}, {"name": "f", "type": "list"}], "primaryKey": "k"}}]}"#
            let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8)) }
            #expect(
                error?.findings.filter { $0.severity == .error }.map(\.description) == [
                    "/resources/0/strata:links/0\(finding)"
                ])
        }
        let whole = #""name": "l", "resource": "a", "inverse": "m""#
        link(#""name": "l""#, ": a link must have a name, a resource and an inverse")
        link(
            whole + #", "field": "f", "through": "b""#,
            ": join rows must be in a table of their own or in a field, not in both")
        link(
            whole + #", "key": "k""#,
            "/key: a key can be used only for elements of a field; a table of join rows has foreign keys")
        link(
            whole + #", "position": "k""#,
            "/position: positions must be fields of a table of join rows, which “through” names")
        link(whole + #", "field": "ff""#, "/field: there is no field “ff” for a list; did you mean f?")
        let rule = Self.field(#""strata:rules": [{"minimum": 1, "maximum": 2}]"#, "")
        let error = #expect(throws: ModelFileError.self) { try ModelFile(json: Array(rule.0.utf8)) }
        #expect(
            error?.findings.map(\.description) == [
                "\(Self.schema)/fields/0/strata:rules/0: a rule must be an object with one of minimum, maximum, "
                    + "greaterThan, lessThan, oneOf, minimumLength, maximumLength, pattern"
            ])
    }

    @Test("a pattern with a script name or with an escaped backslash before p is accepted")
    func noBlock() throws {
        let json = Self.field(#""constraints": {"pattern": "^a\\\\p{2}\\p{Greek}$"}"#, "").0
        let rules = try ModelFile(json: Array(json.utf8), isStrict: true).model.entities[0].attributes[0].rules
        #expect(rules == [.pattern(#"a\\p{2}\p{Greek}"#)])
    }
}
