import StrataCore
import StrataModelFiles
import Testing

/// Mistakes of published descriptors in addition to those of `ModelFileErrorTests` and `DataResourceMistakeTests`.
@Suite("Mistakes of published descriptors")
struct PublishedMistakeTests {
    private static func findings(_ json: String, isStrict: Bool = false) -> [String] {
        do throws(ModelFileError) {
            return try ModelFile(json: Array(json.utf8), isStrict: isStrict, readsResources: true).warnings.map {
                "\($0.severity) \($0)"
            }
        } catch {
            return error.findings.map { "\($0.severity) \($0)" }
        }
    }

    /// Returns a field `b` with additional members.
    private static func field(_ members: String) -> String {
        packageDescriptor(#""path": "t.csv""#, schema: "\"fields\": [{\"name\": \"b\", \(members)}]")
    }

    private static let misplaced = "this property is not understood; it belongs in "

    @Test(
        "a property that is one level too high is reported with its correct location",
        arguments: [
            (#""primaryKey": "a""#, "primaryKey: \(misplaced)the schema"),
            (#""foreignKeys": []"#, "foreignKeys: \(misplaced)the schema"),
            (#""fields": []"#, "fields: \(misplaced)the schema"),
            (#""missingValues": ["NA"]"#, "missingValues: \(misplaced)the schema"),
            (
                #""primaryKeys": "a""#,
                "primaryKeys: this property is not understood; did you mean primaryKey, in the schema?"
            ),
            (
                #""foreignkeys": []"#,
                "foreignkeys: this property is not understood; did you mean foreignKeys, in the schema?"
            ),
            (#""delimiter": ";""#, "delimiter: \(misplaced)the resource's dialect"),
            (#""quoteChar": "'""#, "quoteChar: \(misplaced)the resource's dialect"),
        ])
    func membersNextToSchema(members: String, finding: String) {
        let json = packageDescriptor("\"path\": \"t.csv\", \(members)")
        #expect(Self.findings(json) == ["warning /resources/0/" + finding])
        #expect(Self.findings(json, isStrict: true) == ["warning /resources/0/" + finding])
    }

    @Test(
        "a mistake in a field of a published descriptor is reported with its location",
        arguments: [
            (#""required": true"#, "warning required: \(misplaced)the field's constraints"),
            (#""unique": true"#, "warning unique: \(misplaced)the field's constraints"),
            (#""enum": ["a"]"#, "warning enum: \(misplaced)the field's constraints"),
            (
                #""minLenght": 2"#,
                "warning minLenght: this property is not understood; did you mean minLength, in the field's constraints?"
            ),
            (
                #""constraint": {"required": true}"#,
                "warning constraint: this property is not understood; did you mean constraints?"
            ),
            (
                #""constraints": {"minium": 2}"#,
                "warning constraints/minium: this property is not understood; did you mean minimum?"
            ),
            (
                #""constraints": {"required": "true"}"#,
                "error constraints/required: a text found, but true or false is expected"
            ),
            (
                #""constraints": {"minLength": 2, "maxLength": 1}"#,
                "warning constraints/maxLength: no value satisfies both this constraint and the minLength, 2"
            ),
            (
                #""type": "integer", "constraints": {"minimum": 5, "maximum": 2}"#,
                "warning constraints/maximum: no value satisfies both this constraint and the minimum, 5"
            ),
            (
                #""type": "integer", "constraints": {"exclusiveMinimum": 5, "maximum": 5}"#,
                "warning constraints/maximum: no value satisfies both this constraint and the exclusiveMinimum, 5"
            ),
            (
                #""type": "date", "constraints": {"minimum": "2024-02-01", "exclusiveMaximum": "2024-01-01"}"#,
                "warning constraints/exclusiveMaximum: no value satisfies both this constraint and the minimum, "
                    + "\"2024-02-01\""
            ),
            (
                #""type": "integer", "constraints": {"minLength": 2}"#,
                "error constraints/minLength: an integer64 has no minLength"
            ),
            (#""type": "string", "constraints": {"minimum": 2}"#, "error constraints/minimum: a string has no minimum"),
            (
                #""type": "duration", "constraints": {"minimum": "P1D"}"#,
                "error constraints/minimum: a text of the form duration has no minimum"
            ),
            (
                #""type": "object", "constraints": {"jsonSchema": {}}"#,
                "error constraints/jsonSchema: this constraint is not supported, so the rule would be lost"
            ),
            (
                #""categories": ["a", "b"], "constraints": {"enum": ["a", "c"]}"#,
                "error constraints/enum: \"c\" is not one of the field's categories"
            ),
            (
                #""constraints": {"pattern": "\\i\\c*"}"#,
                #"error : “\i\c*” is not a valid regular expression: invalid escape sequence '\i'"#
            ),
            (
                #""constraints": {"pattern": "[a-z-[aeiou]]"}"#,
                "error : “[a-z-[aeiou]]” is not a valid regular expression: subtraction with '-' is unsupported; use "
                    + "'--' instead"
            ),
            (
                #""constraints": {"pattern": "\\p{IsBasicLatin}"}"#,
                #"error constraints/pattern: the value is a pattern with \p{IsBasicLatin}, a block of XML Schema's; a script is meant by \p{Greek}"#
            ),
            (
                #""constraints": {"pattern": "(?<=a)b"}"#,
                "error : “(?<=a)b” is not a valid regular expression: lookbehind is not currently supported"
            ),
            (#""type": "text""#, "error type: the standard has no type “text”; did you mean string?"),
            (#""type": "float""#, "error type: the standard has no type “float”; did you mean number?"),
            (#""type": "timestamp""#, "error type: the standard has no type “timestamp”; did you mean datetime?"),
            (#""type": "BOOL""#, "error type: the standard has no type “BOOL”; did you mean boolean?"),
            (
                #""type": "string", "format": "mail""#,
                "warning type: a text in the format “mail” is stored as the text in the file and not validated; did "
                    + "you mean email?"
            ),
            (
                #""type": "date", "format": "DD/MM/YYYY""#,
                "warning type: a date in the format “DD/MM/YYYY” is stored as the text in the file and not validated; "
                    + "write the format in strptime's letters, as in %d.%m.%Y or %H:%M"
            ),
            (
                #""type": "date", "format": "any""#,
                "warning type: a date in the format “any” is stored as the text in the file and not validated; write "
                    + "the format in strptime's letters, as in %d.%m.%Y or %H:%M"
            ),
            (
                #""type": "date", "format": "%x""#,
                "error format: “%x” has the letter %x, which is not supported; the letters are %Y %y %m %b %B %h %d %e "
                    + "%j %a %A %H %I %p %M %S %f %z %F %T %D %R and %%"
            ),
            (
                #""type": "date", "format": "%m/%Y""#,
                "error format: “%m/%Y” has no full day: a year, a month and a day, or a year and %j"
            ),
            (#""type": "boolean", "trueValues": []"#, "error trueValues: the list of words is empty"),
            (#""missingValues": "NA""#, "error missingValues: a text found, but a list is expected"),
            (#""title": 3"#, "error title: a number found, but a text is expected"),
        ])
    func ofFields(members: String, finding: String) {
        let parts = finding.split(separator: " ", maxSplits: 1)
        let place = parts[1].hasPrefix(": ") ? "" : "/"
        #expect(Self.findings(Self.field(members)) == ["\(parts[0]) /resources/0/schema/fields/0\(place)\(parts[1])"])
    }

    @Test(
        "a mistake in the structure of a published descriptor is reported with its location",
        arguments: [
            (
                #"{"resources": {"t": {"path": "t.csv"}}}"#,
                ["error /resources: an object found, but a list is expected"]
            ),
            (
                #"{"resource": [{"name": "t", "path": "t.csv"}]}"#,
                [
                    "warning /resource: this property is not understood; did you mean resources?",
                    "error there are no resources: a model is a Data Package descriptor with one resource for each "
                        + "table",
                ]
            ),
            (
                #"{"resources": [{"path": "t.csv", "schema": {"fields": [{"name": "a"}]}}]}"#,
                ["error /resources/0: the resource has no name"]
            ),
            (
                #"{"licences": [], "resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}]}}]}"#,
                ["warning /licences: this property is not understood; did you mean licenses?"]
            ),
            (
                #"{"licenses": [{"id": "ODC-BY"}, {"name": "MIT"}], "resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}]}}]}"#,
                [
                    #"warning /licenses/0: a license must have a name, as in {"name": "ODC-BY-1.0"}, or a path to its text"#
                ]
            ),
            (
                packageDescriptor(#""path": "t.csv""#, schema: #""fields": {"a": "string"}"#),
                ["error /resources/0/schema/fields: an object found, but a list is expected"]
            ),
            (
                packageDescriptor(#""path": "t.csv""#, schema: #""fields": ["a"]"#),
                ["error /resources/0/schema/fields/0: a text found, but an object is expected"]
            ),
            (
                packageDescriptor(
                    #""path": "t.csv""#, schema: #""fields": [{"name": "a"}], "foreignKeys": {"fields": "a"}"#),
                ["error /resources/0/schema/foreignKeys: an object found, but a list is expected"]
            ),
            (
                packageDescriptor(
                    #""path": "t.csv""#, schema: #""fields": [{"name": "a"}], "foreignKeys": [{"fields": "a"}]"#),
                ["error /resources/0/schema/foreignKeys/0: a foreign key must have fields, and a reference with fields"]
            ),
            (
                packageDescriptor(
                    #""path": "t.csv""#,
                    schema:
                        #""fields": [{"name": "a"}], "foreignKeys": [{"fields": "a", "reference": {"package": "p.json", "resource": "u", "fields": "k"}}]"#
                ),
                [
                    "warning /resources/0/schema/foreignKeys/0: a reference to another package is not checked; the field is an attribute"
                ]
            ),
            (
                packageDescriptor(#""path": ["t.csv", "https://x.org/t.csv"]"#),
                [
                    "error /resources/0/path/1: “https://x.org/t.csv” is a remote file, which is not fetched; download "
                        + "the file and name the copy"
                ]
            ),
            (
                packageDescriptor(#""url": "https://x.org/t.csv""#, version: 1),
                [
                    "error /resources/0/url: “https://x.org/t.csv” is a remote file, which is not fetched; download "
                        + "the file and name the copy"
                ]
            ),
        ])
    func ofTheWhole(json: String, findings: [String]) {
        #expect(Self.findings(json) == findings)
    }

    @Test("property names and date formats of the standard's first drafts are accepted")
    func drafts() throws {
        let json = packageDescriptor(
            #""url": "t.csv""#, schema: #""fields": [{"name": "b", "type": "date", "format": "fmt:%d.%m.%Y"}]"#,
            version: 1)
        let file = try ModelFile(json: Array(json.utf8), readsResources: true)
        #expect(file.warnings.isEmpty && file.resources.map(\.content) == [.files(["t.csv"])])
        #expect(file.model.entities[0].attributes.map(\.spelling.dateFormat) == ["%d.%m.%Y"])
        #expect(try ModelFile.paths(json: Array(json.utf8)) == ["t.csv"])
    }
}
