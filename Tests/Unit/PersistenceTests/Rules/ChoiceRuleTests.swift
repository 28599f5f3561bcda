import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Rules on the valid values: one of several, and greater or less than an exclusive bound.
@Suite("Rules “one of”, “greater than” and “less than”")
struct ChoiceRuleTests {
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let states = (1...100).map { StoredValue.string("state \($0)") }
        return try kind.stack(
            ManagedObjectModel([
                EntityDescription(
                    "Order",
                    [
                        .attribute(AttributeDescription("state", .string, rules: [.oneOf(states)])),
                        .attribute(
                            AttributeDescription(
                                "price", .decimal(scale: 2), isOptional: true,
                                rules: [.greaterThan(.integer(0)), .lessThan(.integer(100))])),
                    ])
            ]))
    }

    private static func price(_ cents: Int64) -> StoredValue { .decimal(ScaledDecimal(unscaled: cents, scale: 2)) }

    private static let bad: [(values: [StoredValue], rule: ValidationFailure.Rule)] = [
        ([.string("state 1"), price(0)], .greaterThan(.integer(0))),
        ([.string("state 1"), price(10_000)], .lessThan(.integer(100))),
    ]

    @Test(
        "a bulk insert accepts valid values and null, and reports the rule that a value breaks",
        arguments: StoreKind.allCases)
    func inserts(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let container = stack.container
        defer { withExtendedLifetime(stack) {} }
        try container.batchInsert(into: "Order") { inserter in
            for values in [
                [.string("state 1"), Self.price(1)], [.string("state 100"), Self.price(9_999)],
                [.string("state 50"), .null],
            ] {
                try inserter.insert(id: nil, values: values, location: RowLocation(line: 1, record: 1))
            }
        }
        for (values, rule) in Self.bad {
            let error = #expect(throws: PersistenceError.self) {
                try container.batchInsert(into: "Order") {
                    try $0.insert(id: nil, values: values, location: RowLocation(line: 1, record: 1))
                }
            }
            #expect(error?.failures.map(\.rule) == [rule])
        }
        let error = #expect(throws: PersistenceError.self) {
            try container.batchInsert(into: "Order") {
                try $0.insert(
                    id: nil, values: [.string("state 101"), .null], location: RowLocation(line: 1, record: 1))
            }
        }
        #expect(error?.failures.first?.ruleText.hasPrefix("is not one of “state 1”, “state 2”, ") == true)
        #expect(error?.failures.first?.ruleText.hasSuffix(", “state 20” and 80 more") == true)
        #expect(try container.coordinator.store.count(StoreRequest("Order")) == 3)
    }

    @Test("a batch update applies the rules to constant and calculated values", arguments: StoreKind.allCases)
    func updates(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let container = stack.container
        defer { withExtendedLifetime(stack) {} }
        try container.batchInsert(into: "Order") { inserter in
            for cents in [Int64(1), 50, 4_999] {
                try inserter.insert(
                    id: nil, values: [.string("state 1"), Self.price(cents)], location: RowLocation(line: 1, record: 1))
            }
        }
        func update(_ values: [String: FetchOperand]) throws {
            _ = try container.batchUpdate("Order", where: nil, set: values)
        }
        let price = FetchOperand.property("price")
        for operand in [
            FetchOperand.arithmetic(price, .multiply, .constant(.integer(3))),
            .arithmetic(price, .subtract, .constant(Self.price(1))), .constant(.integer(0)), .constant(.integer(100)),
        ] {
            let error = #expect(throws: PersistenceError.self) { try update(["price": operand]) }
            #expect(error?.code == .validation)
        }
        #expect(throws: PersistenceError.self) { try update(["state": .constant(.string("lost"))]) }
        try update([
            "price": .arithmetic(price, .multiply, .constant(.integer(2))), "state": .constant(.string("state 2")),
        ])
        let rows = try container.coordinator.store.rows(StoreRequest("Order"))
        #expect(rows.map { $0.values[1] } == [2, 100, 9_998].map(Self.price))
        #expect(rows.allSatisfy { $0.values[0] == .string("state 2") })
    }
}
