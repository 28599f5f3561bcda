import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Tests that columns are read and written in the formats that the model declares.
@Suite("Value formats that a model declares")
struct SpelledFilesTests {
    private static let descriptor = """
        {"resources": [{"name": "t", "path": "t.csv", "schema": {
            "missingValues": ["NA", "-"],
            "fields": [
                {"name": "text", "type": "string"},
                {"name": "own", "type": "string", "missingValues": ["", "none"]},
                {"name": "price", "type": "number", "strata:scale": 2, "decimalChar": ",", "groupChar": "."},
                {"name": "weight", "type": "number", "strata:scale": 3, "strata:fewestDigits": true},
                {"name": "count", "type": "integer", "groupChar": " "},
                {"name": "ratio", "type": "number", "strata:type": "double", "decimalChar": ","},
                {"name": "is", "type": "boolean", "trueValues": ["ja", "j"], "falseValues": ["nein"]},
                {"name": "day", "type": "date", "format": "%d.%m.%Y"},
                {"name": "at", "type": "time", "format": "%I:%M %p"},
                {"name": "when", "type": "datetime", "format": "%d %b %Y %H:%M:%S.%f"}
            ]}}]}
        """

    private static let table = """
        text,own,price,weight,count,ratio,is,day,at,when
        a,none of it,"1.234.567,80",1.5,1 000 000,"0,1",ja,29.02.2024,12:00 AM,01 Dec 1999 23:59:58.5
        NA,,NA,NA,NA,NA,NA,NA,NA,NA
        "",b,"-0,05",12,-999,"-2,5",nein,01.01.0001,01:30 PM,31 Jan 2024 00:00:00.0

        """

    private func spelled(
        _ descriptor: String = Self.descriptor
    ) throws -> [(PersistentContainer, TemporaryDirectory)] {
        try containers(try ModelFile(json: Array(descriptor.utf8), isStrict: true).model)
    }

    @Test("CSV values in the formats that the model declares are imported and exported unchanged")
    func roundTrip() throws {
        for (container, _) in try spelled() {
            let rows = try container.importing(Self.table, .csv, into: "T")
            let first = rows[0].values
            #expect(first[2] == .decimal(ScaledDecimal(unscaled: 123_456_780, scale: 2)))
            #expect(first[3] == .decimal(ScaledDecimal(unscaled: 1500, scale: 3)))
            #expect(first[4] == .integer(1_000_000) && first[5] == .double(0.1) && first[6] == .boolean(true))
            #expect(first[7] == Day("2024-02-29").map(StoredValue.day))
            #expect(rows[1].values.allSatisfy { $0.isNull })
            #expect(rows[2].values[0] == .string("") && rows[2].values[1] == .string("b"))
            #expect(try container.exported("T", .csv) == Self.table)
        }
    }

    @Test("an NDJSON export has JSON numbers and null, has dates in declared formats, and is converted back to CSV")
    func documents() throws {
        for (container, _) in try spelled() {
            _ = try container.importing(Self.table, .csv, into: "T")
            let text = try container.exported("T", .ndjson)
            #expect(
                text.hasPrefix(#"{"text":"a","own":"none of it","price":1234567.80,"weight":1.5,"count":1000000,"#))
            #expect(text.contains(#""is":true,"day":"29.02.2024","at":"12:00 AM","when":"01 Dec 1999 23:59:58.5"}"#))
            for (other, _) in try spelled() {
                _ = try other.importing(text, .ndjson, into: "T")
                #expect(try other.exported("T", .csv) == Self.table)
            }
        }
    }

    @Test("each declared text for null or true is read, and the first declared text is written")
    func secondWords() throws {
        for (container, _) in try spelled() {
            let rows = try container.importing("text,own,is\n-,none,j\n\"-\",\"\",ja\n", .csv, into: "T")
            #expect(rows.allSatisfy { $0.values[0].isNull && $0.values[1].isNull && $0.values[6] == .boolean(true) })
            #expect(try container.exported("T", .csv).contains("\nNA,,NA,NA,NA,NA,ja,NA,NA,NA\n"))
        }
    }

    @Test("the reading options override the declared format of a column")
    func overridden() throws {
        for (container, _) in try spelled() {
            let rows = try container.importing("day,price\n2024/03/01,7.5\n", .csv, into: "T") {
                do {
                    $0.reading.columnSpellings["day"] = ValueSpelling(dateFormat: try DatePattern("%Y/%m/%d"))
                    $0.reading.columnSpellings["price"] = ValueSpelling(decimal: .point, group: try NumberSign(","))
                } catch { Issue.record(error) }
            }
            #expect(rows[0].values[7] == Day("2024-03-01").map(StoredValue.day))
            #expect(rows[0].values[2] == .decimal(ScaledDecimal(unscaled: 750, scale: 2)))
        }
    }

    @Test("an export writes the null token of its options and escapes formulas only in texts")
    func options() throws {
        for (container, _) in try spelled() {
            _ = try container.importing("text,own,price,count\n=a,,\"-1,23\",NA\n", .csv, into: "T")
            var options = ExportOptions(format: .csv)
            options.columns = ["text", "own", "price", "count"].map { ExportColumn($0) }
            options.nullToken = "NULL"
            options.escapesFormulas = true
            let output = ByteOutput.memory()
            try DatasetExporter(store: container.coordinator.store, options: options).run(StoreRequest("T"), to: output)
            #expect(String(decoding: output.bytes, as: UTF8.self) == "text,own,price,count\n'=a,NULL,\"-1,23\",NULL\n")
        }
    }

    @Test("a value that does not have the declared format is an error with its location")
    func errors() throws {
        for (container, _) in try spelled() {
            for (header, cell, reason) in [
                ("price", "1234.5", "data:2: record 1, column price: \"1234.5\""), ("is", "true", "not true (ja, j)"),
                ("day", "2024-02-29", "data:2: record 1, column day: \"2024-02-29\""),
                ("text,count", "\"\",", "column count"),
            ] {
                let error = try #require(throws: InterchangeError.self) {
                    _ = try container.importing("\(header)\n\(cell)\n", .csv, into: "T")
                }
                #expect(error.description.contains(reason), "\(error)")
            }
        }
    }

