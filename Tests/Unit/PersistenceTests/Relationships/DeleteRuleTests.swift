import Dispatch
import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Delete rules for every kind of relationship.
@Suite("Delete rules of relationships")
struct DeleteRuleTests {
    private static func node(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Twig> {
        try context.existingObject(with: id)
    }

    final class Log: Sendable {
        let ids = Guarded<[Int64]>([])
        var all: [Int64] { ids.withLock { $0 } }
    }

    /// A twig, which is deleted together with its children.
    struct Twig: PersistentRecord, LifecycleHooks {
        let id: LibraryID
        var parent: LibraryID?

        static let children = ToMany<Twig, Twig>("children", to: "Twig", inverse: "parent", deleteRule: .cascade)
        static let entity = RecordEntity<Twig>(
            "Twig", id: \.id,
            [.toOne("parent", \.parent, to: "Twig", inverse: "children"), .relationship(children)]
        ) { Twig(id: try $0.id(), parent: try $0.next()) }

        /// The twigs whose deletion hook ran, in order, for the test that runs in this task.
        @TaskLocal static var log: Log?

        static func prepareForDeletion(_ object: Managed<Twig>, in context: ConfinedContext) {
            guard let log else { return }
            log.ids.withLock { $0.append(object.rawID) }
            // A hook may read, and this does not start the deletion again.
            if (try? context.count(FetchRequest<Twig>())) == nil { log.ids.withLock { $0.append(-1) } }
        }
    }

    private func tree(_ kind: StoreKind, _ parents: [Int64?]) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Twig.self]))
        var changes = ChangeSet()
        changes["Twig"].insertions = parents.enumerated().map { index, parent in
            .init(id: Int64(index) + 1, values: [parent.map(StoredValue.integer) ?? .null])
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    @Test(
        "a cascade deletes a tree depth first, and each object before its dependents",
        arguments: StoreKind.allCases)
    func depthFirst(_ kind: StoreKind) throws {
        //    1 ─ 2 ─ 4, 5;  3 ─ 6;  7 apart
        let stack = try tree(kind, [nil, 1, 1, 2, 2, 3, nil])
        let log = Log()
        try Twig.$log.withValue(log) {
            try stack.background.performAndWait { context in
                context.delete(try Self.node(1, context))
                #expect(log.all == [1])
                #expect(try context.fetch(FetchRequest<Twig>()).map(\.rawID) == [7])
                #expect(log.all == [1, 2, 4, 5, 3, 6])
                #expect(context.deletedObjects.count == 6)
                #expect(try context.save().deleted == ["Twig": [1, 2, 3, 4, 5, 6]])
            }
        }
        #expect(try stack.stored(Twig.self).map(\.id.rawValue) == [7])
    }

    @Test("a fetch of identifiers or a count excludes objects that a cascade deletes", arguments: StoreKind.allCases)
    func unfetched(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, 1, 2, nil])
        try stack.background.performAndWait { context in
            context.delete(try Self.node(1, context))
            #expect(try context.fetchIdentifiers(FetchRequest<Twig>()).map(\.rawValue) == [4])
            context.rollback()
            context.delete(try Self.node(1, context))
            #expect(try context.count(FetchRequest<Twig>()) == 1)
        }
    }

    @Test("a cascade along a cycle of references ends", arguments: StoreKind.allCases)
    func circle(_ kind: StoreKind) throws {
        let stack = try tree(kind, [3, 1, 2, 4])
        try stack.background.performAndWait { context in
            context.delete(try Self.node(2, context))
            try context.save()
            context.delete(try Self.node(4, context))
            try context.save()
        }
        #expect(try stack.stored(Twig.self).isEmpty)
    }

    private final class Outcome: Sendable {
        let failure = Guarded<(any Error)?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    /// Runs a closure on a thread with a small stack, which a deep recursion would exhaust.
    private func onThread(stackSize: Int, _ body: @escaping @Sendable () throws -> Void) throws {
        let outcome = Outcome()
        let thread = Thread {
            do { try body() } catch { outcome.failure.withLock { $0 = error } }
            outcome.isDone.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        outcome.isDone.wait()
        if let error = outcome.failure.withLock({ $0 }) { throw error }
    }

    @Test("a very deep cascade does not exhaust the stack", arguments: StoreKind.allCases)
    func deep(_ kind: StoreKind) throws {
        // The in-memory store has no index of references: each level reads all rows.
        let depth: Int64 = kind == .sqlite ? 3_000 : 500
        let stack = try tree(kind, (0..<depth).map { $0 == 0 ? nil : $0 })
        let log = Log()
        // A recursive call for each level would need several times this stack.
        try onThread(stackSize: 256 << 10) {
            try Twig.$log.withValue(kind == .inMemory ? log : nil) {
                let thread = pthread_self()
                try stack.background.performAndWait { context in
                    #expect(pthread_self() == thread)
                    context.delete(try Self.node(1, context))
                    #expect(try context.save().deleted["Twig"]?.count == Int(depth))
                }
            }
        }
        #expect(log.all == (kind == .inMemory ? Array(1...depth) : []))
        #expect(try stack.stored(Twig.self).isEmpty)
    }

    @Test(
        "a cascade keeps an object that was moved away, and deletes an object that was added",
        arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, 1, nil, nil])
        try stack.background.performAndWait { context in
            try Self.node(2, context).parent = 4
            try Self.node(3, context).parent = 1
            let new = try context.insert(Twig(id: 5, parent: 3))
            context.delete(try Self.node(1, context))
            #expect(try context.save().deleted == ["Twig": [1, 3]])
            #expect(new.state == .detached)
        }
        #expect(try stack.stored(Twig.self).map(\.id.rawValue) == [2, 4])
    }

    @Test("a child context's cascade deletes an object that the parent context added", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, 1, 2, nil])
        let parent = stack.container.newBackgroundContext(name: "parent")
        try parent.performAndWait { try Self.node(4, $0).parent = 3 }
        try parent.newChildContext().performAndWait { context in
            context.delete(try Self.node(1, context))
            #expect(try context.save().deleted == ["Twig": [1, 2, 3, 4]])
        }
        try parent.performAndWait { context in
            #expect(try context.count(FetchRequest<Twig>()) == 0)
            try context.save()
        }
        #expect(try stack.stored(Twig.self).isEmpty)
    }

    // child                         | parent
    // moves 3 from 2 to 4           | 2 ─ 3
    // deletes 2                     |
    // saves                         | 4 ─ 3
    @Test(
        "a parent's cascade does not delete an object that the child context moved away", arguments: StoreKind.allCases)
    func movedByChild(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, nil, 2, nil])
        let parent = stack.container.newBackgroundContext(name: "parent")
        try parent.newChildContext().performAndWait { context in
            try Self.node(3, context).parent = 4
            context.delete(try Self.node(2, context))
            try context.save()
        }
        try parent.performAndWait { context in
            #expect(try context.objects(\.children, of: try Self.node(4, context)).map(\.rawID) == [3])
            try context.save()
        }
        #expect(try stack.stored(Twig.self).map(\.id.rawValue) == [1, 3, 4])
    }

    // parent            | child
    // deletes 1 (─ 2)   |
    //                   | fetches: neither is there
    @Test(
        "a child context does not find objects that its parent's pending cascade will delete",
        arguments: StoreKind.allCases)
    func parentsDeletion(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, 1, nil])
        let parent = stack.container.newBackgroundContext(name: "parent")
        let child = parent.newChildContext()
        try parent.performAndWait { context in context.delete(try Self.node(1, context)) }
        try child.performAndWait { (context) throws in
            #expect(try context.fetch(FetchRequest<Twig>()).map(\.rawID) == [3])
            #expect(throws: PersistenceError.self) { try Self.node(2, context) }
        }
    }

    // A                      | B               | store
    // deletes 1, reads       |                 |
    //                        | adds 3 to 1     | 3 ─ 1
    // saves                  |                 | empty
    @Test("a cascade also deletes an object that another context adds before the save", arguments: StoreKind.allCases)
    func race(_ kind: StoreKind) throws {
        let stack = try tree(kind, [nil, 1, nil])
        let other = stack.container.newBackgroundContext(name: "other")
        try stack.background.performAndWait { context in
            context.delete(try Self.node(1, context))
            #expect(try context.fetch(FetchRequest<Twig>()).map(\.rawID) == [3])
        }
        try other.performAndWait { context in
            try Self.node(3, context).parent = 1
            try context.save()
        }
        try stack.background.performAndWait { (context) throws in
            #expect(try context.save().deleted == ["Twig": [1, 2, 3]])
        }
        #expect(try stack.stored(Twig.self).isEmpty)
    }

    @Test(
        "a cascade deletes a one-to-one counterpart, and a deny rule rejects its own deletion",
        arguments: StoreKind.allCases)
    func oneToOne(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            // A contract is not deleted while its author exists; the author's deletion deletes it.
            context.delete(try context.contract(1))
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.rule) == [.deniedDeletion])
            #expect(error.failures.map(\.attribute) == ["author"] && error.failures.map(\.entity) == ["Contract"])
            context.delete(try context.author(2))
            #expect(try context.save().deleted == ["Author": [2], "Contract": [1]])
        }
        #expect(try stack.stored(Contract.self).isEmpty)
        #expect(try stack.stored(Book.self).map(\.author) == [1, 1, nil], "nullified")
    }

    @Test(
        "the nullify rule removes an object from ordered, reflexive and symmetric relationships",
        arguments: StoreKind.allCases)
    func nullify(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            context.delete(try context.author(1))
        } _: { (context) throws in
            #expect(try context.author(2).mentor == nil)
            #expect(try context.fetch(FetchRequest<Book>()).map { $0.author } == [nil, nil, 2])
            #expect(try context.objects(\.friends, of: try context.author(3)).isEmpty)
        }
    }
}
