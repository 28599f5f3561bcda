import Foundation
import Testing

@testable import StrataCore

/// Values that are stored without conversion, because the conversion would not change them.
@Suite("Stored forms")
struct StoredFormTests {
    private static let doubles = [
        0, -0.0, 1, -1, 0.5, -0.5, .leastNonzeroMagnitude, 4e15 + 0.5, 9e15, 1e300, -1e300, .nan, .infinity, -.infinity,
        .pi,
        700_000_000.123_456_789,
    ]
    private static let values: [StoredValue] =
        doubles.flatMap { [.double($0), .date(Date(timeIntervalSinceReferenceDate: $0))] }
        + [0, 1, -1, 32_767, 32_768, -32_769, 2_147_483_647, 2_147_483_648, -2_147_483_649, .max, .min]
        .flatMap { (number: Int64) -> [StoredValue] in
            [.integer(number)] + [0, 2, 18].map { .decimal(ScaledDecimal(unscaled: number, scale: $0)) }
        }
        + [
            .null, .boolean(true), .boolean(false), .string(""), .string("a\u{0}b"), .string("ä"), .binary(Data([0])),
            .uuid(UUID()),
        ]
    private static let types: [AttributeType] = [
        .boolean, .integer16, .integer32, .integer64, .double, .decimal(scale: 0), .decimal(scale: 2),
        .decimal(scale: 18), .string, .date, .day, .timeOfDay, .uuid, .binary,
    ]

    @Test("a value is reported as being in stored form only if the conversion changes no bit", arguments: types)
    func same(_ type: AttributeType) throws {
        var count = 0
        for value in Self.values where value.isStored(as: type) {
            count += 1
            let converted = try #require(value.converted(to: type), "\(value)")
            // The description of a stored value distinguishes -0.0 from 0.0.
            #expect("\(converted.stored)" == "\(value.stored)", "\(value)")
        }
        let hasOwnValues = type != .day && type != .timeOfDay
        #expect(hasOwnValues == (count > 0))
    }

    @Test("a whole second is in stored form, and a date that must be rounded is not")
    func dates() {
        #expect(StoredValue.date(Date(timeIntervalSinceReferenceDate: 700_000_000)).isStored(as: .date))
        #expect(!StoredValue.date(Date(timeIntervalSinceReferenceDate: 0.1)).isStored(as: .date))
        #expect(!StoredValue.integer(40_000).isStored(as: .integer16))
    }
}
