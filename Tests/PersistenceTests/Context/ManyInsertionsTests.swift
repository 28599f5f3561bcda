import Foundation
import StrataPersistence
import StrataTesting
import Testing

/// Saves of so many new objects that their rows are made while the store writes them.
@Suite("Many new objects in one save")
struct ManyInsertionsTests {
    private static let count = 5_000

    private static func insert(_ context: ConfinedContext) throws -> [Managed<Crew>] {
        try (1...count).map { number in try context.insert(Crew.self) { Crew(id: $0, name: "Crew \(number)") } }
    }

    @Test("each has its own row", arguments: StoreKind.allCases)
    func rows(_ kind: StoreKind) throws {
        let stack = try kind.stack(Crew.model())
        let saved = try stack.background.performAndWait { context in
            _ = try Self.insert(context)
            return try context.save()
        }
        #expect(saved.inserted["Crew"]?.count == Self.count)
        let stored = try stack.stored(Crew.self)
        #expect(stored.map(\.name) == (1...Self.count).map { "Crew \($0)" })
        #expect(stored.map(\.id.rawValue) == (1...Int64(Self.count)).map { $0 })
    }

    @Test("who keeps the changes has the rows as they were saved", arguments: StoreKind.allCases)
    func kept(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(Crew.model())
        store.keptChanges.withLock { $0 = [] }
        try stack.background.performAndWait { context in
            let crews = try Self.insert(context)
            try context.save()
            for crew in crews { crew.name = "renamed" }
        }
        let kept = try #require(store.keptChanges.withLock { $0?.first })
        let names = kept["Crew"].insertions.map { $0.values[0] }
        #expect(names == (1...Self.count).map { .string("Crew \($0)") })
        #expect(kept["Crew"].insertedIDs == (1...Int64(Self.count)).map { $0 })
        var column: [StoredValue] = []
        kept["Crew"].eachInsertedValue(column: 0) { column.append($1) }
        #expect(column == names)
        #expect(kept.gathered()["Crew"].insertions.count == Self.count)
    }

    @Test("the row that takes another's identifier is refused, and nothing is stored", arguments: StoreKind.allCases)
    func taken(_ kind: StoreKind) throws {
        let (stack, store) = try kind.hooked(Crew.model())
        store.beforeSave.withLock { hook in
            hook = { base, _ in
                var changes = ChangeSet()
                changes["Crew"].insertions = [.init(id: Int64(Self.count), values: [.string("theirs")])]
                _ = try base.save(changes)
            }
        }
        try stack.background.performAndWait { context in
            _ = try Self.insert(context)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness)
        }
        #expect(try stack.stored(Crew.self).map(\.name) == ["theirs"])
    }
}
