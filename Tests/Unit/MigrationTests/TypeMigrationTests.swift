import Foundation
import StrataCore
import StrataPersistence
import Testing

/// Conversion of values to another type.
@Suite("Migration of types")
struct TypeMigrationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let from: AttributeType
        let to: AttributeType
        let values: [(StoredValue, StoredValue)]
        /// A value that cannot be converted.
        var refused: StoredValue?

        var testDescription: String { "\(from) to \(to)" }
    }

    private static let uuid = UUID(
        uuid: (0x8C, 0x0C, 0x6B, 0x9E, 0x3D, 0x5A, 0x4D, 0x8E, 0x9D, 0x0A, 1, 0x23, 0x45, 0x67, 0x89, 0xAB))
    private static let day = Day("2026-11-24")

    static let cases: [Case] = [
        Case(from: .integer16, to: .integer64, values: [(.integer(-5), .integer(-5)), (.null, .null)]),
        Case(
            from: .integer64, to: .integer16, values: [(.integer(32_767), .integer(32_767))], refused: .integer(32_768)),
        Case(
            from: .integer64, to: .decimal(scale: 2),
            values: [(.integer(-7), .decimal(ScaledDecimal(unscaled: -700, scale: 2)))],
            refused: .integer(.max)),
        Case(
            from: .decimal(scale: 2), to: .decimal(scale: 4),
            values: [
                (.decimal(ScaledDecimal(unscaled: 150, scale: 2)), .decimal(ScaledDecimal(unscaled: 15_000, scale: 4)))
            ],
            refused: .decimal(ScaledDecimal(unscaled: .max, scale: 2))),
        Case(
            from: .decimal(scale: 4), to: .decimal(scale: 2),
            values: [
                (.decimal(ScaledDecimal(unscaled: 15_000, scale: 4)), .decimal(ScaledDecimal(unscaled: 150, scale: 2)))
            ],
            refused: .decimal(ScaledDecimal(unscaled: 15_001, scale: 4))),
        Case(
            from: .decimal(scale: 2), to: .integer32,
            values: [(.decimal(ScaledDecimal(unscaled: 300, scale: 2)), .integer(3))],
            refused: .decimal(ScaledDecimal(unscaled: 301, scale: 2))),
        Case(
            from: .decimal(scale: 2), to: .string,
            values: [(.decimal(ScaledDecimal(unscaled: 1250, scale: 2)), .string("12.50"))]),
        Case(
            from: .integer64, to: .string, values: [(.integer(.min), .string("-9223372036854775808")), (.null, .null)]),
        Case(from: .boolean, to: .integer16, values: [(.boolean(true), .integer(1)), (.boolean(false), .integer(0))]),
        Case(
            from: .boolean, to: .string,
            values: [(.boolean(true), .string("true")), (.boolean(false), .string("false"))]),
        Case(from: .integer16, to: .boolean, values: [(.integer(1), .boolean(true))], refused: .integer(2)),
        Case(from: .integer64, to: .double, values: [(.integer(3), .double(3))], refused: .integer((1 << 53) + 1)),
        Case(from: .double, to: .integer64, values: [(.double(3), .integer(3))], refused: .double(3.5)),
        Case(from: .string, to: .integer32, values: [(.string("501"), .integer(501))], refused: .string("00501")),
        Case(from: .string, to: .integer32, values: [(.string("-5"), .integer(-5))], refused: .string("+5")),
        Case(from: .string, to: .boolean, values: [(.string("true"), .boolean(true))], refused: .string("yes")),
        Case(
            from: .string, to: .decimal(scale: 2),
            values: [
                (.string("1.5"), .decimal(ScaledDecimal(unscaled: 150, scale: 2))),
                (.string("1.500"), .decimal(ScaledDecimal(unscaled: 150, scale: 2))),
                (.string("10"), .decimal(ScaledDecimal(unscaled: 1000, scale: 2))),
            ], refused: .string("01.5")),
        Case(from: .double, to: .string, values: [(.double(1.5), .string("1.5"))]),
        Case(
            from: .double, to: .decimal(scale: 1),
            values: [(.double(1.5), .decimal(ScaledDecimal(unscaled: 15, scale: 1)))], refused: .double(0.25)),
        Case(from: .string, to: .integer32, values: [(.string("42"), .integer(42))], refused: .string("forty-two")),
        Case(from: .string, to: .boolean, values: [(.string("true"), .boolean(true))], refused: .string("maybe")),
        Case(
            from: .string, to: .uuid,
            values: [
                (
                    .string("8C0C6B9E-3D5A-4D8E-9D0A-0123456789AB"),
                    .uuid(uuid)
                )
            ], refused: .string("8C0C")),
        Case(
            from: .string, to: .date,
            values: [(.string("2001-01-01T00:00:01Z"), .date(Date(timeIntervalSinceReferenceDate: 1)))],
            refused: .string("yesterday")),
        Case(from: .day, to: .string, values: [(day.map(StoredValue.day) ?? .null, .string("2026-11-24"))]),
        Case(
            from: .string, to: .day, values: [(.string("2026-11-24"), day.map(StoredValue.day) ?? .null)],
            refused: .string("2026-02-30")),
        Case(from: .binary, to: .string, values: [(.binary(Data([1, 255])), .string("Af8="))]),
    ]

    @Test("an attribute's type changes only if no value is lost", arguments: StoreKind.allCases, cases)
    func changed(_ kind: StoreKind, _ example: Case) throws {
        let old = [EntityDescription("Thing", [attribute("x", example.from), attribute("tag")])]
        let new = [EntityDescription("Thing", [attribute("x", example.to), attribute("tag")])]
        var rows: [Int64: [StoredValue]] = [:]
        for (index, value) in example.values.enumerated() { rows[Int64(index + 1)] = [value.0, .string("t")] }
        let store = try EarlierStore(kind, old, rows: ["Thing": rows]).open(new)
        let values = try store.values("Thing")
        for (index, value) in example.values.enumerated() {
            #expect(values[Int64(index + 1)] == [value.1, .string("t")])
        }
        guard let refused = example.refused else { return }
        rows[90] = [refused, .null]
        let earlier = try EarlierStore(kind, old, rows: ["Thing": rows])
        let error = try #require(failure { _ = try earlier.open(new) })
        #expect(error.code == .validation && error.entity == "Thing" && error.attribute == "x" && error.id == 90)
        #expect(error.message.hasSuffix("Thing.x cannot be converted to \(example.to): 1 row, Thing 90"))
        #expect(try earlier.open(old).values("Thing") == rows)
    }

    @Test("a type change without a conversion rule is rejected", arguments: StoreKind.allCases)
    func notInferable(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("Thing", [attribute("x", .date)])], rows: ["Thing": [1: [.null]]])
        let error = try #require(
            failure { _ = try earlier.open([EntityDescription("Thing", [attribute("x", .uuid)])]) })
        #expect(error.code == .incompatibleModel)
        #expect(
            error.message.contains(
                "Thing.x has the type date in the store and uuid in the model, and no rule converts the values"))
    }
}
