import Foundation
import StrataInterchange
import StrataPersistence
import Testing

/// Values in other formats than the defaults.
@Suite("Formats of values")
struct SpellingTests {
    /// Returns the stored rows as CSV without columns that are null in all rows, or the error.
    private func stored(
        _ text: String, _ format: DatasetFormat = .csv, _ options: [(SpellingOption.Kind, String)] = [],
        _ change: (inout ReadingOptions) throws -> Void = { _ in }
    ) throws -> String {
        let container = try SampleModel.container()
        defer { #expect(throws: Never.self) { try container.close() } }
        var reading = ReadingOptions(format: format)
        reading.spellingOptions = try options.map { try SpellingOption($0, $1) }
        try change(&reading)
        let rows: [StoredRow]
        do {
            rows = try container.importing(text, format, into: "Thing") { $0.reading = reading }
        } catch let error as InterchangeError {
            return error.description
        }
        let names = try container.model.entity(named: "Thing").columns.map(\.name)
        return rows.map { row in
            zip(names, row.values).compactMap { name, value in
                value == .null ? nil : "\(name)=\(value.plain)"
            }.joined(separator: " ")
        }.joined(separator: "\n")
    }

    @Test("a format without a column name applies to all CSV columns of the matching types")
    func general() throws {
        let text = """
            small;whole;real;price;flag;day;birthday;opens
            -1.234;9.223.372.036.854.775.807;1.234.567,5e1;1.234.567,80;ja;24.12.1998 8:30;24.12.1998 0:00;8.30 pm
            +7;1000;,5;1000,8;nein;1.1.2001 0:00;1.1.0001 0:00;12.00 AM
            ;;;;;;;
            """
        #expect(
            try stored(
                text, .csv,
                [
                    (.decimal, ","), (.group, "."), (.trueWord, "ja"), (.trueWord, "oui"), (.falseWord, "nein"),
                    (.dateFormat, "%d.%m.%Y %H:%M"), (.dateFormat, "%I.%M %p"),
                ]) == """
                    small=-1234 whole=9223372036854775807 real=12345675.0 price=1234567.80 flag=true day=1998-12-24T08:30:00Z birthday=1998-12-24 opens=20:30:00
                    small=7 whole=1000 real=0.5 price=1000.80 flag=false day=2001-01-01T00:00:00Z birthday=0001-01-01 opens=00:00:00

                    """)
    }

    @Test("an import reads values in the format that the model declares for the attribute")
    func declared() throws {
        let amount = AttributeDescription("amount", .double, spelling: ExternalSpelling(decimal: ",", group: "."))
        let model = try ManagedObjectModel([EntityDescription("Bill", [.attribute(amount)])])
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        let rows = try container.importing("id,amount\n1,\"1.234,5\"\n", .csv, into: "Bill")
        #expect(rows.map(\.values) == [[.double(1234.5)]])
    }