    @Test("the export rejects a value that would be read back as null or as another time")
    func unwritable() throws {
        for (column, value, reason) in [
            (0, StoredValue.string("NA"), "\"NA\" means null in the files of this model, and cannot be written"),
            (
                8, TimeOfDay("01:30:05").map(StoredValue.timeOfDay) ?? .null,
                "the format \"%I:%M %p\" cannot represent its time"
            ),
        ] {
            for (container, _) in try spelled() {
                let store = container.coordinator.store
                try store.insertRows(of: "T") {
                    var values = [StoredValue](repeating: .null, count: 10)
                    values[column] = value
                    try $0.insert(id: 1, values: values, location: RowLocation(line: 0, record: 0))
                }
                let error = try #require(throws: InterchangeError.self) { _ = try container.exported("T", .csv) }
                #expect(error.message.hasSuffix(reason), "\(error)")
            }
        }
    }
    @Test("the export to CSV rejects a value of any type whose text means null")
    func unwritableValues() throws {
        let fields: [(String, StoredValue, String)] = [
            (#""type": "integer", "missingValues": ["", "-999"]"#, .integer(-999), "-999"),
            (#""type": "integer", "groupChar": " ", "missingValues": ["1 000"]"#, .integer(1000), "1 000"),
            (#""type": "boolean", "missingValues": ["false"]"#, .boolean(false), "false"),
            (
                #""type": "number", "strata:scale": 2, "missingValues": ["9.90"]"#,
                .decimal(ScaledDecimal(unscaled: 990, scale: 2)), "9.90"
            ),
            (
                #""type": "number", "strata:scale": 2, "decimalChar": ",", "missingValues": ["9,90"]"#,
                .decimal(ScaledDecimal(unscaled: 990, scale: 2)), "9,90"
            ),
            (#""type": "number", "strata:type": "double", "missingValues": ["0.5"]"#, .double(0.5), "0.5"),
            (
                #""type": "datetime", "strata:type": "date", "missingValues": ["2001-01-01T00:00:00Z"]"#,
                .date(Date(timeIntervalSinceReferenceDate: 0)), "2001-01-01T00:00:00Z"
            ),
            (
                #""type": "date", "missingValues": ["1900-01-01"]"#, Day("1900-01-01").map(StoredValue.day) ?? .null,
                "1900-01-01"
            ),
            (
                #""type": "date", "format": "%d.%m.%Y", "missingValues": ["01.01.1900"]"#,
                Day("1900-01-01").map(StoredValue.day) ?? .null, "01.01.1900"
            ),
            (#""type": "string", "strata:type": "binary", "missingValues": ["AQ=="]"#, .binary(Data([1])), "AQ=="),
        ]
        for (field, value, text) in fields {
            let json =
                #"{"resources": [{"name": "t", "path": "t.csv", "schema": {"fields": [{"name": "v", \#(field)}]}}]}"#
            for (container, _) in try spelled(json) {
                try container.coordinator.store.insertRows(of: "T") {
                    try $0.insert(id: 1, values: [value], location: RowLocation(line: 0, record: 0))
                }
                let error = try #require(throws: InterchangeError.self, "\(field)") {
                    _ = try container.exported("T", .csv)
                }
                #expect(
                    error.message == "T 1, v: \"\(text)\" means null in the files of this model, and cannot be written")
                #expect(throws: Never.self) { _ = try container.exported("T", .ndjson) }
            }
        }
    }
}
