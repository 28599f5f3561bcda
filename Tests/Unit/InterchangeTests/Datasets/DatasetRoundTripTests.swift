import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

@Suite("Dataset round trip")
struct DatasetRoundTripTests {
    private static let day = Day(daysSinceReferenceDay: -307).unsafelyUnwrapped
    private static let time = TimeOfDay(nanosecondsSinceMidnight: 30_600_250_000_000).unsafelyUnwrapped

    /// The extremes of every type, and texts with special characters of every format.
    private static let rows: [[StoredValue]] = [
        [
            .string(""), .integer(-32768), .integer(.min), .double(-.greatestFiniteMagnitude),
            .decimal(ScaledDecimal(unscaled: .min, scale: 2)), .boolean(false),
            .date(Date(timeIntervalSinceReferenceDate: -95_000_000_000)), .null, .binary(Data()),
            .day(Day("0000-01-01") ?? day), .timeOfDay(TimeOfDay("00:00") ?? time),
        ],
        [
            .string("a,\"b\"\r\n\tc;  ' é e\u{301} 👩‍👩‍👧 \u{202E}rtl"), .integer(32767), .integer(.max),
            .double(.leastNonzeroMagnitude),
            .decimal(ScaledDecimal(unscaled: .max, scale: 2)), .boolean(true),
            .date(Date(timeIntervalSinceReferenceDate: 300_000_000_000)),
            .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), .binary(Data([0, 255, 10])),
            .day(Day("9999-12-31") ?? day), .timeOfDay(TimeOfDay("23:59:59.999999999") ?? time),
        ],
        [
            .string(" "), .integer(0), .integer(0), .double(0.1), .decimal(ScaledDecimal(unscaled: 10010, scale: 2)),
            .null,
            .date(Date(timeIntervalSinceReferenceDate: 0.123456789).roundedToNanosecond()), .null, .null,
            .day(day), .timeOfDay(time),
        ],
        Array(repeating: .null, count: 11),
    ]

    @Test(
        "exported values are imported unchanged, and a second export has identical bytes",
        arguments: [DatasetFormat.csv, .tsv, .json])
    func values(format: DatasetFormat) throws {
        let first = try SampleModel.container()
        try first.batchInsert(into: "Thing") { inserter in
            for (index, values) in Self.rows.enumerated() {
                try inserter.insert(values: values, location: RowLocation(line: index, record: index))
            }
        }
        let text = try first.exported("Thing", format)
        let second = try SampleModel.container()
        #expect(try second.importing(text, format, into: "Thing").map(\.values) == Self.rows)
        #expect(try second.exported("Thing", format) == text)
    }

    @Test("an empty table is exported as a header or an empty array and imported without rows")
    func empty() throws {
        let container = try SampleModel.container()
        #expect(try container.exported("Person", .csv) == "id,name,rank,boss\n")
        #expect(try container.exported("Person", .json) == "[]\n")
        #expect(try container.importing("id,name,rank,boss\n", .csv, into: "Person").isEmpty)
        #expect(try container.importing("[]\n", .json, into: "Person").isEmpty)
    }
}
