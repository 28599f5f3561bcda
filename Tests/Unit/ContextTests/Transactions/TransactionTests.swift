import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

/// Units of work: either all changes are saved, or exactly these changes are rolled back.
@Suite("Transactions")
struct TransactionTests {
    struct Refusal: Error {}

    @Test("a transaction saves the changes of its block and returns the block's value", arguments: StoreKind.allCases)
    func saved(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try await stack.background.performTransaction { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.insert(Player.self) { Player(id: $0, name: "Ann", team: team.id) }
            return team.record
        }
        #expect(try stack.stored(Team.self) == [reds])
        #expect(try stack.stored(Player.self).map(\.team) == [reds.id])
        #expect(!(await stack.background.perform { $0.hasChanges }))
    }

    @Test("a synchronous function may run a transaction and wait for it", arguments: StoreKind.allCases)
    func blocking(_ kind: StoreKind) throws {
        let stack = try kind.league()
        func add(_ name: String) throws -> TeamID {
            try stack.background.performTransactionAndWait { try $0.insert(Team.self) { Team(id: $0, name: name) }.id }
        }
        #expect(try add("Reds").rawValue == 1)
        #expect(throws: PersistenceError.self) { try add("") }
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds"])
    }

    @Test(
        "a transaction block that throws is rolled back, and the context's objects stay registered",
        arguments: StoreKind.allCases)
    func takenBack(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds", points: 3)
        let blues = try stack.team("Blues")
        let ann = try stack.player("Ann", team: reds.id)
        try await stack.background.perform { context in
            let team = try context.existingObject(with: reds.id, of: Team.self)
            let other = try context.existingObject(with: blues.id, of: Team.self)
            var added: Managed<Team>?
            #expect(throws: Refusal.self) {
                try context.transaction { context in
                    team.points = 9
                    context.delete(other)
                    added = try context.insert(Team.self) { Team(id: $0, name: "Greens") }
                    let player = try context.existingObject(with: ann.id, of: Player.self)
                    player.team = other.id
                    context.mergePolicy = .overwrite
                    throw Refusal()
                }
            }
            #expect(team.points == 3 && team.state == .unchanged)
            #expect(other.state == .unchanged && added?.state == .detached)
            #expect(try context.existingObject(with: reds.id, of: Team.self) === team)
            #expect(!context.hasChanges)
            #expect(context.mergePolicy != .overwrite)
            try context.save()
        }
        #expect(try stack.stored(Team.self) == [reds, blues])
        #expect(try stack.stored(Player.self) == [ann])
    }

    @Test("a transaction block that throws rolls back join rows, lists and counterparts", arguments: StoreKind.allCases)
    func relationships(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        @Sendable func state(_ context: ConfinedContext) throws -> [String] {
            let authors = try context.fetch(FetchRequest<Author>(sort: [SortKey(\.name)]))
            return try authors.map { author in
                let books = try context.objects(\.books, of: author).map(\.title)
                let friends = try context.objects(\.friends, of: author).map(\.name)
                let contract = try context.object(\.contract, of: author).map { "\($0.id.rawValue)" } ?? "none"
                return "\(author.name) \(books) \(friends) \(contract)"
            }
        }
        try await stack.background.perform { context in
            let before = try state(context)
            #expect(throws: Refusal.self) {
                try context.transaction { context in
                    let homer = try context.existingObject(with: LibraryID(unchecked: 1), of: Author.self)
                    let virgil = try context.existingObject(with: LibraryID(unchecked: 2), of: Author.self)
                    let sappho = try context.existingObject(with: LibraryID(unchecked: 3), of: Author.self)
                    let iliad = try context.existingObject(with: LibraryID(unchecked: 1), of: Book.self)
                    try context.move(iliad, to: 0, in: \.books, of: homer)
                    try context.add(iliad, to: \.books, of: sappho)
                    try context.add(virgil, to: \.friends, of: sappho)
                    try context.remove(homer, from: \.friends, of: sappho)
                    try context.object(\.contract, of: virgil)?.author = sappho.id
                    #expect(try state(context) != before)
                    throw Refusal()
                }
            }
            #expect(try state(context) == before)
            #expect(!context.hasChanges)
        }
    }

    @Test(
        "a transaction whose save fails is rolled back, and the next transaction starts without its changes",
        arguments: StoreKind.allCases)
    func failedSave(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.performTransaction { context in
                try context.insert(Team.self) { Team(id: $0, name: "Reds") }
                try context.insert(Team.self) { Team(id: $0, name: "") }
            }
        }
        #expect(error?.code == .validation)
        try await stack.background.performTransaction { _ = try $0.insert(Team.self) { Team(id: $0, name: "Blues") } }
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues"])
    }

    /// The unsaved changes that a context may have.
    enum Pending: String, CaseIterable {
        case insertion, update, deletion, addedPair, removedPair, movedPair

        func make(in context: ConfinedContext) throws {
            switch self {
            case .insertion: _ = try context.newTag("peace")
            case .update: try context.tag(1).word = "peace"
            case .deletion: context.delete(try context.tag(1))
            case .addedPair: try context.add(context.tag(3), to: \.tags, of: context.book(3))
            case .removedPair: try context.remove(context.tag(1), from: \.tags, of: context.book(3))
            case .movedPair: try context.move(context.tag(1), to: 0, in: \.tags, of: context.book(3))
            }
        }

        /// The words after the change by identifier, and a book's words in their order.
        var outcome: (words: [String], ofBook: [String]) {
            switch self {
            case .insertion: (["war", "sea", "love", "peace"], ["sea", "war"])
            case .update: (["peace", "sea", "love"], ["sea", "peace"])
            case .deletion: (["sea", "love"], ["sea"])
            case .addedPair: (["war", "sea", "love"], ["sea", "war", "love"])
            case .removedPair: (["war", "sea", "love"], ["sea"])
            case .movedPair: (["war", "sea", "love"], ["war", "sea"])
            }
        }
    }

    @Test(
        "a transaction throws before its block runs if the context has unsaved changes, and keeps the changes",
        arguments: StoreKind.allCases,
        Pending.allCases)
    func pendingChanges(_ kind: StoreKind, _ pending: Pending) async throws {
        let stack = try kind.library()
        try await stack.background.perform { context in
            try pending.make(in: context)
            let error = #expect(throws: PersistenceError.self) {
                try context.transaction { _ in Issue.record("the block ran") }
            }
            #expect(error?.code == .pendingChanges)
            #expect(context.hasChanges)
            try context.save()
            try context.transaction { try $0.author(3).name = "Sappho of Lesbos" }
        }
        try stack.container.newBackgroundContext(name: "check").performAndWait { (context) throws in
            #expect(try context.fetchRecords(FetchRequest<Tag>()).map(\.word) == pending.outcome.words)
            #expect(try context.words(context.book(3)) == pending.outcome.ofBook)
            #expect(try context.author(3).name == "Sappho of Lesbos")
        }
    }

    @Test("a save inside a transaction throws, and the transaction is rolled back", arguments: StoreKind.allCases)
    func saveInside(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let error = await #expect(throws: PersistenceError.self) {
            try await stack.background.performTransaction { context in
                try context.insert(Team.self) { Team(id: $0, name: "Reds") }
                try context.save()
            }
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("remove the call of save") == true)
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test(
        "a rollback inside a transaction restores the state at the start of the innermost block",
        arguments: StoreKind.allCases)
    func rollbackInside(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try await stack.background.performTransaction { context in
            let reds = try context.insert(Team.self) { Team(id: $0, name: "Reds") }
            try context.transaction { context in
                reds.points = 5
                try context.insert(Team.self) { Team(id: $0, name: "Blues") }
                context.rollback()
                try context.insert(Team.self) { Team(id: $0, name: "Greens") }
            }
            #expect(reds.points == 0)
        }
        #expect(try stack.stored(Team.self).map(\.name) == ["Reds", "Greens"])
    }

    @Test(
        "a transaction canceled before its commit stores nothing, and a later cancellation has no effect",
        arguments: StoreKind.allCases)
    func cancelled(_ kind: StoreKind) async throws {
        let folder = try TemporaryFolder()
        let store = HookedStore(try kind.open(try League.model(), in: folder))
        let container = try PersistentContainer(
            model: store.model, .custom("hooked") { _ in store }, mainQueue: .private)
        let stack = TestStack(container: container, folder: folder)
        func add(_ name: String, cancels: Bool) async -> Result<TeamID, any Error> {
            await Task {
                try await stack.background.performTransaction { context in
                    let team = try context.insert(Team.self) { Team(id: $0, name: name) }
                    if cancels { withUnsafeCurrentTask { $0?.cancel() } }
                    return team.id
                }
            }.result
        }
        let cancelled = await add("Reds", cancels: true)
        #expect(throws: CancellationError.self) { try cancelled.get() }
        // The store writes the given changes although the task is canceled meanwhile.
        store.beforeSave.withLock { $0 = { _, _ in withUnsafeCurrentTask { $0?.cancel() } } }
        let late = await add("Blues", cancels: false)
        #expect(throws: Never.self) { try late.get() }
        store.beforeSave.withLock { $0 = nil }
        _ = try await add("Greens", cancels: false).get()
        #expect(try stack.stored(Team.self).map(\.name) == ["Blues", "Greens"])
    }

    @Test("a transaction may have its own merge policy", arguments: StoreKind.allCases)
    func ownPolicy(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        let reds = try stack.team("Reds")
        // Only the main context may wait for another context in its closure.
        let context = stack.container.mainContext
        for policy in [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            try await context.performTransaction(mergePolicy: policy) { context in
                let team = try context.existingObject(with: reds.id, of: Team.self)
                try stack.container.newBackgroundContext(name: "other").performTransactionAndWait { other in
                    try other.existingObject(with: reds.id, of: Team.self).motto = "theirs"
                }
                team.motto = "mine"
            }
        }
        #expect(try stack.stored(Team.self).map(\.motto) == ["mine"])
        let error = #expect(throws: PersistenceError.self) {
            try context.performTransactionAndWait { try $0.transaction(mergePolicy: .overwrite) { _ in } }
        }
        #expect(error?.code == .invalidRequest)
    }
}
