import StrataModelFiles
import Testing

@Suite("Mistakes in data resources of a descriptor")
struct DataResourceMistakeTests {
    private static let path = "is no path below the descriptor's directory; hidden files, “..” and “~” are none either"

    @Test(
        "a mistake in a data resource is reported with its location and a remedy",
        arguments: [
            (#""title": "x""#, ["/resources/0: “t” has neither path nor data, so that there are no rows to be read"]),
            (
                #""path": "t.csv", "data": []"#,
                ["/resources/0/data: “t” has both path and data; one of them says where the rows are"]
            ),
            (#""path": []"#, ["/resources/0/path: there is no path in it"]),
            (#""path": 1"#, ["/resources/0/path: a number found, and a list is expected"]),
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
                    "/resources/0/path: “https://x.org/t.csv” is remote, which is not fetched; download it and name the file"
                ]
            ),
            (
                #""path": ["a.csv", "ftp://x.org/b.csv", "../c.csv"]"#,
                [
                    "/resources/0/path/1: “ftp://x.org/b.csv” is remote, which is not fetched; download it and name the file",
                    "/resources/0/path/2: “../c.csv” \(path)",
                ]
            ),
            (
                #""path": "t.csv", "compression": "zip""#,
                ["/resources/0/compression: “zip” is not read; unpack the file, or compress it by gz"]
            ),
            (
                #""path": "t.csv.zip", "format": "csv""#,
                ["/resources/0/path: “t.csv.zip” is an archive, which is not read; unpack it, or compress by gz"]
            ),
            (
                #""path": "t.csv", "hash": "sha256:12""#,
                ["/resources/0/hash: “sha256:12” is no digest by sha256, which has 64 hexadecimal digits"]
            ),
            (
                #""path": "t.csv", "bytes": -1"#,
                ["/resources/0/bytes: a number found, and a whole number from 0 on is expected"]
            ),
            (
                #""data": "a\n1""#,
                ["/resources/0/data: a text has no format of its own; say it, as in \"format\": \"csv\""]
            ),
            (
                #""data": "x", "format": "xlsx""#,
                ["/resources/0/format: a text in the format “xlsx” is not read; csv, tsv, json and ndjson are"]
            ),
            (
                #""data": {"a": 1}"#,
                ["/resources/0/data: an object found, and rows are expected: a list, or a text in a format"]
            ),
            (
                #""data": [{"a": 1}, 2]"#,
                ["/resources/0/data/1: a number found, and an object is expected, as all rows are one"]
            ),
            (
                #""data": [["a"], {"a": 1}]"#,
                ["/resources/0/data/1: an object found, and a list is expected, as the first row is one"]
            ),
            (
                #""data": [["a"], [1, 2]]"#,
                ["/resources/0/data/1: the row has 2 values, and there are 1 names"]
            ),
            (
                #""data": [[1], [2]]"#,
                ["/resources/0/data/0/0: a number found, and the first of several lists has the columns' names"]
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
                "delimiter: “;;” cannot be the delimiter, which is one ASCII character"
            ),
            (#""delimiter": "·""#, "delimiter: “·” cannot be the delimiter, which is one ASCII character"),
            (
                #""delimiter": "\\t""#,
                #"delimiter: “\t” cannot be the delimiter, which is one ASCII character; a tab is written "\t", with one backslash"#
            ),
            (#""delimiter": "\n""#, #"delimiter: “\n” cannot be the delimiter, which is one ASCII character"#),
            (#""delimiter": 1"#, "delimiter: a number found, and a text is expected"),
            (#""quoteChar": "''""#, "quoteChar: “''” cannot be the quote, which is one ASCII character"),
            (#""quoteChar": ",""#, "quoteChar: the delimiter and the quote are the same character"),
            (#""escapeChar": ",""#, "escapeChar: the delimiter and the escape character are the same"),
            (#""escapeChar": "ab""#, "escapeChar: “ab” cannot be the escape character, which is one ASCII character"),
            (
                #""lineTerminator": "|\n""#,
                #"lineTerminator: only CRLF, LF and CR end a line, and “|\n” is another text; a file with it is not read"#
            ),
            (#""commentChar": """#, "commentChar: every row begins with nothing; leave the property out"),
            (#""header": "no""#, "header: a text found, and true or false is expected"),
            (
                #""header": false, "headerRows": [1]"#,
                "headerRows: there are none where “header” is false; leave one of the two out"
            ),
            (
                #""headerRows": []"#,
                "headerRows: there is no row in it; without a header write \"header\": false"
            ),
            (#""headerRows": [0]"#, "headerRows/0: a row's number is expected, from 1 on"),
            (#""headerRows": [2, 1]"#, "headerRows/1: the rows' numbers rise, and row 1 is not behind the last one"),
            (#""headerRows": ["1"]"#, "headerRows/0: a row's number is expected, from 1 on"),
            (
                #""headerRows": [2000000]"#,
                "headerRows: row 2000000 is too far down; 1000000 is the last that can be meant"
            ),
            (#""headerRows": [2], "commentRows": [2]"#, "commentRows: row 2 is a header row as well"),
            (
                #""sheetName": "x""#,
                "sheetName: is of spreadsheets and databases, which are not read; export the rows as CSV"
            ),
            (#""table": "x""#, "table: is of spreadsheets and databases, which are not read; export the rows as CSV"),
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
                "itemType: records that are no objects are not read (“array”); write them as objects"
            ),
            (
                "t.json", #""itemKeys": ["a"]"#,
                "itemKeys: is not supported; the schema's fields say which members are read"
            ),
            (
                "t.ndjson", #""property": "a""#,
                "property: is for a JSON document; NDJSON has its records on lines"
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
                "/resources/0/hash: digests by “crc32” are not compared; there are md5, sha1, sha256, sha512"
            ),
            (
                #""path": "t.csv", "dialect": {"delimeter": ";"}"#,
                "/resources/0/dialect/delimeter: this property is not understood; did you mean delimiter?"
            ),
            (
                #""path": "t.json", "dialect": {"delimiter": ";"}"#,
                "/resources/0/dialect/delimiter: JSON does not have it, and it is not looked at"
            ),
            (
                #""path": "t.csv", "dialect": {"property": "rows"}"#,
                "/resources/0/dialect/property: CSV does not have it, and it is not looked at"
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
                    "/resources/0/schema/fieldsMatch: “exat” is none of exact, equal, subset, superset, partial; did you mean exact?"
                ])
        #expect(
            findings(packageDescriptor(#""path": "t.csv", "dialect": {"csvddfVersion": "new"}"#, version: 1)) == [
                "/resources/0/dialect/csvddfVersion: “new” is no version, as in 1.2"
            ])
        #expect(
            findings(
                #"{"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "a"}]}}, {"name": "t", "path": "u.csv", "schema": {"fields": [{"name": "a"}]}}]}"#
            ) == ["/resources/1/name: there is another resource “t”"])
        #expect(
            findings(packageDescriptor(#""path": "t.csv", "dialect": "../d.json""#))?.first
                == "/resources/0/dialect: “../d.json” \(Self.path)")
    }
}
