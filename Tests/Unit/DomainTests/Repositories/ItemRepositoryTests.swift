import Foundation
import StrataDomain
import Testing

@Suite("Protocol of item repositories")
struct ItemRepositoryTests {
    private let items: any ItemRepository = ArrayRepository<Item>()
    private let outer = UUID()
    private let date = Date(timeIntervalSinceReferenceDate: 0)

    @Test("an item is found by its item identifier")
    func outerIdentity() async throws {
        try await items.create(name: "Cup", unitCost: 1, unitPrice: 2)
        let wanted = try await items.create(name: "Jug", unitCost: 1, unitPrice: 2, itemId: outer)
        #expect(try await items.item(itemId: outer) == wanted)
        #expect(try await items.item(itemId: UUID()) == nil)
    }

    @Test("an item is created with default values for the stock, the item identifier and the date")
    func defaults() async throws {
        let before = Date.now
        let plain = try await items.create(name: "Cup", unitCost: 1, unitPrice: 2)
        let other = try await items.create(name: "Cup", unitCost: 1, unitPrice: 2, stockCount: 4)
        #expect(plain.stockCount == 0 && other.stockCount == 4)
        #expect(plain.itemId != other.itemId)
        #expect((before...Date.now).contains(plain.dateCreated))
        let dated = try await items.create(name: "Cup", unitCost: 1, unitPrice: 2, dateCreated: date)
        #expect(dated.dateCreated == date)
        let decided = try await items.create(name: "C", unitCost: 1, unitPrice: 2, itemId: outer, dateCreated: date)
        #expect(decided.itemId == outer && decided.dateCreated == date && decided.stockCount == 0)
    }

    @Test("an invalid item is not created")
    func invalid() async throws {
        let error = await #expect(throws: DomainError.self) {
            try await items.create(name: "Cup", unitCost: -1, unitPrice: 2)
        }
        #expect(error?.description == "Item.unitCost: -1 is less than 0")
        #expect(try await items.count() == 0)
    }

    @Test("deleting an item by its record deletes only this item")
    func delete() async throws {
        let cup = try await items.create(name: "Cup", unitCost: 1, unitPrice: 2)
        let jug = try await items.create(name: "Jug", unitCost: 1, unitPrice: 2)
        #expect(try await items.delete(cup))
        #expect(try await items.fetch() == [jug])
    }
}
