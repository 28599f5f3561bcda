import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataPersistence

/// Bounds on a relationship's number of objects, checked by number and with a store request.
@Suite("Count rules")
struct CountRuleBoundsTests {
    private static func members(
        _ cardinality: RelationshipDescription.Cardinality = .toMany, isOptional: Bool = true, minimum: Int = 0,
        maximum: Int? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            "members", to: "Member", cardinality, inverse: "club", isOptional: isOptional, minimumCount: minimum,
            maximumCount: maximum)
    }

    /// A relationship, and the rule that each number of objects from 0 on breaks.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let relationship: RelationshipDescription
        let broken: [ValidationFailure.Rule?]
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a mandatory relationship has at least one object",
            relationship: members(isOptional: false),
            broken: [.minimumCount(1), nil, nil]),
        Case(
            testDescription: "an optional relationship has its minimum or no object", relationship: members(minimum: 2),
            broken: [nil, .minimumCount(2), nil, nil]),
        Case(
            testDescription: "a mandatory relationship has its minimum",
            relationship: members(isOptional: false, minimum: 2),
            broken: [.minimumCount(2), .minimumCount(2), nil]),
        Case(
            testDescription: "a relationship has at most its maximum", relationship: members(maximum: 1),
            broken: [nil, nil, .maximumCount(1), .maximumCount(1)]),
        Case(
            testDescription: "a relationship has a minimum and a maximum",
            relationship: members(isOptional: false, minimum: 2, maximum: 3),
            broken: [.minimumCount(2), .minimumCount(2), nil, nil, .maximumCount(3)]),
    ]

    @Test("a count rule reports the bound that a number of objects breaks", arguments: cases)
    func broken(_ item: Case) throws {
        let rule = try #require(CountRule(item.relationship))
        for (count, expected) in item.broken.enumerated() {
            #expect(rule.broken(by: count) == expected, "\(count)")
            let failure = rule.failure(of: 7, in: "Club", count: count)
            #expect(failure?.rule == expected)
            if let failure { #expect(failure.debugDescription.hasPrefix("Club 7, members: \(count) is ")) }
        }
    }

    @Test("a relationship without bounds and a to-one relationship have no count rule")
    func none() {
        #expect(CountRule(Self.members()) == nil)
        #expect(CountRule(Self.members(.toOne, isOptional: false, minimum: 1, maximum: 1)) == nil)
    }

    /// Returns a stack with clubs 1 to 6 with none to five members, who have the identifiers 10, 20, 21, 30, 31, 32 and
    /// so on.
    private func store(_ relationship: RelationshipDescription, _ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(
            try ManagedObjectModel([
                EntityDescription("Club", [.relationship(relationship)]),
                EntityDescription("Member", [.relationship(.init("club", to: "Club", .toOne, inverse: "members"))]),
            ]))
        var changes = ChangeSet()
        changes["Club"].insertions = (1...6).map { .init(id: $0, values: []) }
        changes["Member"].insertions = (Int64(1)...5).flatMap { count in
            (0..<count).map { .init(id: count * 10 + $0, values: [.integer(count + 1)]) }
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    @Test(
        "a store request returns the owners whose number of related objects violates the count rule",
        arguments: StoreKind.allCases, cases)
    func asked(_ kind: StoreKind, _ item: Case) throws {
        let rule = try #require(CountRule(item.relationship))
        let stack = try store(item.relationship, kind)
        for added in 0...4 {
            for hidden in [[], [21, 40, 41]] as [[Int64]] {
                let counted: FetchCondition =
                    hidden.isEmpty ? .constant(true) : .not(.isIn(.property("id"), hidden.map(StoredValue.integer)))
                let violations = rule.violations(among: 2...6, adding: added, counting: counted)
                let found = try stack.container.coordinator.store.rows(StoreRequest("Club", where: .any(violations)))
                let counts: [Int64: Int] =
                    hidden.isEmpty ? [2: 1, 3: 2, 4: 3, 5: 4, 6: 5] : [2: 1, 3: 1, 4: 3, 5: 2, 6: 5]
                let expected = counts.filter { rule.broken(by: $0.value + added) != nil }.keys.sorted()
                #expect(found.map(\.id) == expected, "\(added) added, \(hidden) hidden")
            }
        }
    }

    @Test("each owner is listed once for each bounded relationship")
    func owners() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Club",
                [
                    .relationship(Self.members(minimum: 1)),
                    .relationship(.init("fans", to: "Member", .toMany, inverse: "idol")),
                ]),
            EntityDescription(
                "Member",
                [
                    .relationship(.init("club", to: "Club", .toOne, inverse: "members")),
                    .relationship(.init("idol", to: "Club", .toOne, inverse: "fans")),
                ]),
        ])
        let member = try model.entity(named: "Member")
        var owners = CountedOwners(model)
        #expect(owners.rules.isEmpty && owners.isEmpty)
        let counted = owners.columns(of: member)
        #expect(counted.map(\.column) == [0])
        for (_, key) in counted {
            for value in [.integer(3), .null, nil, .integer(1), .integer(3)] as [StoredValue?] {
                owners.note(value, key)
            }
        }
        let key = try #require(owners.key("members", of: "Club"))
        owners.note([4, 1], key)
        #expect(owners.relationships(of: try model.entity(named: "Club")) == [key])
        #expect(owners.key("fans", of: "Club") == nil && owners.key("club", of: "Member") == nil)
        owners.note([0, -1], key)
        #expect(owners.rules.map { "\($0.entity).\($0.rule.relationship.name)" } == ["Club.members"])
        let ids = try #require(owners.rules.first?.ids)
        ids.forEachChunk(of: 10) { #expect($0 == [1, 3, 4]) }
        #expect(ids.isComplete)
    }
}
