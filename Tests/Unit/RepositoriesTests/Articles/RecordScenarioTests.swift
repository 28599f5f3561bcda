import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

/// The scenarios of articles about testing Core Data, with colors, bosses and items.
@Suite("Scenarios of the articles about records")
struct RecordScenarioTests {
    private func navy() throws -> HexColor { try HexColor("#000080") }

    @Test("a repository creates one color and then several colors", arguments: StoreKind.allCases)
    func creating(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let recorder = ContextRecorder(stack.container.backgroundContext)
        let colors = StoredColorRepository(stack.container.backgroundContext)
        let made = try await colors.create(hex: navy(), name: "Navy", dateCreated: .now)
        #expect(try await colors.fetch(Query()) == [made])
        for name in ["Red", "Green"] {
            try await colors.create(hex: navy(), name: name, dateCreated: .now)
        }
        #expect(try await colors.fetch(Query()).map(\.name) == ["Navy", "Red", "Green"])
        #expect(recorder.saves.map { $0.inserted["Color"]?.count } == [1, 1, 1])
    }

    @Test(
        "a deletion deletes exactly one of three records, and a second deletion has no effect",
        arguments: StoreKind.allCases)
    func deleting(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let colors = StoredColorRepository(stack.container.backgroundContext)
        var made: [Color] = []
        for name in ["Red", "Green", "Blue"] {
            made.append(try await colors.create(hex: navy(), name: name, dateCreated: .now))
        }
        #expect(try await colors.delete(made[1].id))
        #expect(try await colors.fetch(Query()).map(\.name) == ["Red", "Blue"])
        #expect(try await colors.delete(made[1].id) == false, "the second time there is nothing to delete")
        #expect(try await colors.count() == 2)
    }

    @Test("a record that was read in another context can be deleted", arguments: StoreKind.allCases)
    func otherContext(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let color = try await StoredColorRepository(stack.container.backgroundContext).create(
            hex: navy(), name: "Navy", dateCreated: .now)
        let read = try #require(try await StoredColorRepository(stack.container.mainContext).find(color.id))
        let background = stack.container.backgroundContext
        #expect(try await background.perform { try $0.delete(read) })
        try await background.perform { try $0.save() }
        #expect(try await StoredColorRepository(stack.container.mainContext).find(color.id) == nil)
    }

    @Test("a boss has the employees that were added, and is found by an employee's name", arguments: StoreKind.allCases)
    func boss(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let background = stack.container.backgroundContext
        let names = try await background.perform { context in
            let boss = try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
            for name in ["Ann", "Bob"] {
                let employee = try context.insert(Employee.self) {
                    try Employee(id: $0, firstName: name, lastName: "Smith", salary: 1, dateHired: .now, boss: nil)
                }
                try context.add(employee, to: \.employees, of: boss)
            }
            try context.save()
            return try context.objects(\.employees, of: boss).map { $0.firstName }
        }
        #expect(names == ["Ann", "Bob"])
        let bosses = try await background.fetch(
            FetchRequest<Boss>(.any(\.employees, matching: #Predicate { $0.firstName == "Bob" })))
        #expect(bosses.map(\.lastName) == ["Lovelace"])
    }

    @Test(
        "an item is created with all its properties, read, changed and saved again",
        arguments: StoreKind.allCases)
    func item(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let items = StoredItemRepository(stack.container.backgroundContext)
        let cost = try #require(Decimal(string: "5.70"))
        let made = try await items.create(
            name: "Pen", unitCost: cost, unitPrice: 9, stockCount: 3, itemId: UUID(), dateCreated: .now)
        let read = try #require(try await items.find(made.id))
        #expect(read == made && read.unitCost == cost)
        let changed = try await items.update(made.id) { $0.stockCount = 2 }
        #expect(changed.stockCount == 2 && changed.itemId == made.itemId)
        #expect(try await items.find(made.id) == changed)
    }

    @Test("three item stubs are independent values and need no stack")
    func stubs() throws {
        let stubs = try [("Pen", 1, 3), ("Ink", 2, 5), ("Pad", 4, 4)].map { name, cost, price in
            try Item(
                id: #require(Item.ID(rawValue: 1)), itemId: UUID(), dateCreated: .now, name: name,
                unitCost: Decimal(cost), unitPrice: Decimal(price), stockCount: 10)
        }
        func margins(_ items: [any ItemRecord]) -> [Decimal] { items.map { $0.unitPrice - $0.unitCost } }
        #expect(margins(stubs) == [2, 3, 0])
        #expect(Set(stubs).count == 3)
    }
}
