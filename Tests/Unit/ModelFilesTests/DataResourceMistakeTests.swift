import StrataModelFiles
import Testing

@Suite("Mistakes in data resources of a descriptor")
struct DataResourceMistakeTests {
    private static let path = "must be a path below the descriptor's directory, without hidden files, “..” and “~”"

    @Test(
        "a mistake in a data resource is reported with its location and a remedy",
        arguments: [
            (
                #""title": "x""#,
                ["/resources/0: “t” has neither path nor data, so it contains no rows; specify one of them"]
            ),
            (
                #""path": "t.csv", "data": []"#,
                ["/resources/0/data: “t” has both path and data; specify only one of them"]
            ),
            (#""path": []"#, ["/resources/0/path: the list of paths is empty"]),
            (#""path": 1"#, ["/resources/0/path: a number found, but a list is expected"]),
            (#""path": "/etc/passwd""#, ["/resources/0/path: “/etc/passwd” \(path)"]),
            (#""path": "../t.csv""#, ["/resources/0/path: “../t.csv” \(path)"]),
            (#""path": "a/../../t.csv""#, ["/resources/0/path: “a/../../t.csv” \(path)"]),
            (#""path": "~/t.csv""#, ["/resources/0/path: “~/t.csv” \(path)"]),
            (#""path": ".git/t.csv""#, ["/resources/0/path: “.git/t.csv” \(path)"]),
            (#""path": "a\\t.csv""#, ["/resources/0/path: “a\\t.csv” \(path)"]),
            (#""path": "file:t.csv""#, ["/resources/0/path: “file:t.csv” \(path)"]),
            (#""path": """#, ["/resources/0/path: “” \(path)"]),
            (
                #""path": "https://x.org/t.csv""#,
                [
                    "/resources/0/path: “https://x.org/t.csv” is a remote file, which is not fetched; download the "
                        + "file and name the copy"
                ]
            ),
            (
                #""path": ["a.csv", "ftp://x.org/b.csv", "../c.csv"]"#,
                [
                    "/resources/0/path/1: “ftp://x.org/b.csv” is a remote file, which is not fetched; download the "
                        + "file and name the copy",
                    "/resources/0/path/2: “../c.csv” \(path)",
                ]
            ),
            (
                #""path": "t.csv", "compression": "zip""#,
                [
                    "/resources/0/compression: the compression “zip” is not supported; decompress the file, or compress "
                        + "it with gz"
                ]
            ),
            (
                #""path": "t.csv.zip", "format": "csv""#,
                [
                    "/resources/0/path: “t.csv.zip” is an archive, which is not supported; unpack it, or compress the "
                        + "file with gz"
                ]
            ),
            (
                #""path": "t.csv", "hash": "sha256:12""#,
                ["/resources/0/hash: “sha256:12” is not a digest by sha256, which has 64 hexadecimal digits"]
            ),
            (
                #""path": "t.csv", "bytes": -1"#,
                ["/resources/0/bytes: a number found, but a whole number from 0 on is expected"]
            ),
            (
                #""data": "a\n1""#,
                ["/resources/0/data: a text requires a format, as in \"format\": \"csv\""]
            ),
            (
                #""data": "x", "format": "xlsx""#,
                ["/resources/0/format: a text in the format “xlsx” is not supported; use csv, tsv, json or ndjson"]
            ),
            (
                #""data": {"a": 1}"#,
                ["/resources/0/data: an object found, but rows are expected: a list, or a text in a format"]
            ),
            (
                #""data": [{"a": 1}, 2]"#,
                ["/resources/0/data/1: a number found, but an object is expected, because all rows must be objects"]
            ),
            (
                #""data": [["a"], {"a": 1}]"#,
                ["/resources/0/data/1: an object found, but a list is expected, because the first row is a list"]
            ),
            (
                #""data": [["a"], [1, 2]]"#,
                ["/resources/0/data/1: the row has 2 values, but there are 1 names"]
            ),
            (
                #""data": [[1], [2]]"#,
                ["/resources/0/data/0/0: a number found, but the first list must contain the columns' names"]
            ),
        ])
    func resources(properties: String, findings: [String]) {
        let error = #expect(throws: ModelFileError.self) { try readPackage(packageDescriptor(properties)) }
        #expect(error?.findings.map(\.description) == findings)
    }

    @Test(
        "a mistake in a CSV dialect is reported with its location",
        arguments: [
            (
                #""delimiter": ";;""#,
                "delimiter: “;;” cannot be the delimiter, which must be one ASCII character"
            ),
            (#""delimiter": "·""#, "delimiter: “·” cannot be the delimiter, which must be one ASCII character"),
            (
                #""delimiter": "\\t""#,
                #"delimiter: “\t” cannot be the delimiter, which must be one ASCII character; a tab is written "\t", with one backslash"#
            ),
            (#""delimiter": "\n""#, #"delimiter: “\n” cannot be the delimiter, which must be one ASCII character"#),
            (#""delimiter": 1"#, "delimiter: a number found, but a text is expected"),
            (#""quoteChar": "''""#, "quoteChar: “''” cannot be the quote, which must be one ASCII character"),
            (#""quoteChar": ",""#, "quoteChar: the delimiter and the quote are the same character"),
            (#""escapeChar": ",""#, "escapeChar: the delimiter and the escape character are the same"),
            (
                #""escapeChar": "ab""#,
                "escapeChar: “ab” cannot be the escape character, which must be one ASCII character"
            ),
            (
                #""lineTerminator": "|\n""#,
                #"lineTerminator: only CRLF, LF and CR can end a line, not “|\n”"#
            ),
            (
                #""commentChar": """#,
                "commentChar: the text that begins a comment must not be empty; remove the property"
            ),
            (#""header": "no""#, "header: a text found, but true or false is expected"),
            (
                #""header": false, "headerRows": [1]"#,
                "headerRows: header rows are not possible if “header” is false; remove one of the two properties"
            ),
            (
                #""headerRows": []"#,
                "headerRows: the list of rows is empty; for a file without a header write \"header\": false"
            ),
            (#""headerRows": [0]"#, "headerRows/0: a row number from 1 on is expected"),
            (
                #""headerRows": [2, 1]"#,
                "headerRows/1: the row numbers must be ascending, but row 1 does not follow the last one"
            ),
            (#""headerRows": ["1"]"#, "headerRows/0: a row number from 1 on is expected"),
            (
                #""headerRows": [2000000]"#,
                "headerRows: row 2000000 is too large; 1000000 is the maximum"
            ),
            (#""headerRows": [2], "commentRows": [2]"#, "commentRows: row 2 is also a header row"),
            (
                #""sheetName": "x""#,
                "sheetName: this property is for spreadsheets and databases, which are not supported; export the rows "
                    + "as CSV"
            ),
            (
                #""table": "x""#,
                "table: this property is for spreadsheets and databases, which are not supported; export the rows as CSV"
            ),
        ])
    func dialects(dialect: String, finding: String) {
        let json = packageDescriptor("\"path\": \"t.csv\", \"dialect\": {\(dialect)}")
        let error = #expect(throws: ModelFileError.self) { try readPackage(json) }
        #expect(error?.findings.map(\.description) == ["/resources/0/dialect/" + finding])
    }

    @Test(
        "a mistake in the dialect of a JSON or NDJSON file is reported with its location",
        arguments: [
            (
                "t.json", #""itemType": "array""#,
                "itemType: records of the type “array” are not supported; write the records as objects"
            ),
            (
                "t.json", #""itemKeys": ["a"]"#,
                "itemKeys: this property is not supported; the schema's fields determine which members are read"
            ),
            (
                "t.ndjson", #""property": "a""#,
                "property: this property can be used only for a JSON document, not for NDJSON"
            ),
        ])
    func documents(path: String, dialect: String, finding: String) {
        let json = packageDescriptor("\"path\": \"\(path)\", \"dialect\": {\(dialect)}")
        let error = #expect(throws: ModelFileError.self) { try readPackage(json) }
        #expect(error?.findings.map(\.description) == ["/resources/0/dialect/" + finding])
    }

    @Test(
        "a property that has no effect or may be misspelled is a warning",
        arguments: [
            (
                #""path": "t.csv", "hash": "crc32:00""#,
                "/resources/0/hash: digests by “crc32” are not supported; the algorithms are md5, sha1, sha256, sha512"
            ),
            (
                #""path": "t.csv", "dialect": {"delimeter": ";"}"#,
                "/resources/0/dialect/delimeter: this property is not understood; did you mean delimiter?"
            ),
            (
                #""path": "t.json", "dialect": {"delimiter": ";"}"#,
                "/resources/0/dialect/delimiter: JSON does not have this property; it is ignored"
            ),
            (
                #""path": "t.csv", "dialect": {"property": "rows"}"#,
                "/resources/0/dialect/property: CSV does not have this property; it is ignored"
            ),
        ])
    func warnings(properties: String, warning: String) throws {
        #expect(try readPackage(packageDescriptor(properties)).warnings.map(\.description) == [warning])
    }

    @Test("mistakes in fieldsMatch, csvddfVersion, resource names and dialect paths are reported")
    func others() {
        func findings(_ json: String) -> [String]? {
            (#expect(throws: ModelFileError.self) { try readPackage(json) })?.findings.map(\.description)
        }
        #expect(
            findings(
                packageDescriptor(#""path": "t.csv""#, schema: #""fieldsMatch": "exat", "fields": [{"name": "a"}]"#))
                == [
                    "/resources/0/schema/fieldsMatch: “exat” is not one of exact, equal, subset, superset, partial; "
                        + "did you mean exact?"
                ])
        #expect(
            findings(packageDescriptor(#""path": "t.csv", "dialect": {"csvddfVersion": "new"}"#, version: 1)) == [
                "/resources/0/dialect/csvddfVersion: “new” is not a version such as 1.2"
            ])
        #expect(
            findings(
                #"{"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}]}}, {"name": "t", "path": "u.csv", "schema": {"fields": [{"name": "a"}]}}]}"#
            ) == ["/resources/1/name: two resources have the name “t”"])
        #expect(
            findings(packageDescriptor(#""path": "t.csv", "dialect": "../d.json""#))?.first
                == "/resources/0/dialect: “../d.json” \(Self.path)")
    }
}
