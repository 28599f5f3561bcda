import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// The rows that the cache returns, and their lifetime.
@Suite("The row cache")
struct RowCacheTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Guarded(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    private static func stack(
        _ kind: StoreKind, _ interval: Duration?, _ clock: Clock = Clock()
    ) throws -> (TestStack, HookedStore) {
        let folder = try TemporaryFolder()
        let model = try Library.model()
        let store = HookedStore(try kind.open(model, in: folder))
        try Library.fill(store)
        var description = PersistentStoreDescription.custom("hooked") { _ in store }
        description.stalenessInterval = interval
        description.now = { clock.now }
        let container = try PersistentContainer(model: model, description, mainQueue: .private)
        return (TestStack(container: container, folder: folder), store)
    }

    /// Changes the store as another process would, without notifying a context.
    private static func rename(_ id: Int64, _ name: String, _ store: any PersistentStore) throws {
        guard var row = try store.rows(StoreRequest("Author")).first(where: { $0.id == id }) else { return }
        row.values[0] = .string(name)
        var changes = ChangeSet()
        changes["Author"].updates = [
            .init(id: id, expectedVersion: row.version, values: row.values, changedColumns: [0])
        ]
        #expect(try store.save(changes).isEmpty)
    }

    private static func name(_ stack: TestStack, _ id: LibraryID = 1) throws -> String {
        try stack.container.newBackgroundContext().performAndWait { try $0.author(id).name }
    }

    @Test(
        "readers read the store and not the cache after a save with an unknown outcome",
        arguments: StoreKind.allCases)
    func unknownOutcome(_ kind: StoreKind) throws {
        let (stack, store) = try Self.stack(kind, .seconds(60))
        #expect(try Self.name(stack) == "Homer")
        store.beforeSave.withLock { hook in
            hook = { base, _ in
                try Self.rename(1, "Melesigenes", base)
                throw PersistenceError(.unknownOutcome, "asked for")
            }
        }
        let error = try persistenceError {
            try stack.container.newBackgroundContext().performAndWait { context in
                try context.author(1).name = "Melesigenes"
                try context.save()
            }
        }
        #expect(error.code == .unknownOutcome)
        #expect(try Self.name(stack) == "Melesigenes")
    }

    /// Bulk writes that bypass contexts, in one transaction.
    enum BulkWrite: CaseIterable {
        case update, deletion, insert

        func run(_ container: PersistentContainer) throws {
            switch self {
            case .update: try container.batchUpdate("Author", set: ["name": .constant(.string("Melesigenes"))])
            case .deletion: try container.batchDelete("Author")
            case .insert:
                try container.batchInsert(into: "Author", InsertOptions(onConflict: .update)) { inserter in
                    let location = RowLocation(line: 1, record: 1)
                    try inserter.insert(id: 1, values: [.string("Melesigenes"), .null], location: location)
                }
            }
        }
    }

    @Test(
        "readers read the store and not the cache after a bulk write with an unknown outcome",
        arguments: StoreKind.allCases,
        BulkWrite.allCases)
    func unknownBulkOutcome(_ kind: StoreKind, _ write: BulkWrite) throws {
        let (stack, store) = try Self.stack(kind, nil)
        #expect(try Self.name(stack) == "Homer")
        store.failureBehindCommit.withLock { $0 = PersistenceError(.unknownOutcome, "asked for") }
        #expect(try persistenceError { try write.run(stack.container) }.code == .unknownOutcome)
        if write == .deletion {
            #expect(try persistenceError { _ = try Self.name(stack) }.code == .objectNotFound)
        } else {
            #expect(try Self.name(stack) == "Melesigenes")
        }
    }

    @Test("the row cache is off by default", arguments: StoreKind.allCases)
    func off(_ kind: StoreKind) throws {
        #expect(PersistentStoreDescription.inMemory.stalenessInterval == .zero)
        let (stack, store) = try Self.stack(kind, .zero)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        #expect(try Self.name(stack) == "Melesigenes")
    }

    @Test("a bulk write of very many rows leaves no old row in the cache", arguments: StoreKind.allCases)
    func bulkWrite(_ kind: StoreKind) throws {
        let (stack, store) = try Self.stack(kind, nil)
        let count = Int64(ChangedIdentifiers.maximumCount + 2)
        func write(_ name: String) throws {
            try stack.container.batchInsert(into: "Author", InsertOptions(onConflict: .update)) { inserter in
                for id in 1...count {
                    let location = RowLocation(line: Int(id), record: Int(id))
                    try inserter.insert(id: id, values: [.string("\(name) \(id)"), .null], location: location)
                }
            }
        }
        func names() throws -> [String] {
            try [1, count].map { try Self.name(stack, try #require(LibraryID(rawValue: $0))) }
        }
        try write("first")
        #expect(try names() == ["first 1", "first \(count)"])
        // The cache has the row, so that another process's change is not seen.
        try Self.rename(count, "unseen", store)
        #expect(try names() == ["first 1", "first \(count)"])
        try write("second")
        #expect(try names() == ["second 1", "second \(count)"])
    }

    @Test(
        "a cached row that another process changed is read again only after the staleness interval",
        arguments: StoreKind.allCases)
    func staleness(_ kind: StoreKind) throws {
        let clock = Clock()
        let (stack, store) = try Self.stack(kind, .seconds(10), clock)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        clock.advance(.seconds(10))
        #expect(try Self.name(stack) == "Homer")
        clock.advance(.milliseconds(1))
        #expect(try Self.name(stack) == "Melesigenes")
        try Self.rename(1, "Homer", store)
        #expect(try Self.name(stack) == "Melesigenes", "read again, and young again")
    }

    @Test("a cached row never expires if no staleness interval is set", arguments: StoreKind.allCases)
    func never(_ kind: StoreKind) throws {
        let clock = Clock()
        let (stack, store) = try Self.stack(kind, nil, clock)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        clock.advance(.seconds(1_000_000))
        #expect(try Self.name(stack) == "Homer")
    }

    @Test("faults, single objects, references and prefetches use the row cache", arguments: StoreKind.allCases)
    func users(_ kind: StoreKind) throws {
        let (stack, store) = try Self.stack(kind, nil)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        let contexts = (1...4).map { _ in stack.container.newBackgroundContext() }
        let names = [
            try contexts[0].performAndWait { try $0.object(with: 1, of: Author.self).object().name },
            try contexts[1].performAndWait { try $0.author(1).name },
            try contexts[2].performAndWait { context in
                try context.object(\.mentor, of: try context.author(2), as: Author.self)?.name ?? ""
            },
            try contexts[3].performAndWait { context in
                let books = try context.fetch(FetchRequest<Book>(prefetching: [.toOne(\.author)]))
                return try context.object(\.author, of: books[0], as: Author.self)?.name ?? ""
            },
        ]
        #expect(names == ["Homer", "Homer", "Homer", "Homer"])
    }

    @Test("a cached row is read without a statement", arguments: [nil, .zero] as [Duration?])
    func statements(_ interval: Duration?) throws {
        let folder = try TemporaryFolder()
        let model = try Library.model()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: model)
        try Library.fill(store)
        var description = PersistentStoreDescription.custom("cached") { _ in store }
        description.stalenessInterval = interval
        let stack = TestStack(container: try PersistentContainer(model: model, description), folder: folder)
        let before = try store.pool.withConnection(\.counts).runs
        for _ in 1...5 { #expect(try Self.name(stack) == "Homer") }
        #expect(try store.pool.withConnection(\.counts).runs - before == (interval == nil ? 1 : 5))
    }

    @Test("fetches of objects, of records and in batches do not use the row cache", arguments: StoreKind.allCases)
    func fetches(_ kind: StoreKind) throws {
        let (stack, store) = try Self.stack(kind, nil)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        try stack.background.performAndWait { (context) throws in
            #expect(try context.fetchRecords(FetchRequest<Author>(limit: 1)).map(\.name) == ["Melesigenes"])
            try context.fetch(FetchRequest<Author>(limit: 1), inBatchesOf: 5) { authors in
                #expect(authors.map { $0.name } == ["Melesigenes"])
            }
            #expect(try context.fetch(FetchRequest<Author>(limit: 1)).map { $0.name } == ["Melesigenes"])
        }
    }

    @Test(
        "readers see the changes and deletions that other contexts saved to the store",
        arguments: StoreKind.allCases)
    func saves(_ kind: StoreKind) throws {
        let (stack, _) = try Self.stack(kind, nil)
        #expect(try Self.name(stack) == "Homer")
        #expect(try Self.name(stack, 3) == "Sappho")
        try stack.background.performAndWait { context in
            try context.author(1).name = "Melesigenes"
            try context.delete(3, of: Author.self)
            try context.save()
        }
        #expect(try Self.name(stack) == "Melesigenes")
        #expect(try persistenceError { _ = try Self.name(stack, 3) }.code == .objectNotFound)
        let parent = stack.container.newBackgroundContext()
        try parent.newChildContext().performAndWait { context in
            try context.author(1).name = "Homer"
            try context.save()
        }
        #expect(try Self.name(stack) == "Melesigenes", "not saved yet")
        try parent.performAndWait { context in _ = try context.save() }
        #expect(try Self.name(stack) == "Homer")
    }

    @Test("refreshing an object reads the store and updates the row cache", arguments: StoreKind.allCases)
    func refresh(_ kind: StoreKind) throws {
        let (stack, store) = try Self.stack(kind, nil)
        try stack.background.performAndWait { context in
            let homer = try context.author(1)
            try Self.rename(1, "Melesigenes", store)
            try context.refresh(homer, mergeChanges: false)
            #expect(homer.name == "Melesigenes")
        }
        #expect(try Self.name(stack) == "Melesigenes")
    }

    // store                | context
    // 1 Homer              | reads 1
    // 1 Melesigenes        |
    //                      | saves 1: conflict
    //                      | reads 1 again, saves
    @Test(
        "a conflict with another process's change does not recur, because the row is read again",
        arguments: StoreKind.allCases)
    func conflict(_ kind: StoreKind) async throws {
        let (stack, store) = try Self.stack(kind, nil)
        #expect(try Self.name(stack) == "Homer")
        try Self.rename(1, "Melesigenes", store)
        try stack.container.newBackgroundContext().performAndWait { context in
            let homer = try context.author(1)
            homer.mentor = 3
            #expect(try persistenceError { try context.save() }.code == .conflict)
            context.reset()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.author(1).mentor = 3
            try context.save()
        }
        try Self.rename(1, "Homer", store)
        _ = try Self.name(stack)
        try Self.rename(1, "Melesigenes", store)
        let updated = try await stack.background.update(Author.self, id: 1) { $0.mentor = nil }
        #expect(updated.name == "Melesigenes")
    }
}
