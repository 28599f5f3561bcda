import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Export options")
struct ExportOptionsTests {
    private let store: InMemoryStore

    init() throws {
        store = InMemoryStore(model: try SampleModel.model())
        try SampleStores.people(store)
    }

    private func exported(
        _ format: DatasetFormat, _ request: StoreRequest = StoreRequest("Person", limit: 4),
        _ change: (inout ExportOptions) -> Void
    ) throws -> String {
        try store.exported(request, .with(format, change))
    }

    @Test(
        "an export ends with CancellationError if the cancellation closure returns true",
        arguments: DatasetFormat.allCases)
    func cancelled(_ format: DatasetFormat) throws {
        try store.insertRows(of: "Person") { rows in
            for number in 1...20_000 {
                _ = try rows.insert(
                    id: nil, values: [.string("p\(number)"), .null, .null],
                    location: RowLocation(line: number, record: number))
            }
        }
        var options = ExportOptions(format: format)
        options.isCancelled = { true }
        let exporters = [
            DatasetExporter(store: store, format: format) { true }, try DatasetExporter(store: store, options: options),
        ]
        for exporter in exporters {
            #expect(throws: CancellationError.self) {
                try exporter.run(StoreRequest("Person"), to: ByteOutput.memory())
            }
        }
    }

    @Test("an export writes the expected text in each format")
    func formats() throws {
        let request = StoreRequest("Person", limit: 2)
        #expect(try exported(.csv, request) { _ in } == "id,name,rank,boss\n1,Ada,-1,\n2,\"Bo, \"\"B\"\"\",-2,1\n")
        #expect(
            try exported(.tsv, request) { _ in } == "id\tname\trank\tboss\n1\tAda\t-1\t\n2\t\"Bo, \"\"B\"\"\"\t-2\t1\n")
        let first = #"{"id":1,"name":"Ada","rank":-1,"boss":null}"#
        let second = #"{"id":2,"name":"Bo, \"B\"","rank":-2,"boss":1}"#
        #expect(try exported(.json, request) { _ in } == "[\n\(first),\n\(second)\n]\n")
        #expect(try exported(.ndjson, request) { _ in } == "\(first)\n\(second)\n")
        #expect(
            try exported(.json, request) {
                $0.isPretty = true
                $0.columns = [ExportColumn("id"), ExportColumn("name")]
            } == """
                [
                  {
                    "id": 1,
                    "name": "Ada"
                  },
                  {
                    "id": 2,
                    "name": "Bo, \\"B\\""
                  }
                ]

                """)
    }

    @Test(
        "an export without rows writes a header to CSV, an empty array to JSON, and nothing to NDJSON",
        arguments: [(DatasetFormat.csv, "id,name,rank,boss\n"), (.json, "[]\n"), (.ndjson, "")])
    func empty(format: DatasetFormat, text: String) throws {
        #expect(try exported(format, StoreRequest("Person", limit: 0)) { _ in } == text)
        if format == .json {
            #expect(try exported(format, StoreRequest("Person", limit: 0)) { $0.isPretty = true } == text)
        }
    }

    @Test("exported columns can be selected, ordered, renamed and read through to-one relationships")
    func columns() throws {
        let columns = [
            ExportColumn("boss.name", as: "boss"), ExportColumn("id"), ExportColumn("boss.boss.name"),
            ExportColumn("boss.boss.id"), ExportColumn("boss", as: "bossId"), ExportColumn("boss.boss.boss.rank"),
        ]
        let text = try exported(.csv, StoreRequest("Person", sort: [.init("id", descending: true)])) {
            $0.columns = columns
        }
        #expect(
            text == """
                boss,id,boss.boss.name,boss.boss.id,bossId,boss.boss.boss.rank
                "Bo, ""B""\",9,Ada,1,2,
                NULL,4,"Bo, ""B""\",2,9,-1
                "Bo, ""B""\",3,Ada,1,2,
                Ada,2,,,1,
                ,1,,,,

                """)
        let exporter = try DatasetExporter(store: store, options: .with(.csv) { $0.columns = columns })
        #expect(try exporter.run(StoreRequest("Person"), to: .memory()) == 5)
    }

    @Test(
        "an unknown or repeated column is rejected with its name",
        arguments: [
            (["nme"], "Person has no attribute or to-one relationship \"nme\" (did you mean name?)"),
            (["bos.name"], "Person has no to-one relationship \"bos\" of the path \"bos.name\" (did you mean boss?)"),
            (["name.id"], "Person has no to-one relationship \"name\" of the path \"name.id\""),
            (
                ["boss.nam"],
                "Person has no attribute or to-one relationship \"nam\" of the path \"boss.nam\" (did you mean name?)"
            ),
            (["staff"], "Person has no attribute or to-one relationship \"staff\""),
            (["id", "id"], "two columns have the name \"id\""),
            ([], "no columns were requested"),
        ])
    func wrongColumns(sources: [String], message: String) {
        let error = #expect(throws: InterchangeError.self) {
            try exported(.csv) { $0.columns = sources.map { ExportColumn($0) } }
        }
        #expect(error?.code == .columns)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("a table is exported with the requested header, separators, line endings and byte order mark")
    func tables() throws {
        let request = StoreRequest("Person", limit: 1, offset: 1)
        #expect(try exported(.csv, request) { $0.hasHeader = false } == "2,\"Bo, \"\"B\"\"\",-2,1\n")
        #expect(
            try exported(.csv, request) { $0.separator = .semicolon }
                == "id;name;rank;boss\n2;\"Bo, \"\"B\"\"\";-2;1\n")
        #expect(
            try exported(.csv, request) {
                $0.lineEnding = .crlf
                $0.hasByteOrderMark = true
            } == "\u{FEFF}id,name,rank,boss\r\n2,\"Bo, \"\"B\"\"\",-2,1\r\n")
        #expect(try exported(.tsv, request) { $0.lineEnding = .cr }.hasPrefix("id\tname\trank\tboss\r2\t"))
    }

    @Test("with quotesAll, an export quotes every field except null")
    func quoteAll() throws {
        #expect(
            try exported(.csv, StoreRequest("Person", limit: 1)) { $0.quotesAll = true }
                == "\"id\",\"name\",\"rank\",\"boss\"\n\"1\",\"Ada\",\"-1\",\n")
    }

    @Test(
        "a table is recognized as quoted if every field that is not empty has quotes",
        arguments: [("\"a\",\"b\"\n\"1\",\n", true), ("\"a\",b\n", false), (",,\n,,\n", false), ("\n", false)])
    func appearance(_ text: String, isQuoted: Bool) throws {
        let appearance = try TableAppearance(of: ByteInput(bytes: Array(text.utf8), name: "f"))
        #expect(appearance.quotesAll == isQuoted)
    }

    @Test("null is exported as the null token, and values and names equal to the token are quoted")
    func nullToken() throws {
        let all = StoreRequest("Person", where: .isIn(.property("id"), [.integer(1), .integer(4), .integer(9)]))
        #expect(
            try exported(.csv, all) { $0.nullToken = "NULL" }
                == "id,name,rank,boss\n1,Ada,-1,NULL\n4,\"\",-4,9\n9,\"NULL\",-9,2\n")
        #expect(
            try exported(.csv, all) {
                $0.nullToken = "-1"
                $0.columns = [ExportColumn("rank", as: "-1"), ExportColumn("boss")]
            } == "\"-1\",boss\n\"-1\",-1\n-4,9\n-9,2\n")
        for token in ["a,b", "\"", "a\n", " a", "a "] {
            let error = #expect(throws: InterchangeError.self) { try exported(.csv) { $0.nullToken = token } }
            #expect(error?.code == .unsupported)
        }
    }

    @Test("with escapesFormulas, texts that resemble formulas get an apostrophe, and numbers do not")
    func formulas() throws {
        var changes = ChangeSet()
        for (index, name) in ["=a", "+a", "-a", "@a", "\ta", "\ra", "a=", "'=a", "=\"", "= "].enumerated() {
            changes["Person"].insertions.append(
                .init(id: Int64(20 + index), values: [.string(name), .integer(-5), .null]))
        }
        #expect(try store.save(changes).isEmpty)
        let request = StoreRequest(
            "Person", where: .compare(.property("id"), .greaterOrEqual, .constant(.integer(20))))
        let text = try exported(.csv, request) {
            $0.escapesFormulas = true
            $0.columns = [ExportColumn("name", as: "=x"), ExportColumn("rank")]
        }
        #expect(
            text
                == "'=x,rank\n'=a,-5\n'+a,-5\n'-a,-5\n'@a,-5\n'\ta,-5\n\"'\ra\",-5\na=,-5\n'=a,-5\n\"'=\"\"\",-5\n\"'= \",-5\n"
        )
    }

    @Test("an export option that the format does not support is rejected")
    func refused() throws {
        let wrong: [(DatasetFormat, (inout ExportOptions) -> Void)] = [
            (.csv, { $0.isPretty = true }), (.tsv, { $0.isPretty = true }), (.ndjson, { $0.isPretty = true }),
            (.tsv, { $0.separator = .comma }), (.json, { $0.separator = .comma }), (.json, { $0.hasHeader = false }),
            (.ndjson, { $0.quotesAll = true }), (.json, { $0.lineEnding = .crlf }),
            (.ndjson, { $0.hasByteOrderMark = true }), (.json, { $0.nullToken = "x" }),
            (.json, { $0.escapesFormulas = true }),
        ]
        for (format, change) in wrong {
            let error = #expect(throws: InterchangeError.self) { try ExportOptions.with(format, change).check() }
            #expect(error?.code == .unsupported)
        }
        for format in DatasetFormat.allCases { try ExportOptions(format: format).check() }
    }
}