    @Test("each part of a column's format overrides the same part of the general format")
    func columns() throws {
        let text = "real;price;whole;day;DAY2\n1'000,5;1'000.5;1 000;1.2.2003;2003/02/01\n"
        let options: [(SpellingOption.Kind, String)] = [
            (.decimal, ","), (.group, "'"), (.decimal, "price=."), (.group, "Whole= "), (.dateFormat, "%d.%m.%Y"),
            (.dateFormat, "DAY2=%Y/%m/%d"),
        ]
        #expect(
            try stored(text, .csv, options) { $0.mapping = ["DAY2": "birthday"] }
                == "whole=1000 real=1000.5 price=1000.50 day=2003-02-01T00:00:00Z birthday=2003-02-01")
        #expect(
            try stored("real,price\n\"1,5\",1.5\n") {
                $0.spelling.decimal = try NumberSign(",")
                $0.columnSpellings["price"] = ValueSpelling(decimal: .point)
            } == "real=1.5 price=1.50")
    }

    @Test(
        "a requested format applies to JSON strings, but not to JSON numbers and JSON Boolean values",
        arguments: [DatasetFormat.json, .ndjson])
    func documents(format: DatasetFormat) throws {
        let record =
            #"{"small":"1.234","whole":12,"real":"1,5","price":1.5,"flag":"ja","day":"24.12.98","birthday":"1.1.01","opens":"8h30"}"#
        let text = format == .json ? "[\(record)]" : record
        let options: [(SpellingOption.Kind, String)] = [
            (.decimal, ","), (.group, "."), (.trueWord, "flag=ja"), (.dateFormat, "%d.%m.%y"),
            (.dateFormat, "opens=%Hh%M"),
        ]
        #expect(
            try stored(text, format, options) == """
                small=1234 whole=12 real=1.5 price=1.50 flag=true day=1998-12-24T00:00:00Z birthday=2001-01-01 opens=08:30:00
                """)
        let other = "[{\"flag\":true},{\"flag\":\"no\"},{\"flag\":\"true\"}]"
        #expect(
            try stored(other, .json, [(.trueWord, "ja")])
                == "data:1: record 3, column flag: \"true\" is not true (ja) or false (false, no, 0)")
        #expect(
            try stored("[{\"flag\":\"true\"}]", .json)
                == "data:1: record 1, column flag: \"true\": a string found, but true or false is expected")
    }

    @Test("formats also apply to JSON keys, JSON paths and identifiers")
    func paths() throws {
        let text = #"[{"id":"1,024","a":{"b":"1,5"},"ref":"2,048"}]"#
        #expect(
            try stored(text, .json, [(.group, "id=,"), (.decimal, "a.b=,"), (.group, "ref=,")]) {
                $0.mapping = ["a.b": "real", "ref": "whole"]
            } == "whole=2048 real=1.5")
        #expect(try stored("id,whole\n\"1,024\",1\n", .csv, [(.group, ",")]) == "whole=1")
    }

    @Test("the text before the first equals sign of an option is a column name if the file has such a column")
    func equalsSigns() throws {
        #expect(
            try stored("d\nd=1.2.2003\n", .csv, [(.dateFormat, "d=%d.%m.%Y")]) { $0.mapping = ["d": "day"] }
                == "data:2: record 1, column d: \"d=1.2.2003\" is not a date in the format \"%d.%m.%Y\"")
        #expect(try stored("day\nd=1.2.2003\n", .csv, [(.dateFormat, "d=%d.%m.%Y")]) == "day=2003-02-01T00:00:00Z")
        #expect(
            try stored("day\n%d=1=2003\n", .csv, [(.dateFormat, "day=%%d=%m=%Y%d")])
                == "data:2: record 1, column day: \"%d=1=2003\" is not a date in the format \"%%d=%m=%Y%d\"")
        #expect(
            try stored("real\n\"1,5\"\n", .csv, [(.decimal, "reel=,")])
                == "data:1: there is no column \"reel\" for this option (did you mean \"real\"?)")
        #expect(
            try stored("[{\"real\":\"1,5\"}]", .json, [(.decimal, "reel=,")])
                == "data: no record can have a key \"reel\" for this option (did you mean \"real\"?)")
        #expect(try stored("flag\na=b\n", .csv, [(.trueWord, "a=b")]) == "flag=true")
    }

    @Test(
        "a format option that is invalid for its column is reported with the line of the header",
        arguments: [
            (
                "text", [(.decimal, "text=,")],
                "column \"text\" contains values of type string, which have no decimal "
                    + "sign"
            ),
            (
                "whole", [(.dateFormat, "whole=%F")],
                "column \"whole\" contains values of type integer64, which have no date format"
            ),
            ("flag", [(.group, "flag=,")], "column \"flag\" contains values of type boolean, which have no group sign"),
            (
                "opens", [(.dateFormat, "opens=%F")],
                "column \"opens\" contains times of day, but the format \"%F\" has a day"
            ),
            ("day", [(.dateFormat, "day=%R")], "column \"day\" contains dates, but the format \"%R\" has no day"),
            (
                "birthday", [(.dateFormat, "birthday=%F %R%z")],
                "column \"birthday\" contains days, but the format \"%F %R%z\" has a zone"
            ),
            ("real", [(.group, ".")], "column \"real\": \".\" is both the decimal and the group sign"),
            (
                "price", [(.group, ","), (.decimal, "price=,")],
                "column \"price\": \",\" is both the decimal and the group sign"
            ),
            ("flag", [(.trueWord, "x"), (.falseWord, "x")], "column \"flag\": \"x\" is both true and false"),
            ("day", [(.dateFormat, "%F"), (.dateFormat, "%D")], "the date format \"%D\" is given a second time"),
        ] as [(String, [(SpellingOption.Kind, String)], String)])
    func misfits(column: String, options: [(SpellingOption.Kind, String)], message: String) throws {
        #expect(try stored("\(column)\n\n", .csv, options) == "data:1: \(message)")
    }

    @Test("a general format that is invalid for a JSON key is an error only if a value uses the format")
    func misfitsOfDocuments() throws {
        let format: [(SpellingOption.Kind, String)] = [(.dateFormat, "%F %R%z"), (.group, ".")]
        #expect(
            try stored("[{\"day\":\"2003-01-02 10:00+02\",\"whole\":\"1.000\"}]", .json, format)
                == "whole=1000 day=2003-01-02T08:00:00Z")
        #expect(
            try stored("[{\"birthday\":\"2003-01-02 10:00+02\"}]", .json, format)
                == "data:1: record 1, column birthday: \"2003-01-02 10:00+02\": the text has a zone, which a day "
                + "cannot have "
                + "(format \"%F %R%z\")")
        #expect(
            try stored("[{\"price\":\"1.000\"}]", .json, format)
                == "data:1: record 1, column price: \"1.000\" is not a number: \".\" is both the decimal and the group sign"
        )
    }

    @Test(
        "a number with misplaced group separators or other characters is rejected",
        arguments: [
            ("1,22", "\"1,22\" is not a number: \",\" separates groups of three digits"),
            ("1,2345", "\"1,2345\" is not a number: \",\" separates groups of three digits"),
            (",123", "\",123\" is not a number: \",\" separates groups of three digits"),
            ("1234,567", "\"1234,567\" is not a number: \",\" separates groups of three digits"),
            ("1,,234", "\"1,,234\" is not a number: \",\" separates groups of three digits"),
            ("1,234,", "\"1,234,\" is not a number: \",\" separates groups of three digits"),
            (
                "1.234,567",
                "\"1.234,567\" is not a number: \",\" separates groups of three digits before the fraction only"
            ),
            ("1 234", "\"1 234\" is not a number with \".\" before its fraction"),
            ("$1", "\"$1\" is not a number with \".\" before its fraction"),
            ("--1", "\"--1\" is not a number"), ("1.5.5", "\"1.5.5\" is not a number with \".\" before its fraction"),
            ("e5", "\"e5\" is not a number"),
        ])
    func numbers(text: String, message: String) throws {
        #expect(try stored("real\n\"\(text)\"\n", .csv, [(.group, ",")]) == "data:2: record 1, column real: \(message)")
    }

    @Test("a number with a decimal point is rejected if the decimal sign is a comma", arguments: ["1.5", "1.500"])
    func points(text: String) throws {
        #expect(
            try stored("real;text\n\(text);x\n", .csv, [(.decimal, ",")])
                == "data:2: record 1, column real: \"\(text)\" is not a number with \",\" before its fraction")
    }

    @Test(
        "a group sign may be any single character of any script that is not part of numbers",
        arguments: ["’", "\u{202F}", "\u{A0}", "٬", "_"])
    func signs(sign: String) throws {
        #expect(try stored("whole\n1\(sign)234\(sign)567\n", .csv, [(.group, sign)]) == "whole=1234567")
    }

    @Test(
        "an invalid decimal sign, an invalid group sign and an empty word for true are rejected",
        arguments: ["", "ab", "1", "-", "+", "e", "\n", "٣", "\u{2212}"])
    func noSigns(sign: String) {
        for kind in [SpellingOption.Kind.decimal, .group] {
            #expect(throws: InterchangeError.self) { _ = try SpellingOption(kind, sign) }
        }
        #expect(throws: InterchangeError.self) { _ = try SpellingOption(.trueWord, "") }
    }

    @Test("a JSON number is read as a text or a date only on request")
    func numbersAsTexts() throws {
        let text = #"[{"text":1776,"day":20030102,"birthday":20030102}]"#
        #expect(
            try stored(text, .json).hasPrefix(
                "data:1: record 1, column text: \"1776\": a number found, but a string is expected; column day: "))
        #expect(
            try stored(text, .json, [(.dateFormat, "%Y%m%d")]) { $0.readsNumbersAsTexts = true }
                == "text=1776 day=2003-01-02T00:00:00Z birthday=2003-01-02")
        #expect(try stored(#"[{"text":1.50e3}]"#, .json) { $0.readsNumbersAsTexts = true } == "text=1.50e3")
        #expect(
            try stored(#"[{"bytes":1776}]"#, .json) { $0.readsNumbersAsTexts = true }.contains("a number found, but"))
    }

    @Test(
        "a date with too many digits of a second is an error, or is rounded and counted on request",
        arguments: [DatasetFormat.csv, .json])
    func rounding(format: DatasetFormat) throws {
        let dates = ["2003-02-08T19:00:40.891775658Z", "2003-02-08T19:00:40.891775Z", "1600-08-03T04:18:12.635306Z"]
        let text =
            format == .csv
            ? "day\n" + dates.joined(separator: "\n")
            : "[" + dates.map { "\n{\"day\":\"\($0)\"}" }.joined(separator: ",") + "]"
        #expect(
            try stored(text, format) == """
                data:2: record 1, column day: "2003-02-08T19:00:40.891775658Z": more fractional digits than \
                a date can store; round the date to 2003-02-08T19:00:40.89177566Z, or round all dates (--round-dates)
                """)
        let container = try SampleModel.container()
        var options = ImportOptions(format: format)
        options.reading.roundsDates = true
        let importer = try DatasetImporter(entity: "Thing", container: container, options: options)
        let summary = try importer.run(ByteInput(bytes: Array(text.utf8), name: "data"))
        #expect(summary.files.map(\.roundedDates) == [2])
        try container.close()
        #expect(
            try stored("day\n8.2.2003 19:00:40.891775658\n", .csv, [(.dateFormat, "%d.%m.%Y %T.%f")])
                .hasPrefix("data:2: record 1, column day: \"8.2.2003 19:00:40.891775658\": more fractional digits"))
    }
}

extension StoredValue {
    /// The value in the default format.
    fileprivate var plain: String {
        switch self {
        case .date(let date):
            var bytes: [UInt8] = []
            do { try DateText.append(date, to: &bytes) } catch { return "\(error)" }
            return String(decoding: bytes, as: UTF8.self)
        case .string(let text): return text
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .double(let value): return "\(value)"
        case .decimal(let value): return "\(value)"
        case .day(let value): return "\(value)"
        case .timeOfDay(let value): return "\(value)"
        default: return "\(self)"
        }
    }
}
