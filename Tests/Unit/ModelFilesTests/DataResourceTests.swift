import StrataModelFiles
import Testing

/// Returns a descriptor of one table with additional properties.
func packageDescriptor(_ properties: String, schema: String = #""fields": [{"name": "a"}]"#, version: Int = 2)
    -> String
{
    let profile = version == 2 ? #""$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "# : ""
    return "{\(profile)\"resources\": [{\"name\": \"t\", \(properties), \"schema\": {\(schema)}}]}"
}

func readPackage(_ json: String) throws(ModelFileError) -> ModelFile {
    try ModelFile(json: Array(json.utf8), readsResources: true) { name in
        #expect(name == "d.json")
        return Array(#"{"delimiter": ";", "quoteChr": "'"}"#.utf8)
    }
}

@Suite("Data resources of a descriptor")
struct DataResourceTests {
    private func resource(_ json: String) throws -> DataResource { try #require(try readPackage(json).resources.first) }

    @Test("a resource with only a path has default values for the other properties")
    func usual() throws {
        let resource = try resource(packageDescriptor(#""path": "a/t.csv""#))
        #expect(resource.name == "t" && resource.place == "/resources/0" && resource.format == .csv)
        #expect(resource.content == .files(["a/t.csv"]) && resource.fields == ["a"])
        #expect(resource.dialect == ResourceDialect() && resource.fieldsMatch == .exact)
        #expect(resource.encoding == nil && resource.byteCount == nil && resource.hash == nil)
    }

    @Test("every property of a CSV dialect is read")
    func dialect() throws {
        let dialect = try resource(
            packageDescriptor(
                #"""
                "path": "t.csv", "dialect": {"delimiter": ";", "lineTerminator": "\n", "quoteChar": "'", "doubleQuote": false,
                "escapeChar": "\\", "headerRows": [2, 3], "headerJoin": "_", "commentChar": "//", "commentRows": [1, 9],
                "nullSequence": "\\N", "skipInitialSpace": true}
                """#)
        ).dialect
        var expected = ResourceDialect()
        (expected.delimiter, expected.quote, expected.escape) = (0x3B, 0x27, 0x5C)
        (expected.doublesQuotes, expected.skipsInitialSpace) = (false, true)
        (expected.headerRows, expected.headerJoin, expected.commentRows) = ([2, 3], "_", [1, 9])
        (expected.comment, expected.nullSequence) = ("//", "\\N")
        #expect(dialect == expected)
    }

    @Test("equivalent values of dialect properties have the same effect")
    func sameWords() throws {
        func dialect(_ words: String) throws -> ResourceDialect {
            try resource(packageDescriptor("\"path\": \"t.csv\", \"dialect\": \(words)")).dialect
        }
        for usual in [#"{"escapeChar": "\""}"#, #"{"escapeChar": null}"#, #"{"lineTerminator": "\r\n"}"#] {
            #expect(try dialect(usual) == ResourceDialect(), "\(usual)")
        }
        for quote in [#"{"quoteChar": ""}"#, #"{"quoteChar": null}"#] { #expect(try dialect(quote).quote == nil) }
        #expect(try dialect(#"{"header": false}"#).headerRows.isEmpty)
        #expect(try dialect(#"{"delimiter": "\t"}"#).delimiter == 9)
        let comments = try dialect(#"{"commentRows": [1]}"#)
        #expect(comments.commentRows == [1] && comments.headerRows == [1])
    }

    @Test(
        "dialects before version 1.2 skip initial spaces by default, but only in descriptors of the first version",
        arguments: [
            (#"{}"#, 1, false), (#"{"csvddfVersion": 1.0}"#, 1, true), (#"{"csvddfVersion": "1.1"}"#, 1, true),
            (#"{"csvddfVersion": 1.2}"#, 1, false), (#"{"csvddfVersion": 1}"#, 1, true),
            (#"{"csvddfVersion": 1.0, "skipInitialSpace": false}"#, 1, false), (#"{"csvddfVersion": 1.0}"#, 2, false),
        ])
    func initialSpace(dialect: String, version: Int, isSkipped: Bool) throws {
        let json = packageDescriptor("\"path\": \"t.csv\", \"dialect\": \(dialect)", version: version)
        #expect(try resource(json).dialect.skipsInitialSpace == isSkipped)
    }

    @Test(
        "the format of a resource is read from its format, media type, file extension or profile",
        arguments: [
            (#""path": "t.csv""#, DataResource.Format.csv), (#""path": "t.tsv""#, .tsv), (#""path": "t.JSON""#, .json),
            (#""path": "t.ndjson""#, .ndjson), (#""path": "t.jsonl.gz""#, .ndjson), (#""path": "t.csv.gz""#, .csv),
            (#""path": "t.txt", "format": "CSV""#, .csv), (#""path": "t.csv", "format": "tsv""#, .tsv),
            (#""path": "t", "mediatype": "text/csv; charset=utf-8""#, .csv),
            (#""path": "t.dat", "profile": "tabular-data-resource""#, .csv),
            (#""path": "t.csv", "compression": "gz""#, .csv),
        ])
    func formats(properties: String, format: DataResource.Format) throws {
        #expect(try resource(packageDescriptor(properties)).format == format)
    }

    @Test("a tab separates the fields of TSV by default")
    func tabs() throws {
        #expect(try resource(packageDescriptor(#""path": "t.tsv""#)).dialect.delimiter == 9)
        #expect(
            try resource(packageDescriptor(#""path": "t.tsv", "dialect": {"delimiter": ","}"#)).dialect.delimiter
                == 0x2C)
    }

    @Test("MD5 and SHA-1 digests of a file are read, with letters in any case")
    func hashes() throws {
        let md5 = try resource(
            packageDescriptor(#""path": "t.csv", "bytes": 7, "hash": "D41D8CD98F00B204E9800998ECF8427E""#))
        #expect(md5.hash == .init(.md5, digits: "d41d8cd98f00b204e9800998ecf8427e") && md5.byteCount == 7)
        let sha1 = "sha1:" + String(repeating: "0a", count: 20)
        #expect(try resource(packageDescriptor(#""path": "t.csv", "hash": "\#(sha1)""#)).hash?.algorithm == .sha1)
    }

    @Test("a resource of several files has no known byte count")
    func parts() throws {
        let resource = try resource(packageDescriptor(#""path": ["a.csv", "./b/b.csv"], "bytes": 7"#))
        #expect(resource.content == .files(["a.csv", "b/b.csv"]) && resource.byteCount == nil)
    }

    @Test(
        "inline data of a resource is read like a file with the same content",
        arguments: [
            (#""data": [{"a": 1}, {"a": null}]"#, DataResource.Format.json, #"[{"a": 1}, {"a": null}]"#),
            (#""data": [["a", "b"], [1, "x"]]"#, .json, #"[{"a": 1, "b": "x"}]"#),
            (#""data": []"#, .json, "[]"),
            (#""data": "a\n1\n", "format": "csv""#, .csv, "a\n1\n"),
            (#""data": "a\n1\n", "mediatype": "text/csv""#, .csv, "a\n1\n"),
        ])
    func inline(properties: String, format: DataResource.Format, text: String) throws {
        let resource = try resource(packageDescriptor(properties))
        #expect(resource.format == format)
        #expect(resource.content == .inline(Array(text.utf8)))
    }

    @Test(
        "fieldsMatch is a word or a list of one word, and its default depends on the descriptor's version",
        arguments: [
            ("", 2, DataResource.FieldsMatch.exact), ("", 1, .equal), (#""fieldsMatch": "subset", "#, 2, .subset),
            (#""fieldsMatch": ["partial"], "#, 2, .partial),
        ])
    func fieldsMatch(word: String, version: Int, match: DataResource.FieldsMatch) throws {
        let json = packageDescriptor(
            #""path": "t.csv""#, schema: word + #""fields": [{"name": "a"}]"#, version: version)
        #expect(try resource(json).fieldsMatch == match)
    }

    @Test("the dialect of a resource may be read from a separate file")
    func dialectFile() throws {
        let file = try readPackage(packageDescriptor(#""path": "t.csv", "dialect": "d.json""#))
        #expect(file.resources[0].dialect.delimiter == 0x3B)
        #expect(
            file.warnings.map(\.description) == [
                "d.json#/quoteChr: this property is not understood; did you mean quoteChar?"
            ])
    }

    @Test(
        "a resource that is not a table is skipped and reported by name",
        arguments: [
            (
                #""path": "t.pdf", "format": "pdf""#,
                "/resources/0/format: “t” is skipped: its format “pdf” is not supported for tables"
            ),
            (
                #""path": "t.x", "mediatype": "application/geo+json""#,
                "/resources/0/mediatype: “t” is skipped: its media type “application/geo+json” is not supported for "
                    + "tables"
            ),
            (
                #""path": "t.dat""#,
                "/resources/0: “t” is skipped: the format of “t.dat” is not known; add the format, as in \"format\": "
                    + "\"csv\""
            ),
        ])
    func leftOut(properties: String, warning: String) throws {
        let file = try readPackage(packageDescriptor(properties))
        #expect(file.resources.isEmpty && file.warnings.map(\.description) == [warning])
    }

    @Test("the data resources of a descriptor are read only on request")
    func notAsked() throws {
        let file = try ModelFile(json: Array(packageDescriptor(#""path": "/etc/passwd""#).utf8))
        #expect(file.resources.isEmpty && file.warnings.isEmpty)
    }
}
