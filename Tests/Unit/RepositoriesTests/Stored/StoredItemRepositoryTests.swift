import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Testing

@Suite("Item repositories over every kind of store")
struct StoredItemRepositoryTests {
    private let day = Date(timeIntervalSinceReferenceDate: 86_400)

    @Test("an item is found by its item identifier and has exact prices", arguments: StoreKind.allCases)
    func outerIdentity(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            let itemId = UUID()
            let cost = try #require(Decimal(string: "0.10"))
            try await stack.items.create(name: "Cup", unitCost: 1, unitPrice: 2)
            let jug = try await stack.items.create(
                name: "Jug", unitCost: cost, unitPrice: Item.priceRange.upperBound, stockCount: 4, itemId: itemId,
                dateCreated: day)
            let expected = try Item(
                id: 2, itemId: itemId, dateCreated: day, name: "Jug", unitCost: cost,
                unitPrice: Item.priceRange.upperBound, stockCount: 4)
            #expect(jug == expected)
            #expect(try await stack.items.item(itemId: itemId) == expected)
            #expect(try await stack.items.item(itemId: UUID()) == nil)
        }
    }

    @Test("creating an item with an existing item identifier throws", arguments: StoreKind.allCases)
    func uniqueness(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            let itemId = UUID()
            try await stack.items.create(name: "Cup", unitCost: 1, unitPrice: 2, itemId: itemId)
            let error = await #expect(throws: PersistenceError.self) {
                try await stack.items.create(name: "Jug", unitCost: 1, unitPrice: 2, itemId: itemId)
            }
            #expect(error?.code == .uniqueness)
            #expect(error?.attribute == "itemId")
            #expect(try await stack.items.fetch().map(\.name) == ["Cup"])
        }
    }

    @Test("an item identifier can be used again after its item is deleted", arguments: StoreKind.allCases)
    func reuse(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            let itemId = UUID()
            let cup = try await stack.items.create(name: "Cup", unitCost: 1, unitPrice: 2, itemId: itemId)
            #expect(try await stack.items.delete(cup))
            let jug = try await stack.items.create(name: "Jug", unitCost: 1, unitPrice: 2, itemId: itemId)
            #expect(try await stack.items.item(itemId: itemId) == jug)
        }
    }

    struct Invalid: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Item) -> Void

        init(_ attribute: String, _ change: @escaping @Sendable (inout Item) -> Void) {
            testDescription = attribute
            self.change = change
        }

        static let all = [
            Invalid("unitCost") { $0.unitCost = -1 },
            Invalid("unitPrice") { $0.unitPrice = Decimal(sign: .plus, exponent: -3, significand: 125) },
            Invalid("stockCount") { $0.stockCount = -1 },
        ]
    }

    @Test(
        "an invalid change of an item throws an error that names the attribute, and the row is unchanged",
        arguments: StoreKind.allCases, Invalid.all)
    func invalid(kind: StoreKind, invalid: Invalid) async throws {
        try await kind.withRepositories { stack in
            let cup = try await stack.items.create(name: "Cup", unitCost: 1, unitPrice: 2)
            let error = await #expect(throws: PersistenceError.self) {
                try await stack.items.update(cup.id, invalid.change)
            }
            #expect(error?.code == .validation)
            #expect(error?.failures.map(\.attribute) == [invalid.testDescription])
            #expect(try await stack.items.fetch() == [cup])
        }
    }

    @Test(
        "an update that changes an item's identifier or date by replacing the item throws",
        arguments: StoreKind.allCases)
    func constants(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            let cup = try await stack.items.create(name: "Cup", unitCost: 1, unitPrice: 2)
            let other = try Item(
                id: cup.id, itemId: UUID(), dateCreated: day, name: "Jug", unitCost: 1, unitPrice: 2)
            let error = await #expect(throws: PersistenceError.self) {
                try await stack.items.update(cup.id) { $0 = other }
            }
            #expect(error?.failures.map(\.attribute) == ["itemId", "dateCreated"])
            #expect(try await stack.items.fetch() == [cup])
        }
    }
}
