import StrataCore
import StrataModelFiles
import Testing

/// Findings about fields that do not become attributes.
@Suite("Fields of references, lists and identifiers")
struct ModelFileUnkeptTests {
    private static let spelling =
        "the format of a reference, list or identifier cannot be changed; this property is "
        + "ignored"

    private static func file(_ json: String) throws -> ModelFile { try ModelFile(json: Array(json.utf8)) }

    @Test("unsupported formats of identifiers and references are warnings, and supported formats are not")
    func references() throws {
        let json = """
            {"resources": [{"name": "a", "schema": {
                "missingValues": ["", "-"],
                "fields": [
                    {"name": "k", "type": "integer", "groupChar": "'", "missingValues": ["", "-"]},
                    {"name": "r", "type": "integer", "missingValues": ["", "-"]},
                    {"name": "s", "type": "integer", "missingValues": ["NA"], "groupChar": "'", "decimalChar": ","},
                    {"name": "d", "type": "date", "constraints": {"unique": true}, "format": "%d.%m.%Y"},
                    {"name": "t", "type": "date", "format": "%d.%m.%Y"}
                ],
                "primaryKey": "k",
                "foreignKeys": [
                    {"fields": "r", "reference": {"fields": "k"}}, {"fields": "s", "reference": {"fields": "k"}},
                    {"fields": "t", "reference": {"fields": "d"}}
                ]}}]}
            """
        let warnings = try Self.file(json).warnings
        #expect(
            warnings.map(\.place).sorted() == [
                "/resources/0/schema/fields/0/groupChar", "/resources/0/schema/fields/2/decimalChar",
                "/resources/0/schema/fields/2/groupChar", "/resources/0/schema/fields/2/missingValues",
                "/resources/0/schema/fields/4/format",
            ])
        #expect(Set(warnings.map(\.message)) == [Self.spelling])
        #expect(throws: ModelFileError.self) { try ModelFile(json: Array(json.utf8), isStrict: true) }
    }

    @Test("formats and constraints of a list field are reported as unsupported")
    func lists() throws {
        let warnings = try Self.file(
            """
            {"resources": [{"name": "a", "strata:links": [{"name": "l", "resource": "a", "inverse": "m", "field": "f"}],
                "schema": {"fields": [{"name": "k", "type": "integer"}, {"name": "f", "type": "list",
                    "missingValues": ["-"], "constraints": {"required": true, "minLength": 2}}], "primaryKey": "k"}}]}
            """
        ).warnings
        #expect(
            warnings.map(\.description) == [
                "/resources/0/schema/fields/1/missingValues: \(Self.spelling)",
                "/resources/0/schema/fields/1/constraints/required: the constraints of a list are ignored; declare "
                    + "counts at the link",
                "/resources/0/schema/fields/1/constraints/minLength: the constraints of a list are ignored; declare "
                    + "counts at the link",
            ])
    }

    /// Returns a link of table `a`, with identifiers `k` and a key `n`, through a join table.
    private static func pairs(_ fields: String, _ more: String = "", by key: String = "k") -> String {
        """
        {"resources": [
            {"name": "a", "strata:links": [
                {"name": "l", "resource": "a", "inverse": "m", "through": "b", "ordered": true, "position": "p"}],
             "schema": {"fields": [{"name": "k", "type": "integer"},
                {"name": "n", "type": "number", "constraints": {"unique": true}}], "primaryKey": "k"}},
            {"name": "b", "schema": {"fields": [\(fields)], "foreignKeys": [
                {"fields": "x", "reference": {"resource": "a", "fields": "\(key)"}},
                {"fields": "y", "reference": {"resource": "a", "fields": "\(key)"}}]\(more)}}]}
        """
    }

    @Test("formats and rules of a join table are reported as unsupported")
    func pairs() throws {
        let warnings = try Self.file(
            Self.pairs(
                """
                {"name": "x", "type": "integer", "missingValues": ["-"], "constraints": {"required": true}},
                {"name": "y", "type": "integer", "constraints": {"unique": true, "minimum": 2}},
                {"name": "p", "type": "integer", "groupChar": "'"}
                """, #", "primaryKey": ["y", "x"], "missingValues": ["NA"]"#)
        ).warnings
        #expect(
            warnings.map(\.place).sorted() == [
                "/resources/1/schema/fields/0/missingValues", "/resources/1/schema/fields/1/constraints/minimum",
                "/resources/1/schema/fields/1/constraints/unique", "/resources/1/schema/fields/2/groupChar",
                "/resources/1/schema/missingValues",
            ])
    }

    @Test(
        "a join table with a field of another type than its target, or with another primary key, is rejected",
        arguments: [
            (
                #"{"name": "x"}, {"name": "y", "type": "integer"}, {"name": "p", "type": "integer"}"#, "",
                "/resources/1/schema/fields/0: “x” has the type string, but refers to “k”, which has the type integer64"
            ),
            (
                #"{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}, {"name": "p", "type": "number"}"#,
                "", "/resources/1/schema/fields/2: “p” has the type double, but a position must be a whole number"
            ),
            (
                #"{"name": "x", "type": "integer"}, {"name": "y", "type": "integer"}, {"name": "p", "type": "integer"}"#,
                #", "primaryKey": ["x", "p"]"#,
                "/resources/1/schema/primaryKey: the primary key of join rows must consist of both foreign keys: x, y"
            ),
        ])
    func wrongPairs(_ fields: String, _ more: String, _ finding: String) {
        let error = #expect(throws: ModelFileError.self) { try Self.file(Self.pairs(fields, more)) }
        #expect(error?.findings.filter { $0.severity == .error }.map(\.description) == [finding])
    }

    @Test(
        "a reference of an unspecified number type has the type of its target, also after inference",
        arguments: [
            nil, .double, .decimal(scale: 2), .text,
        ] as [ResolvedNumber?])
    func openNumbers(_ found: ResolvedNumber?) throws {
        let open = UnspecifiedNumber(entity: "A", attribute: "x")
        let json = """
            {"resources": [
                {"name": "c", "schema": {"fields": [{"name": "z", "type": "number"}],
                    "foreignKeys": [{"fields": "z", "reference": {"resource": "b", "fields": "y"}}]}},
                {"name": "b", "schema": {"fields": [{"name": "y", "type": "number", "constraints": {"unique": true}}],
                    "foreignKeys": [{"fields": "y", "reference": {"resource": "a", "fields": "x"}}]}},
                {"name": "a", "schema": {"fields": [{"name": "x", "type": "number", "constraints": {"unique": true}}]}}
            ]}
            """
        let numbers = found.map { [open: $0] } ?? [:]
        let file = try ModelFile(json: Array(json.utf8), numbers: numbers, isStrict: true)
        #expect(file.openNumbers == (found == nil ? [open] : []))
        #expect(try file.model.entity(named: "A").attributes[0].type == found?.type ?? .double)
        #expect(try file.model.entity(named: "C").relationships[0].destination == "B")
        let pairs =
            #"{"name": "x", "type": "number"}, {"name": "y", "type": "number"}, {"name": "p", "type": "integer"}"#
        let number = UnspecifiedNumber(entity: "A", attribute: "n")
        let linked = try ModelFile(
            json: Array(Self.pairs(pairs, by: "n").utf8), numbers: found.map { [number: $0] } ?? [:], isStrict: true)
        #expect(linked.openNumbers == (found == nil ? [number] : []))
    }

    @Test(
        "a number of unspecified type cannot refer to a text, and remains unspecified if it refers to another package")
    func otherNumbers() throws {
        let text = """
            {"resources": [{"name": "a", "schema": {"fields": [{"name": "x", "type": "number"},
                {"name": "y", "constraints": {"unique": true}}],
                "foreignKeys": [{"fields": "x", "reference": {"fields": "y"}}]}}]}
            """
        let error = #expect(throws: ModelFileError.self) { try Self.file(text) }
        #expect(
            error?.findings.map(\.description) == [
                "/resources/0/schema/fields/0: “x” has the type double, but refers to “y”, which has the type string"
            ])
        let other = """
            {"resources": [{"name": "a", "schema": {"fields": [{"name": "x", "type": "number"}], "foreignKeys": [
                {"fields": "x", "reference": {"package": "p", "resource": "q", "fields": "y"}}]}}]}
            """
        #expect(try Self.file(other).openNumbers == [UnspecifiedNumber(entity: "A", attribute: "x")])
    }
}
