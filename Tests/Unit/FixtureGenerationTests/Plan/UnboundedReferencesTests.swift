import Testing

@testable import StrataFixtures

@Suite("Unbounded references")
struct UnboundedReferencesTests {
    @Test("unbounded references are distributed over all targets, and about the given share of references is null")
    func spread() throws {
        let fixtures = try Samples.company(bosses: 20, employees: 4_000, perTarget: nil, without: .percent(25))
        let (none, degrees) = try BoundedReferencesTests.degrees(fixtures, targets: 20)
        #expect((850...1_150).contains(none))
        #expect(degrees.allSatisfy { (90...210).contains($0) }, "\(degrees)")
    }

    @Test("references to an entity without rows are null")
    func none() throws {
        let fixtures = try Samples.company(bosses: 0, employees: 50, perTarget: nil)
        #expect(try Samples.values(fixtures, "boss", of: "Employee").allSatisfy { $0 == .null })
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let fields: [FixtureField]
        var count = 10
        let message: String
        var testDescription: String { message }
    }

    static let refusals: [Refusal] = [
        Refusal(
            fields: [.reference("boss", to: "Boss", isOptional: false)],
            message:
                "Row.boss: the reference is mandatory, but there are no Boss rows; give Boss a count"),
        Refusal(
            fields: [.reference("boss", to: "Chief")],
            message: "Row.boss: the relationship refers to \"Chief\", but there is no such entity"),
        Refusal(
            fields: [
                FixtureField(
                    "boss", type: .reference(to: "Boss"), generator: .reference(without: .none, perTarget: nil),
                    nulls: .percent(1))
            ],
            message: "Row.boss: use \"without\" in \"reference\" for the share of rows without a reference"),
        Refusal(
            fields: [
                FixtureField(
                    "boss", type: .reference(to: "Boss"), generator: .reference(without: .percent(1), perTarget: nil))
            ],
            message: "Row.boss: the relationship is mandatory in the model"),
        Refusal(
            fields: [
                FixtureField(
                    "boss", type: .reference(to: "Boss"), generator: .reference(without: .none, perTarget: 0...1),
                    isUnique: true)
            ],
            message: "Row.boss: \"perTarget\" and \"unique\" cannot be combined; [0, 1] has the same effect"),
    ]

    @Test("an invalid reference is rejected with the reason", arguments: refusals)
    func refuse(_ refusal: Refusal) {
        let message = Samples.message {
            let schema = [FixtureEntity("Boss", [], count: 0), FixtureEntity("Row", refusal.fields, count: 10)]
            _ = try Fixtures(try FixtureDescription(schema: schema))
        }
        #expect(message == refusal.message)
    }

    @Test("rows may refer to rows of their own entity")
    func itself() throws {
        let field = FixtureField.reference("value", to: "Row", perTarget: 0...3)
        let ids = try Samples.values(try Samples.fixtures(field, count: 100)).compactMap(\.number)
        #expect(ids.count == 100)
        #expect(ids.allSatisfy { (1...100).contains($0) })
    }

    @Test("each target of a unique reference occurs once if there are as many rows as targets")
    func unique() throws {
        let schema = [
            FixtureEntity("Boss", [], count: 30),
            FixtureEntity(
                "Row",
                [
                    FixtureField(
                        "value", type: .reference(to: "Boss"), generator: .reference(without: .none, perTarget: nil),
                        isUnique: true)
                ], count: 30),
        ]
        let fixtures = try Fixtures(try FixtureDescription(schema: schema))
        #expect(try Set(Samples.values(fixtures)) == Set((1...30).map { .integer($0) }))
    }
}
