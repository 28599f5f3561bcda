import Testing

@testable import StrataFixtures

@Suite("Bounded references")
struct BoundedReferencesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let targets: Int
        let rows: Int
        let perTarget: ClosedRange<Int>
        var without = FixtureShare.none
        var testDescription: String { "\(targets) \(perTarget) \(rows) without \(without.millionths)" }
    }

    static let cases: [Case] = [
        Case(targets: 0, rows: 0, perTarget: 3...12),
        Case(targets: 0, rows: 5, perTarget: 0...0, without: .percent(100)),
        Case(targets: 1, rows: 7, perTarget: 0...7), Case(targets: 1, rows: 7, perTarget: 7...7),
        Case(targets: 20, rows: 150, perTarget: 3...12), Case(targets: 20, rows: 60, perTarget: 3...12),
        Case(targets: 20, rows: 240, perTarget: 3...12), Case(targets: 20, rows: 61, perTarget: 3...12),
        Case(targets: 20, rows: 239, perTarget: 3...12),
        Case(targets: 20, rows: 158, perTarget: 3...12, without: .percent(5)),
        Case(targets: 7, rows: 35, perTarget: 5...5), Case(targets: 100, rows: 63, perTarget: 0...1),
        Case(targets: 100, rows: 0, perTarget: 0...1), Case(targets: 100, rows: 100, perTarget: 0...1),
        Case(targets: 3, rows: 500, perTarget: 0...1_000_000_000),
        Case(targets: 500, rows: 3, perTarget: 0...1_000_000_000),
        Case(targets: 400, rows: 400, perTarget: 0...1_000_000_000), Case(targets: 100, rows: 10, perTarget: 0...5),
        Case(targets: 50, rows: 333, perTarget: 1...300, without: .percent(33)),
        Case(targets: 9, rows: 100, perTarget: 0...100, without: .percent(100)),
    ]

    static func degrees(_ fixtures: Fixtures, targets: Int) throws -> (none: Int, degrees: [Int]) {
        var (none, degrees) = (0, [Int](repeating: 0, count: targets))
        for value in try Samples.values(fixtures, "boss", of: "Employee") {
            if let id = value.number { degrees[Int(id) - 1] += 1 } else { none += 1 }
        }
        return (none, degrees)
    }

    @Test(
        "each target has a count of references within the bounds, and exactly the given share of rows has no target",
        arguments: cases)
    func bounds(_ one: Case) throws {
        for seed in [0, 42, UInt64.max] {
            let fixtures = try Samples.company(
                bosses: one.targets, employees: one.rows, perTarget: one.perTarget, without: one.without, seed: seed)
            let (none, degrees) = try Self.degrees(fixtures, targets: one.targets)
            #expect(none == one.without.count(of: one.rows))
            #expect(degrees.allSatisfy { one.perTarget.contains($0) }, "\(degrees)")
        }
    }

    @Test("with random bounds, each target has a count of references within the bounds")
    func drawn() throws {
        let bits = RowBits(key: 7, index: 7)
        for round in 0..<150 as Range<UInt64> {
            let targets = Int(bits.value(RowBits.mixed(4 * round), below: 30)) + 1
            let lower = Int(bits.value(RowBits.mixed(4 * round + 1), below: 8))
            let upper = lower + Int(bits.value(RowBits.mixed(4 * round + 2), below: 40))
            let referring =
                targets * lower
                + Int(bits.value(RowBits.mixed(4 * round + 3), below: UInt64(targets * (upper - lower) + 1)))
            let references = BoundedReferences(
                targets: targets, referring: referring, perTarget: lower...upper, fixed: [0: (lower + upper) / 2])
            guard references.least <= referring else { continue }
            let starts = references.starts(RowBits(key: round, index: 0))
            let degrees = zip(starts, starts.dropFirst()).map { Int($1 - $0) }
            #expect(starts.last == Int64(referring))
            #expect(degrees.allSatisfy { (lower...upper).contains($0) }, "\(lower)...\(upper): \(degrees)")
            #expect(degrees[0] >= (lower + upper) / 2)
        }
    }

    @Test("all counts of references within the bounds occur, also if the mean count is not in the middle")
    func spread() {
        let even = BoundedReferences(targets: 2_000, referring: 15_000, perTarget: 3...12, fixed: [:])
        let low = BoundedReferences(targets: 2_000, referring: 8_000, perTarget: 3...12, fixed: [:])
        for references in [even, low] {
            let starts = references.starts(RowBits(key: 1, index: 0))
            #expect(Set(zip(starts, starts.dropFirst()).map { $1 - $0 }) == Set(3...12))
        }
    }

    @Test("references to 20,000 targets are distributed completely with the widest bounds")
    func wide() {
        let references = BoundedReferences(
            targets: 20_000, referring: 20_000, perTarget: FixtureGenerator.targetBounds, fixed: [:])
        #expect(references.starts(RowBits(key: 1, index: 0)).last == 20_000)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let one: Case
        var fixed: [FixtureValue] = []
        let message: String
        var testDescription: String { message }
    }

    static let tooFew = "change a count, \"without\" or \"perTarget\""

    static let refusals: [Refusal] = [
        Refusal(
            one: Case(targets: 20, rows: 59, perTarget: 3...12),
            message:
                "Employee.boss: 20 Boss rows with 3 to 12 each require 60 to 240 Employee rows, but the description gives a "
                + "reference to 59; \(tooFew)"
        ),
        Refusal(
            one: Case(targets: 20, rows: 241, perTarget: 3...12),
            message:
                "Employee.boss: 20 Boss rows with 3 to 12 each require 60 to 240 Employee rows, but the description gives a "
                + "reference to 241; \(tooFew)"
        ),
        Refusal(
            one: Case(targets: 0, rows: 1, perTarget: 0...12),
            message:
                "Employee.boss: 0 Boss rows with 0 to 12 each require 0 to 0 Employee rows, but the description gives a reference to 1; "
                + "\(tooFew)"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 2...2), fixed: [1, 1, 1],
            message: "Employee.boss: 3 fixed rows refer to row 1, but \"perTarget\" allows 2"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 1...3), fixed: [1, 1, 1, 1],
            message: "Employee.boss: 4 fixed rows refer to row 1, but \"perTarget\" allows 3"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 2...3), fixed: [1, 1, 1],
            message:
                "Employee.boss: 2 Boss rows with 2 to 3 each require 5 to 6 Employee rows, but the description gives a reference to 4; "
                + "\(tooFew)"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 0...3), fixed: [.null],
            message:
                "Employee.boss: 1 fixed rows have no reference, but only 0 of all rows may have none; give \"without\" "
                + "a larger share"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 0...3), fixed: [3],
            message: "Employee.boss: a fixed row refers to Boss 3, but there are 2 Boss rows"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: -1...3),
            message: "Employee.boss: \"perTarget\" must be from 0 to 1000000000"),
        Refusal(
            one: Case(targets: 2, rows: 4, perTarget: 0...Int.max),
            message: "Employee.boss: \"perTarget\" must be from 0 to 1000000000"),
        Refusal(
            one: Case(targets: 1_000_000_000, rows: 4, perTarget: 0...3),
            message: "Employee.boss: \"perTarget\" supports at most 10000000 rows of Boss, but there are 1000000000; "
                + "omit \"perTarget\", or reduce the count"),
    ]

    @Test("bounds that the row counts cannot satisfy are rejected with the counts", arguments: refusals)
    func refuse(_ refusal: Refusal) {
        let one = refusal.one
        let message = Samples.message {
            _ = try Samples.company(
                bosses: one.targets, employees: one.rows, perTarget: one.perTarget, without: one.without,
                fixed: refusal.fixed)
        }
        #expect(message == refusal.message)
    }

    @Test("fixed rows have their given targets, and each target has a count within the bounds")
    func fixed() throws {
        let given: [FixtureValue] = [3, 3, .null, 3, 3, 3, 1, 3, .null, 3]
        let fixtures = try Samples.company(
            bosses: 5, employees: 30, perTarget: 2...7, without: .percent(10), fixed: given)
        #expect(try Samples.values(fixtures, "boss", of: "Employee", count: 10) == given)
        let (none, degrees) = try Self.degrees(fixtures, targets: 5)
        #expect(none == 3)
        #expect(degrees[2] == 7)
        #expect(degrees.allSatisfy { (2...7).contains($0) })
    }
}
