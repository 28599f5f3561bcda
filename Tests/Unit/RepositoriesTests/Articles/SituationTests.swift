import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

/// Returns a label of any item: an example of code under test.
func label(_ item: any ItemRecord) -> String {
    item.stockCount == 0 ? "\(item.name) (sold out)" : item.name
}

/// The five situations of StrataTesting's documentation, verbatim.
@Suite("The five situations")
struct SituationTests {
    private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

    @Test("code under test accepts stub records without a context")
    func stubs() throws {
        let id = try #require(Item.ID(rawValue: 1))
        let pen = try Item(
            id: id, itemId: UUID(), dateCreated: now, name: "Pen", unitCost: 1, unitPrice: 2, stockCount: 0)
        var ink = pen
        (ink.name, ink.stockCount) = ("Ink", 3)
        #expect([pen, ink].map(label) == ["Pen (sold out)", "Ink"])
    }

    @Test("code under test accepts a managed object instead of a stub record")
    func managed() async throws {
        let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
        let text = try await container.backgroundContext.perform { [now] context in
            let item = try context.insert(Item.self) {
                try Item(
                    id: $0, itemId: UUID(), dateCreated: now, name: "Pen", unitCost: 1, unitPrice: 2, stockCount: 0)
            }
            item.name = "Fountain pen"
            return label(item)
        }
        #expect(text == "Fountain pen (sold out)")
    }

    @Test("one line creates a stack over rows that were prepared once")
    func stack() async throws {
        let hex = try HexColor("#000080")
        let prepared = try PreparedStack(model: ReferenceModel.model()) { context in
            for name in ["Navy", "Night"] {
                try context.insert(Color.self) { Color(id: $0, hex: hex, name: name, dateCreated: .now) }
            }
        }
        let container = try prepared.container()
        let colors = StoredColorRepository(container.backgroundContext)
        #expect(try await colors.count() == 2)
    }

    @Test("a context recorder reports saved objects without a test double")
    func recorder() async throws {
        let container = try PersistentContainer.inMemory(model: ReferenceModel.model())
        let recorder = ContextRecorder(container.backgroundContext)
        let bosses = StoredBossRepository(container.backgroundContext)
        try await bosses.create(firstName: "Ada", lastName: "Lovelace")
        #expect(recorder.saves.map(\.inserted) == [["Boss": [1]]])
    }

    @Test("a fetch returns the same rows from an in-memory store and from an SQLite store")
    func sameRows() async throws {
        let onDisk = try TemporaryStack(model: ReferenceModel.model())
        for container in [try PersistentContainer.inMemory(model: ReferenceModel.model()), onDisk.container] {
            let bosses = StoredBossRepository(container.backgroundContext)
            for name in ["e\u{301}", "\u{e9}", "Z", "a"] {
                try await bosses.create(firstName: name, lastName: "")
            }
            let names = try await bosses.fetch(Query(sort: [.ascending(\.firstName)])).map(\.firstName)
            #expect(names.map { Array($0.utf8) } == [[0x5A], [0x61], [0x65, 0xCC, 0x81], [0xC3, 0xA9]])
        }
    }
}
