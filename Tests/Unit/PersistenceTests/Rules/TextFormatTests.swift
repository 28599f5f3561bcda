import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Texts with a required format.
@Suite("Formats of texts")
struct TextFormatTests {
    private static let texts: [(TextFormat, valid: [String], invalid: [String])] = [
        (
            .localDateTime, ["2024-02-29T23:59:59", "0001-01-01T00:00:00.123456789"],
            [
                "2023-02-29T00:00:00", "2024-01-01 00:00:00", "2024-01-01T24:00:00", "2024-01-01T00:00:00Z",
                "2024-01-01T00:00", "2024-01-01T00:00:00.", "2024-01-01T00:00:00.1234567890",
            ]
        ),
        (
            .offsetDateTime, ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.5+14:00", "2024-01-01T00:00:00-05:30"],
            ["2024-01-01T00:00:00", "2024-01-01T00:00:00+14:01", "2024-01-01T00:00:00+2:00", "2024-01-01T00:00:00z"]
        ),
        (.dateTime, ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59"], ["2024-02-29", "now"]),
        (.year, ["2024", "-0044", "12024", "0000"], ["24", "02024", "2024Z", "+2024", "２０２４"]),
        (.yearMonth, ["2024-01", "-0044-12"], ["2024-13", "2024-1", "2024", "2024-01-01"]),
        (
            .duration, ["P1D", "P1Y2M3DT4H5M6.7S", "-PT0S", "PT36H"],
            ["P", "PT", "P1S", "1D", "P1DT", "P1M1Y", "P1.5D", "P-1D", "P1W"]
        ),
        (
            .email, ["a@b", "ada.lace+x@example.org", "ü@exämple.de"],
            ["a", "a@", "@b", "a@b@c", "a b@c", "a..b@c", "a@b."]
        ),
        (
            .uri, ["https://example.org/a%20b?c=d#e", "urn:isbn:0451450523", "mailto:a@b"],
            ["example.org", "https:", "ht tp://a", "https://a b", "https://ä", "https://a%2", "1a:b"]
        ),
        (
            .uuid, ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-42661417400F"],
            [
                "", "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}",
                "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a4564-26614174000",
            ]
        ),
        (.base64, ["", "AA==", "SGVsbG8=", "+/09"], ["A", "AA=", "AA=A", "SGVsbG8 ", "SG-_", "===="]),
        (.bigInteger, ["0", "-12345678901234567890123", "+007"], ["", "-", "1.0", "1e5", " 1"]),
        (.number, ["1", "-.5", "5.", "1e-400", "+1.50E+3"], ["", ".", "e5", "1e", "INF", "NaN", "1_000", "0x1"]),
        (.geopoint, ["13.4, 52.5", "-180,90", "0,0"], ["181,0", "0,91", "1", "1,2,3", "a,b", "1, "]),
        (
            .object, ["{}", "{\"b\": [1, {\"a\": 1e999}]}", " {\"a\":\"\\u00e9\"}\n"],
            ["", "[]", "{a: 1}", "{\"a\": 1, \"a\": 2}", "{}{}", "null", "{\"a\": 01}"]
        ),
        (.array, ["[]", "[ 1, [2], {}]"], ["{}", "[1,]", "1", "[", "[1] [2]"]),
        (.json, ["{}", "[1]", "\"a\"", "1.50", "true", "null"], ["", "a", "[1,]", "1 2", "{a:1}", "01"]),
    ]

    @Test("each text format stores valid texts unchanged and rejects invalid texts", arguments: 0..<texts.count)
    func formats(number: Int) throws {
        let (format, valid, invalid) = Self.texts[number]
        #expect(Self.texts.count == TextFormat.allCases.count)
        let model = try ManagedObjectModel([
            EntityDescription(
                "A", [.attribute(AttributeDescription("x", .string, isOptional: true, domain: format.domain))])
        ])
        for kind in StoreKind.allCases {
            let stack = try kind.stack(model)
            let container = stack.container
            func insert(_ text: String) throws {
                try container.batchWrite { writer in
                    try writer.inserter(of: "A").insert(
                        values: [.string(text)], location: RowLocation(line: 1, record: 1))
                }
            }
            for text in valid { try insert(text) }
            let rows = try container.coordinator.store.rows(StoreRequest("A"))
            #expect(rows.map { $0.values[0] } == valid.map(StoredValue.string))
            for text in invalid {
                let error = #expect(throws: PersistenceError.self, "\(text)") { try insert(text) }
                #expect(
                    error?.failures.first.map { "\($0)".contains("is not a") } == true,
                    "\(text): \(String(describing: error))")
            }
        }
    }
}
