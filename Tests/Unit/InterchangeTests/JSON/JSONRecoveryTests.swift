import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

/// Recovery after an element of an array, or a member of an object, that is not valid JSON.
@Suite("Recovery after invalid JSON elements")
struct JSONRecoveryTests {
    /// Returns each record as its first value and each error with the skipped text, and `end` if recovery is
    /// impossible.
    private func read(_ text: String, _ layout: JSONRecordLayout, blockSize: Int, recordLimit: Int = 10_000) throws
        -> [String]
    {
        var reader = try JSONRecordReader(
            ByteInput(bytes: Array(text.utf8), name: "f", blockSize: blockSize), layout: layout,
            recordLimit: recordLimit)
        var seen: [String] = []
        while true {
            do throws(InterchangeError) {
                guard try reader.next() else { return seen }
                seen.append("\(reader.line)/\(reader.record) \(reader.text(ofMember: 0))")
            } catch {
                guard try reader.recover() else { return seen + ["\(error)", "end"] }
                let original = reader.withOriginal {
                    $0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
                }
                seen.append("\(error)|\(original)")
            }
        }
    }

    private static let blockSizes = [1, 2, 3, 7, 64, 4096]

    static let arrayCases: [(String, [String])] = [
        (
            "[{\"a\":1},{\"a\":tru},{\"a\":3}]",
            ["1/1 1", "f:1: record 2: expected true, found \"}\"|{\"a\":tru}", "1/3 3"]
        ),
        (
            "[\n {\"a\":1},\n {\"a\" 2, \"b\":[{},\"x\\\"]\"]} ,\n {\"a\":3}\n]",
            ["2/1 1", "f:3: record 2: expected a colon, found \"2\"|{\"a\" 2, \"b\":[{},\"x\\\"]\"]}", "4/3 3"]
        ),
        // The first and last element, and values other than objects.
        (
            "[{\"a\":},5,[{\"a\":0}],{\"a\":2},{\"a\":3,}]",
            [
                "f:1: record 1: expected a value, found \"}\"|{\"a\":}",
                "f:1: record 2: the record is a number; every record must be an object|5",
                "f:1: record 3: the record is an array; every record must be an object|[{\"a\":0}]", "1/4 2",
                "f:1: record 5: expected a key in quotes, found \"}\"|{\"a\":3,}",
            ]
        ),
        // Surplus and missing commas.
        (
            "[{\"a\":1},,{\"a\":2} {\"a\":3},{\"a\":4},]",
            [
                "1/1 1", "f:1: record 2: expected a value, found \",\"|", "1/3 2",
                "f:1: record 4: expected a comma or ], found \"{\"|{\"a\":3}", "1/5 4",
                "f:1: record 6: expected a value, found \"]\"|",
            ]
        ),
        (
            "[{\"a\":1,\"a\":2},{\"a\":\"tab\t\"},{\"a\":\"\\u0000\"},{\"a\":5}]",
            [
                "f:1: record 1: the key \"a\" occurs twice|{\"a\":1,\"a\":2}",
                "f:1: record 2: control character 9 in a string; write it with an escape|{\"a\":\"tab\t\"}",
                "f:1: record 3: \\u0000, which a text cannot contain|{\"a\":\"\\u0000\"}", "1/4 5",
            ]
        ),
        // A missing quote or bracket, with one record per line.
        (
            "[\n  {\"a\":\"1},\n  {\"a\":2},\r\n  {\"a\":3,\r\n\r\n  {\"a\":[4},\n  {\"a\":5\n]",
            [
                "f:2: record 1: control character 10 in a string; write it with an escape|{\"a\":\"1}", "3/2 2",
                "f:6: record 3: expected a key in quotes, found \"{\"", "end",
            ]
        ),
        // A line break of two bytes counts as one line, and two line breaks as two.
        (
            "[\r\n{\"a\":\"1},\r\n{\"a\":2},\r\n{\"a\":\"3},\n\n{\"a\":4}]",
            [
                "f:2: record 1: control character 13 in a string; write it with an escape|{\"a\":\"1}", "3/2 2",
                "f:4: record 3: control character 10 in a string; write it with an escape|{\"a\":\"3}", "6/4 4",
            ]
        ),
        (
            "[\n{\"a\":\"1},\n{\"a\":2},\n{\"a\":\"3\"\"},\n{\"a\":\"4\"\"}\n]",
            [
                "f:2: record 1: control character 10 in a string; write it with an escape|{\"a\":\"1}", "3/2 2",
                "f:4: record 3: expected a comma or }, found \"\"\"|{\"a\":\"3\"\"}",
                "f:5: record 4: expected a comma or }, found \"\"\"|{\"a\":\"4\"\"}",
            ]
        ),
        // A line break in a string: recovery continues at the next similar line after a line that ends like a record.
        (
            "[\n{\"a\":\"1\n{\",\n\"b\":2},\n{\"a\":3}]",
            [
                "f:2: record 1: control character 10 in a string; write it with an escape|{\"a\":\"1\n{\",\n\"b\":2}",
                "5/2 3",
            ]
        ),
        // Content of the record is not mistaken for the next record.
        (
            "[\n{\n\"a\":\"1,\n\"b\":[\n{\"a\":2},\n{\"a\":3}\n]},\n{\"a\":4}]",
            ["f:3: record 1: control character 10 in a string; write it with an escape", "end"]
        ),
        ("[{\"a\":\"1},{\"a\":2}]", ["f:1: record 1: expected a comma or }, found \"a\"", "end"]),
        // After a complete element, recovery is always possible.
        (
            "[null,null,{\"a\":1},\"x\",\"y\",[],true,{\"a\":2,\"a\":3},null]",
            [
                "f:1: record 1: the record is null; every record must be an object|null",
                "f:1: record 2: the record is null; every record must be an object|null", "1/3 1",
                "f:1: record 4: the record is a string; every record must be an object|\"x\"",
                "f:1: record 5: the record is a string; every record must be an object|\"y\"",
                "f:1: record 6: the record is an array; every record must be an object|[]",
                "f:1: record 7: the record is true; every record must be an object|true",
                "f:1: record 8: the key \"a\" occurs twice|{\"a\":2,\"a\":3}",
                "f:1: record 9: the record is null; every record must be an object|null",
            ]
        ),
        // Two missing quotes: the records between them resemble the text of one record.
        (
            "[{\"i\":1,\"a\":\"x,\"b\":\"a\"},{\"i\":2,\"a\":\"y\",\"b\":\"b\"} ,\t{\"i\":3,\"a\":\"z\",\"b\":\"c},{\"i\":4},{\"i\":5}]",
            ["f:1: record 1: expected a comma or }, found \"b\"", "end"]
        ),
        (
            "[\n{\"i\":1,\"a\":\"x},{\"i\":2,\"a\":\"y\"},\n{\"i\":3}]",
            ["f:2: record 1: expected a comma or }, found \"i\"", "end"]
        ),
        // Two misplaced brackets.
        (
            "[{\"a\":{\"x\":1},{\"a\":2}},{\"a\":3}]",
            ["f:1: record 1: expected a key in quotes, found \"{\"", "end"]
        ),
        ("[{\"a\":1}}, {\"a\":2}]", ["1/1 1", "f:1: record 2: expected a comma or ], found \"}\"", "end"]),
        ("[{\"a\":1},{\"a\":", ["1/1 1", "f:1: record 2: expected a value, found the end of the file", "end"]),
        ("[{\"a\":1}", ["1/1 1", "f:1: expected a comma or ], found the end of the file", "end"]),
        ("[{\"a\":1}]x", ["1/1 1", "f:1: expected nothing after the document, found \"x\"", "end"]),
    ]

