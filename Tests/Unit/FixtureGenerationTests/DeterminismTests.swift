import Foundation
import StrataDomain
import StrataReferenceFixtures
import StrataTestSupport
import Testing

@testable import StrataFixtures

/// The generated values of version 1, which must never change.
///
/// Rows with other values require a new dataset version with its own table.
@Suite("Recorded values of dataset version 1")
struct DeterminismTests {
    struct Pinned: Sendable, CustomTestStringConvertible {
        let entity: String
        let seed: UInt64
        let isHostile: Bool
        /// The 128-bit FNV-1a digest of the first thousand rows.
        let digest: String
        var testDescription: String { "\(entity) of \(seed)\(isHostile ? ", hostile" : "")" }

        init(_ entity: String, _ seed: UInt64, hostile isHostile: Bool = false, _ digest: String) {
            self.entity = entity
            self.seed = seed
            self.isHostile = isHostile
            self.digest = digest
        }
    }

    static let pinned: [Pinned] = [
        Pinned("Color", 0, "ce1a8422e9c919d9ef4e0bfa569dee50"),
        Pinned("Color", 0, hostile: true, "0449f359996cfcdfa96583f17d000aaf"),
        Pinned("Color", 42, "8c7b3df528ff51ba4699cc2ea49cbd6e"),
        Pinned("Color", 42, hostile: true, "ed4e4544c80bc8f6b3521eef9f451afe"),
        Pinned("Color", .max, "6e1edad8a3b5a4c2a55d6b307d6cd536"),
        Pinned("Color", .max, hostile: true, "29d455367ac2f8b2b56151d39e51d1a7"),
        Pinned("Boss", 0, "b3057442340887fed5555605136694b7"),
        Pinned("Boss", 0, hostile: true, "52af11a5fc4d1efc46f736372fc0f5cd"),
        Pinned("Boss", 42, "138d933e668a5ad49b0aca334c229276"),
        Pinned("Boss", 42, hostile: true, "558fd12018eb3dd63947af9aa7e16a52"),
        Pinned("Boss", .max, "381e2e90813763e1d2192b0da822d9fe"),
        Pinned("Boss", .max, hostile: true, "37062a496196dc717e39421eb3c7f4ac"),
        Pinned("Employee", 0, "f3877c02fbc48e8b2530ee23c4e9b281"),
        Pinned("Employee", 0, hostile: true, "cfd0cae09e159bc3c54c228ca22e6592"),
        Pinned("Employee", 42, "afc05ff2a4c640ac315afef62c0e55bc"),
        Pinned("Employee", 42, hostile: true, "d8e485db2c5c3dcd58b436601cf869f5"),
        Pinned("Employee", .max, "2dfa4382c6ecd4c4ce17a4c82632cabc"),
        Pinned("Employee", .max, hostile: true, "1d460b82a1ff8c88287ff02f33d18a53"),
        Pinned("Item", 0, "e1a1f6e7f3f6f6bc7c2fd2acdf75bf61"),
        Pinned("Item", 0, hostile: true, "98e0023d56a2f6f4339e8adaa02373ad"),
        Pinned("Item", 42, "3bb608b0b7f4dc458a1d9f8b98abc1f0"),
        Pinned("Item", 42, hostile: true, "169f5691c0acb406764b4b3d1102ddec"),
        Pinned("Item", .max, "89b3cec0a11e9d8cf26b729a63950c6a"),
        Pinned("Item", .max, hostile: true, "949fa59cc42f6c063e74f6480d5f56f2"),
        Pinned("Everything", 0, "993c9e39b6b68927e73f095582fdd9bb"),
        Pinned("Everything", 0, hostile: true, "b769820b4f8881158eebdd0ad64658c9"),
        Pinned("Everything", 42, "87fbc17f59ceaa62140861a004b045ff"),
        Pinned("Everything", 42, hostile: true, "c0438bab118e477d2bea8dfa8c8e198d"),
        Pinned("Everything", .max, "73c4a3b4b288f1d3cd02223e15259f3b"),
        Pinned("Everything", .max, hostile: true, "8c9f3056126a616f94f69d5b430affa7"),
    ]

    @Test("the first 1,000 rows of an entity have the recorded digest", arguments: Seeds.spread(11, of: pinned))
    func rows(_ pinned: Pinned) throws {
        var description = try FixtureDescription(seed: pinned.seed, schema: Self.schema())
        description.hostile = pinned.isHostile ? FixtureDescription.standardHostility : .none
        let digest = try Self.digest(try Fixtures(description), pinned.entity)
        #expect(digest == pinned.digest, "\(pinned)")
    }

