import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

/// An attribute, a JSON value for it, and the stored value.
struct TypedValue: Sendable, CustomTestStringConvertible {
    var attribute: String
    var json: String
    var stored: StoredValue

    var testDescription: String { "\(attribute): \(json)" }

    static let accepted: [TypedValue] = [
        TypedValue(attribute: "text", json: #""""#, stored: .string("")),
        TypedValue(attribute: "text", json: #""a\u00e9\n""#, stored: .string("aé\n")),
        TypedValue(attribute: "small", json: "-32768", stored: .integer(-32768)),
        TypedValue(attribute: "whole", json: "9223372036854775807", stored: .integer(.max)),
        TypedValue(attribute: "whole", json: "1e3", stored: .integer(1000)),
        TypedValue(attribute: "whole", json: "7.0", stored: .integer(7)),
        TypedValue(attribute: "whole", json: #""12""#, stored: .integer(12)),
        TypedValue(attribute: "real", json: "0.1", stored: .double(0.1)),
        TypedValue(attribute: "real", json: "-0", stored: .double(0)),
        TypedValue(attribute: "price", json: "100.10", stored: .decimal(ScaledDecimal(unscaled: 10010, scale: 2))),
        TypedValue(attribute: "price", json: "5.7000", stored: .decimal(ScaledDecimal(unscaled: 570, scale: 2))),
        TypedValue(
            attribute: "price", json: "92233720368547758.07", stored: .decimal(ScaledDecimal(unscaled: .max, scale: 2))),
        TypedValue(attribute: "flag", json: "true", stored: .boolean(true)),
        TypedValue(
            attribute: "day", json: #""2001-01-01T01:00:00.5+01:00""#,
            stored: .date(Date(timeIntervalSinceReferenceDate: 0.5))),
        TypedValue(attribute: "bytes", json: #""AAEC""#, stored: .binary(Data([0, 1, 2]))),
        TypedValue(attribute: "price", json: "null", stored: .null),
    ]

    /// The rejected values, with the message in place of the stored value.
    static let refused: [TypedValue] = [
        TypedValue(attribute: "text", json: "5", stored: .string(#""5": a number found, but a string is expected"#)),
        TypedValue(attribute: "text", json: "[1]", stored: .string("an array found, but a string is expected")),
        TypedValue(attribute: "small", json: "32768", stored: .string("32768 is not in -32768...32767")),
        TypedValue(attribute: "whole", json: "1.5", stored: .string(#""1.5" is not a whole number"#)),
        TypedValue(
            attribute: "whole", json: "9223372036854775808",
            stored: .string(#""9223372036854775808" is out of range (-9223372036854775808 to 9223372036854775807)"#)),
        TypedValue(attribute: "whole", json: "true", stored: .string("true found, but a whole number is expected")),
        TypedValue(
            attribute: "price", json: "0.125",
            stored: .string(#""0.125" is a decimal with more than 2 digits after the point"#)),
        TypedValue(
            attribute: "price", json: "92233720368547758.08",
            stored: .string(
                #""92233720368547758.08" is out of range for a decimal of 2 digits after the point (at most 92233720368547758.07)"#
            )),
        TypedValue(
            attribute: "price", json: "0.12345678901234567890123",
            stored: .string(
                #""0.12345678901234567890123" is a decimal with more than 2 digits after the point"#)),
        TypedValue(
            attribute: "price", json: "1e400",
            stored: .string(
                #""1e400" is out of range for a decimal of 2 digits after the point (at most 92233720368547758.07)"#)),
        TypedValue(attribute: "price", json: #""1,5""#, stored: .string(#""1,5" is not a decimal number"#)),
        TypedValue(
            attribute: "flag", json: "1", stored: .string(#""1": a number found, but true or false is expected"#)),
        TypedValue(
            attribute: "flag", json: #""yes""#,
            stored: .string(#""yes": a string found, but true or false is expected"#)),
        TypedValue(
            attribute: "day", json: "7", stored: .string(#""7": a number found, but a date in a string is expected"#)),
        TypedValue(
            attribute: "key", json: #""x""#, stored: .string(#""x" is not a UUID (8-4-4-4-12 hexadecimal digits)"#)),
        TypedValue(
            attribute: "birthday", json: "20000101",
            stored: .string(#""20000101": a number found, but a day in a string is expected"#)),
        TypedValue(
            attribute: "birthday", json: #""2001-02-29""#,
            stored: .string(#""2001-02-29": day 29 is not in 1...28, the days of month 2 of 2001"#)),
        TypedValue(
            attribute: "birthday", json: #""2001-02-28T00:00""#,
            stored: .string(#""2001-02-28T00:00" is not a day (2003-06-17)"#)),
        TypedValue(
            attribute: "opens", json: #""24:00""#, stored: .string(#""24:00": hour 24 is not in 0...23"#)),
        TypedValue(
            attribute: "opens", json: "true", stored: .string("true found, but a time of day in a string is expected")
        ),
        TypedValue(
            attribute: "day", json: "{}", stored: .string("an object found, but a date in a string is expected")),
    ]
}

@Suite("Dataset importer")
struct DatasetImporterTests {
    @Test("a JSON value is stored according to the type of its attribute", arguments: TypedValue.accepted)
    func accepts(_ value: TypedValue) throws {
        let container = try SampleModel.container()
        let rows = try container.importing(#"[{"\#(value.attribute)": \#(value.json)}]"#, .json, into: "Thing")
        let index = try #require(container.model["Thing"]?.columnIndex(value.attribute))
        #expect(rows.map { $0.values[index] } == [value.stored])
    }

    @Test(
        "a JSON value that does not fit the type of its attribute is rejected with the reason",
        arguments: TypedValue.refused)
    func refuses(_ value: TypedValue) throws {
        let container = try SampleModel.container()
        let error = try #require(throws: InterchangeError.self) {
            try container.importing(#"[{"\#(value.attribute)": \#(value.json)}]"#, .json, into: "Thing")
        }
        #expect(.string(error.message) == value.stored)
        #expect(error.line == 1 && error.record == 1 && error.column == value.attribute)
        #expect(try container.coordinator.store.count(StoreRequest("Thing")) == 0)
    }

    @Test("the rows of a file may refer to later rows, to themselves and in cycles")
    func forwardReferences() throws {
        let rows = try SampleModel.container().importing(
            "id,name,boss\n1,a,3\n2,b,2\n3,c,1\n4,d,\n", .csv, into: "Person")
        #expect(rows.map { $0.values[2] } == [.integer(3), .integer(2), .integer(1), .null])
    }

    @Test("the error reports the first of several dangling references in a file")
    func danglingReferences() throws {
        let container = try SampleModel.container()
        let error = try #require(throws: InterchangeError.self) {
            try container.importing("id,name,boss\n1,\"a\nb\",2\n2,b,9\n3,c,8\n", .csv, into: "Person")
        }
        #expect(
            error.description
                == "data:4: record 2, column boss: there is no Person 9, neither in the store nor in this import")
        #expect(try container.coordinator.store.count(StoreRequest("Person")) == 0)
    }

    @Test("a repeated value of a unique attribute is rejected with the line of the repetition")
    func uniqueness() throws {
        let key = "9E4EF550-4C5B-473D-A275-B595C4460BA1"
        let error = try #require(throws: InterchangeError.self) {
            try SampleModel.container().importing("key\n\(key)\n\(key.lowercased())\n", .csv, into: "Thing")
        }
        #expect(error.line == 3 && error.record == 2 && error.column == "key")
        #expect(error.message.contains("another object already has this value, which must be unique (\(key))"))
    }

    @Test("null in a mandatory attribute is an error despite a default, and a missing value becomes the default")
    func defaults() throws {
        let container = try SampleModel.container()
        let error = try #require(throws: InterchangeError.self) {
            try container.importing("name,rank\na,\n", .csv, into: "Person")
        }
        #expect(error.description == "data:2: record 1, column rank: null is not allowed, rank is mandatory")
        let rows = try container.importing(#"[{"name":"a"},{"name":"b","rank":5}]"#, .json, into: "Person")
        #expect(rows.map { $0.values[1] } == [.integer(3), .integer(5)])
    }

    @Test("one error reports all unknown, repeated and missing keys of a JSON record")
    func keys() throws {
        let error = try #require(throws: InterchangeError.self) {
            try SampleModel.container().importing(
                #"[{"name":"a"},{"nmae":"b","rank":1,"Rank":2}]"#, .json, into: "Person")
        }
        #expect(
            error.description == "data:1: record 2: unknown key \"nmae\" (did you mean \"name\"?); "
                + "2 keys for rank: \"rank\", \"Rank\"; missing key \"name\", which is mandatory")
        #expect(error.code == .columns)
        #expect(error.nameFaults == [.unknown, .repeated, .missing])
    }

    @Test("an error about a column name has machine-readable name faults, and other errors have none")
    func nameFaults() throws {
        func faults(_ text: String, _ change: (inout ReadingOptions) -> Void = { _ in }) throws
            -> InterchangeError.NameFaults
        {
            let error = try #require(throws: InterchangeError.self) {
                try SampleModel.container().importing(text, .csv, into: "Person") { change(&$0.reading) }
            }
            #expect(error.code == .columns)
            return error.nameFaults
        }
        #expect(try faults("rank\n1\n") == .missing)
        #expect(try faults("name,Name\na,b\n") == .repeated)
        #expect(try faults("name,unknown missing columns for x to be renamed\na,b\n") == .unknown)
        #expect(try faults("name\na\n") { $0.mapping = ["Rang": "rank"] } == .absent)
        #expect(try faults("name\na\n") { $0.omittedColumns = ["rank"] } == .absent)
        let spelling = try SpellingOption(.decimal, "name=,")
        #expect(try faults("name\na\n") { $0.spellingOptions = [spelling] } == [])
    }

    @Test("a JSON record with two identifiers is rejected")
    func twoIdentifiers() throws {
        let error = try #require(throws: InterchangeError.self) {
            try SampleModel.container().importing(#"[{"id":1,"ID":2,"name":"a"}]"#, .json, into: "Person")
        }
        #expect(error.description == "data:1: record 1: 2 keys for id: \"id\", \"ID\"")
        #expect(error.nameFaults == .repeated)
    }

    @Test("the keys of a JSON object of records are converted to the type of the key attribute")
    func keysAsValues() throws {
        let rows = try SampleModel.container().importing(
            #"{"true":{"text":"a"},"false":{"text":"b"}}"#, .json, into: "Thing"
        ) { $0.reading.keyAttribute = "flag" }
        let flag = try #require(SampleModel.model().entities.first?.columns.firstIndex { $0.name == "flag" })
        #expect(rows.map { $0.values[flag] } == [.boolean(true), .boolean(false)])
        // A string that is not a key is not converted.
        #expect(throws: InterchangeError.self) {
            try SampleModel.container().importing(#"{"a":{"flag":"true"}}"#, .json, into: "Thing") {
                $0.reading.keyAttribute = "text"
            }
        }
    }

    @Test("a rejects file of JSON members contains one object per line and can be imported")
    func rejectedMembers() throws {
        let rejects =
            "#strata-rejects of x\n#strata-reject: line 1: y\n{\"a\":1}\n#strata-reject: line 2: y\n{\"b\":2}\n"
        func importing(_ text: String) throws -> Int {
            try SampleModel.container().importing(text, .json, into: "Person") {
                $0.reading.keyAttribute = "name"
                $0.reading.valueAttribute = "rank"
            }.count
        }
        #expect(try importing(rejects) == 2)
        let error = try #require(throws: InterchangeError.self) { try importing(rejects + "]") }
        #expect(error.description == "data:6: expected nothing after the document, found \"]\"")
    }

    @Test("unknown columns are ignored on request and reported in the summary")
    func ignoredColumns() throws {
        let container = try SampleModel.container()
        var options = ImportOptions(format: .csv)
        options.reading.ignoresUnknownColumns = true
        let importer = try DatasetImporter(entity: "Person", container: container, options: options)
        let summary = try importer.run(ByteInput(bytes: Array("x,name,y\n1,a,2\n".utf8), name: "data"))
        #expect(summary.count == 1 && summary.ignoredColumns == ["x", "y"])
    }

    @Test("a mapping to an unknown attribute is rejected with the nearest attribute name")
    func mapping() throws {
        let error = try #require(throws: InterchangeError.self) {
            try SampleModel.container().importing("a\n1\n", .csv, into: "Person") { $0.reading.mapping = ["a": "nam"] }
        }
        #expect(error.description == "Person has no attribute \"nam\" (did you mean \"name\"?)")
    }

    @Test("a mapping renames a JSON key, and a mapping of a key that no record has is an error", arguments: [1, 3])
    func mappedKeys(records: Int) throws {
        func importing(_ mapping: [String: String]) throws -> [StoredRow] {
            let text = (1...records).map { "{\"a\":\"n\($0)\"}\n" }.joined()
            return try SampleModel.container().importing(text, .ndjson, into: "Person") { $0.reading.mapping = mapping }
        }
        #expect(try importing(["a": "name"]).map { $0.values[0] } == (1...records).map { .string("n\($0)") })
        let error = try #require(throws: InterchangeError.self) { try importing(["a": "name", "b": "rank"]) }
        #expect(error.description == "data: no record has a key \"b\" to be renamed")
        #expect(error.nameFaults == .absent)
    }

    @Test("a cancellation at the last record or in willCommit ends the import, and nothing is stored")
    func cancelledAtTheEnd() throws {
        let container = try SampleModel.container()
        #expect(throws: CancellationError.self) {
            try container.importing("name\na\n", .csv, into: "Person") { $0.isCancelled = { true } }
        }
        #expect(throws: CancellationError.self) {
            try container.importing("name\na\n", .csv, into: "Person") {
                $0.willCommit = { throw CancellationError() }
            }
        }
        #expect(try container.coordinator.store.count(StoreRequest("Person")) == 0)
    }

    @Test("a cancellation ends the import, and nothing is stored")
    func cancelled() throws {
        let container = try SampleModel.container()
        let text = "name\n" + String(repeating: "a\n", count: 5000)
        #expect(throws: CancellationError.self) {
            try container.importing(text, .csv, into: "Person") { $0.isCancelled = { true } }
        }
        #expect(try container.coordinator.store.count(StoreRequest("Person")) == 0)
    }
}