    @Test(
        "after an invalid element, the reader finds the next record by brackets, quotes or lines", arguments: arrayCases
    )
    func arrays(text: String, expected: [String]) throws {
        for size in Self.blockSizes {
            #expect(try read(text, JSONRecordLayout(), blockSize: size) == expected, "blocks of \(size)")
        }
    }

    @Test("the reader recovers after an invalid element below a root key and validates the rest of the document")
    func roots() throws {
        let text = "{\"x\":[1],\"c\":[{\"a\":+1},{\"a\":2}],\"y\":{}}"
        for size in Self.blockSizes {
            #expect(
                try read(text, JSONRecordLayout(root: "c"), blockSize: size)
                    == ["f:1: record 1: expected a value, found \"+\"|{\"a\":+1}", "1/2 2"])
        }
    }

    @Test("the reader recovers after an invalid member of an object")
    func members() throws {
        let text = "{\n\"k1\": {\"a\":nul},\n\"k2\": \"x\",\n\"k3: 3,\n\"k4\" 4,\n\"k5\": 5\n}"
        for size in Self.blockSizes {
            #expect(
                try read(text, JSONRecordLayout(.members), blockSize: size) == [
                    "f:2: record 1: expected null, found \"}\"|\"k1\": {\"a\":nul}", "3/2 k2",
                    "f:4: record 3: control character 10 in a string; write it with an escape|\"k3: 3",
                    "f:5: record 4: expected a colon, found \"4\"|\"k4\" 4", "6/5 k5",
                ])
        }
    }

    @Test(
        "the reader ends with an error instead of skipping members between two missing quotes",
        arguments: [
            "{\"k1\":\"a,\"k2\":\"b\",\"k3\":\"c,\"k4\":\"d\"}",
            "{\"k1\":{\"a\":\"x},\"k2\":{\"a\":\"y},\"k3\":{\"a\":\"z\"}}",
        ])
    func lostMembers(text: String) throws {
        for size in Self.blockSizes {
            let seen = try read(text, JSONRecordLayout(.members), blockSize: size)
            #expect(seen.count <= 3 && seen.last == "end", "\(seen)")
        }
    }

    @Test("an overlong record that contains many objects is skipped")
    func tooLongArray() throws {
        let objects = (0..<400).map { "{\"x\":\($0)}" }.joined(separator: ",")
        let text = "[{\"a\":1},{\"a\":[\(objects)]},{\"a\":3}]"
        for size in Self.blockSizes {
            let seen = try read(text, JSONRecordLayout(), blockSize: size, recordLimit: 100)
            #expect(seen.count == 3 && seen[0] == "1/1 1" && seen[2] == "1/3 3", "\(seen)")
        }
    }

    @Test(
        "a byte order mark at the start of a rejects file is skipped",
        arguments: [JSONRecordLayout(), JSONRecordLayout(.members)])
    func markedRejects(layout: JSONRecordLayout) throws {
        let text =
            "\u{FEFF}#strata-rejects of f\n#strata-reject: line 1\n"
            + (layout.shape == .members ? "{\"k\":{\"a\":1}}" : "{\"a\":1}") + "\n"
        for size in Self.blockSizes {
            #expect(
                try read(text, layout, blockSize: size) == [layout.shape == .members ? "3/1 k" : "3/1 1"],
                "blocks of \(size)")
        }
    }

    @Test("an overlong record is skipped for any block size")
    func tooLong() throws {
        let text = "[{\"a\":1},{\"a\":\"" + String(repeating: "x", count: 5_000) + "\",\"b\":{}},{\"a\":3}]"
        for size in Self.blockSizes {
            let seen = try read(text, JSONRecordLayout(), blockSize: size, recordLimit: 100)
            #expect(seen.count == 3 && seen[0] == "1/1 1" && seen[2] == "1/3 3")
            #expect(seen[1].hasPrefix("f:1: record 2: the record is longer than 100 bytes; longer ones can be allowed"))
        }
    }

    @Test("the reader has no members between a skipped record and the next record")
    func membersBehind() throws {
        var reader = try JSONRecordReader(
            ByteInput(bytes: Array("{\"a\":1,\"b\":tru}\n{\"a\":2}\n".utf8), name: "f"),
            layout: JSONRecordLayout(.lines))
        var counts: [Int] = []
        do { while try reader.next() { counts.append(-1) } } catch { counts.append(reader.memberCount) }
        if try reader.recover() { counts.append(reader.memberCount) }
        if try reader.next() { counts.append(reader.memberCount) }
        #expect(counts == [1, 0, 1])
    }

    @Test("an import rejects invalid records, or reports the line at which it stopped reading")
    func imports() throws {
        let container = try SampleModel.container()
        var options = ImportOptions(format: .json)
        options.onError = .reject
        options.keepsOriginals = true
        var problems: [String] = []
        options.onProblem = { problems.append("\($0.error)|" + String(decoding: $0.original, as: UTF8.self)) }
        let importer = try DatasetImporter(entity: "Person", container: container, options: options)
        let good = "[{\"name\":\"a\"},\n{\"name\":b},\n{\"name\":\"c\"}]"
        let summary = try importer.run(ByteInput(bytes: Array(good.utf8), name: "f"))
        #expect(summary.count == 2 && summary.rejected == 1)
        #expect(problems == ["f:2: record 2: expected a value, found \"b\"|{\"name\":b}"])
        let bad = "[\n{\"name\":\"a\"},\n{\"name\":\"b},{\"name\":\"c\"}]"
        let error = #expect(throws: InterchangeError.self) {
            try importer.run(ByteInput(bytes: Array(bad.utf8), name: "f"))
        }
        #expect(
            error?.description
                == "f:3: record 2: expected a comma or }, found \"n\"; the beginning of the next record is unknown, "
                + "so that nothing was read from line 3 on")
        #expect(try container.coordinator.store.rows(StoreRequest("Person")).count == 2)
        try container.close()
    }
}