    /// Returns the reference model, and an entity with the generators that the reference model does not use.
    static func schema() throws -> [FixtureEntity] {
        let (from, to) = (CivilDay.beginning(1_999), CivilDay.beginning(2_003))
        let bounds = FixtureGenerator.Bounds(-1_000...1_000, step: 7)
        return try ReferenceEntities.all(version: 1) + [
            FixtureEntity(
                "Everything",
                [
                    FixtureField("full", type: .text, generator: .kind(.fullName), isUnique: true),
                    FixtureField("given", type: .text, generator: .kind(.givenName), nulls: .percent(30)),
                    FixtureField("anyone", type: .text, generator: .kind(.fullName)),
                    FixtureField("colorName", type: .text, generator: .kind(.colorName), isUnique: true),
                    FixtureField("oneOf", type: .text, generator: .oneOf(["a", "b", "c"])),
                    FixtureField(
                        "weighted", type: .text, generator: .oneOf([.init("a", weight: 1), .init("b", weight: 9)])),
                    FixtureField("code", type: .text, generator: .code(prefix: "C-", digits: 5), isUnique: true),
                    FixtureField("anyCode", type: .text, generator: .code(prefix: "", digits: 18)),
                    FixtureField("uniform", type: .integer, generator: .uniform(-500...500)),
                    FixtureField(
                        "wide", type: .integer, generator: .uniform(Decimal(Int64.min)...Decimal(Int64.max), step: 2)),
                    FixtureField("serial", type: .integer, generator: .uniform(1...1_000), isUnique: true),
                    FixtureField("normal", type: .integer, generator: .normal(mean: 10, deviation: 300, bounds)),
                    FixtureField("small", type: .decimal(scale: 9), generator: .uniform(0...1)),
                    FixtureField("over", type: .integer, generator: .markup(over: "uniform", percent: 0...300)),
                    FixtureField("truth", type: .boolean, generator: .chance(.percent(37))),
                    FixtureField(
                        "day", type: .date, generator: .dates(from: from, to: to, weekdays: nil, precision: .day)),
                    FixtureField(
                        "second", type: .date, generator: .dates(from: from, to: to, weekdays: nil, precision: .second)),
                    FixtureField(
                        "weekday", type: .date,
                        generator: .dates(from: from, to: to, weekdays: [1, 2, 3, 4, 5, 0, 0], precision: .second)),
                    FixtureField("uuid", type: .uuid, generator: .kind(.uuid)),
                    FixtureField("hex", type: .color, generator: .kind(.hexColor), isUnique: true),
                    .reference("boss", to: "Boss", without: .percent(10), perTarget: 5...90),
                    .reference("color", to: "Color", isOptional: false),
                ], count: 1_000)
        ]
    }

    // MARK: - The canonical text

    static func digest(_ fixtures: Fixtures, _ entity: String) throws -> String {
        let plan = try fixtures.plan(of: entity)
        let order = plan.entity.fields.indices.sorted { plan.entity.fields[$0].name < plan.entity.fields[$1].name }
        var hash = Hash()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: plan.longestText) { scratch in
            plan.makeRows(0..<1_000) { (index, row) in
                hash.add("\(index)".utf8)
                for place in order {
                    hash.add("\t\(plan.entity.fields[place].name)=".utf8)
                    switch row.cells[place] {
                    case .null: hash.add("null".utf8)
                    case .integer(let number): hash.add("\(number)".utf8)
                    case .boolean(let value): hash.add((value ? "true" : "false").utf8)
                    case .date(let seconds, let nanoseconds): hash.add("\(seconds)s\(nanoseconds)".utf8)
                    default:
                        let text = row.text(row.cells[place], scratch)
                        hash.add("\(text.count):".utf8)
                        hash.add(text)
                    }
                }
                hash.add("\n".utf8)
            }
        }
        return hash.digits
    }

    /// A 128-bit FNV-1a hash (Fowler, Noll and Vo).
    struct Hash {
        private var value = UInt128(0x6C62_272E_07BB_0142) << 64 | UInt128(0x62B8_2175_6295_C58D)
        private static let prime = UInt128(1) << 88 | UInt128(0x13B)

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt128(byte)) &* Self.prime }
        }

        var digits: String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: 32 - text.utf8.count) + text
        }
    }

    @Test("the FNV-1a hash of this test equals the published vectors")
    func vectors() {
        var (empty, letter) = (Hash(), Hash())
        empty.add("".utf8)
        letter.add("a".utf8)
        #expect(empty.digits == "6c62272e07bb014262b821756295c58d")
        #expect(letter.digits == "d228cb696f1a8caf78912b704e4a8964")
    }

    @Test("the first three employees of seed 42 have the recorded values")
    func readable() throws {
        let fixtures = try Fixtures(seed: 42)
        let text = try (0..<3).map { index in
            let person = try fixtures.employee(at: index)
            return "\(person.firstName) \(person.lastName) \(person.salary) "
                + "\(Int64(person.dateHired.timeIntervalSinceReferenceDate)) \(person.boss?.rawValue ?? 0)"
        }
        #expect(
            text == [
                "Mónica Martínez 81800 -42595200 8", "Μυρτώ Κωνσταντίνου 45300 38707200 12",
                "Samuel Morrison 117100 591580800 3",
            ])
    }
}
