import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataPersistence

@Suite("Context merger, without a context")
struct ContextMergerTests {
    /// Saves a new name of Homer with other collaborators, and returns the saved changes.
    private static func rename(_ name: String, in stack: TestStack) throws -> SavedChanges {
        let parts = try Collaborators(stack)
        try parts.author(1).name = name
        return try parts.saver.save(nil)
    }

    @Test("the outermost closure merges the saves of other contexts when it begins")
    func work() throws {
        let pendingMerge = PendingMerge(isOpen: true)
        let parts = try Collaborators(pendingMerge: pendingMerge)
        let homer = try parts.author(1)
        let saved = try Self.rename("Homeros", in: parts.stack)
        #expect(pendingMerge.add(MergeNotice(StoreChange(saved, origin: .batch))))
        parts.merger.beginWork()
        #expect(homer.name == "Homeros")
        let again = try Self.rename("Omero", in: parts.stack)
        _ = pendingMerge.add(MergeNotice(StoreChange(again, origin: .batch)))
        parts.merger.beginWork()
        #expect(homer.name == "Homeros")
        parts.merger.endWork()
        parts.readAhead.hold([homer])
        parts.merger.endWork()
        #expect(parts.readAhead.heldObjects.isEmpty)
        parts.merger.beginWork()
        #expect(homer.name == "Omero")
    }

    @Test("a merge retains unsaved changes of other properties, and a refresh may discard them")
    func retained() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        homer.mentor = 3
        try parts.merger.mergeChanges(
            StoreChange(try Self.rename("Homeros", in: parts.stack), origin: .context("elsewhere")))
        #expect(homer.name == "Homeros" && homer.mentor == 3 && homer.state == .updated)
        try parts.merger.refreshAllObjects()
        #expect(homer.mentor == 3)
        try parts.merger.refresh(homer, mergeChanges: false)
        #expect(homer.mentor == nil && homer.state == .unchanged)
    }

    @Test("a refresh of an object whose row does not exist any more detaches the object")
    func missing() throws {
        let parts = try Collaborators()
        let sappho = try parts.author(3)
        let others = try Collaborators(parts.stack)
        others.propagator.delete(try others.author(3))
        _ = try others.saver.save(nil)
        let error = try persistenceError { try parts.merger.refresh(sappho, mergeChanges: true) }
        #expect(error.code == .objectNotFound && sappho.state == .detached)
    }
}

@Suite("Conflict resolver, without a context")
struct ConflictResolverTests {
    /// A policy and the resulting name and mentor of an author whose name both sides and whose mentor one side changed.
    static let results: [(MergePolicy, String, LibraryID?, ObjectState)] = [
        (.mergeByPropertyStoreTrump, "theirs", 3, .updated), (.mergeByPropertyObjectTrump, "mine", 3, .updated),
        (.rollback, "theirs", nil, .unchanged),
    ]

    private static func conflict() throws -> (Collaborators, Managed<Author>, StoreConflict) {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        homer.name = "mine"
        homer.mentor = 3
        let row = StoredRow(id: 1, version: homer.version + 1, values: [.string("theirs"), .null])
        return (parts, homer, StoreConflict(entity: "Author", id: 1, stored: row))
    }

    @Test("the policy determines the values of an object that another save changed", arguments: results)
    func resolved(_ policy: MergePolicy, _ name: String, _ mentor: LibraryID?, _ state: ObjectState) throws {
        let (parts, homer, conflict) = try Self.conflict()
        try ConflictResolver(parts.reader).resolve([conflict], policy)
        #expect(homer.name == name && homer.mentor == mentor && homer.state == state)
        #expect(homer.version == conflict.stored?.version)
    }

    @Test("an unresolved conflict contains the values of both sides and leaves the object unchanged")
    func failed() throws {
        let (parts, homer, conflict) = try Self.conflict()
        let error = try persistenceError { try ConflictResolver(parts.reader).resolve([conflict], .error) }
        #expect(error.code == .conflict && homer.name == "mine" && homer.version != conflict.stored?.version)
        #expect(error.conflicts.map(\.mine) == [[.string("mine"), .integer(3)]])
        #expect(error.conflicts.map(\.stored) == [conflict.stored?.values])
    }

    @Test("an object that both sides deleted is removed")
    func deletedTwice() throws {
        let parts = try Collaborators()
        let sappho = try parts.author(3)
        parts.propagator.delete(sappho)
        try ConflictResolver(parts.reader).resolve([StoreConflict(entity: "Author", id: 3, stored: nil)], .error)
        #expect(sappho.state == .detached && parts.registry["Author"]?.deleted.isEmpty == true)
    }
}

@Suite("Uniqueness resolver, without a context")
struct UniquenessResolverTests {
    private static let refusal = PersistenceError(.uniqueness, "taken", entity: "Author", attribute: "id")

    @Test("a new object whose identifier a row has becomes a change of the row")
    func identifier() throws {
        let parts = try Collaborators()
        let author = try parts.inserter.insert(Author(id: 1, name: "Ovid"))
        let upserted = try parts.uniqueness.resolve(Self.refusal, SavePolicy(.mergeByPropertyObjectTrump))
        #expect(upserted.isEmpty && author.state == .updated && author.committedRecord?.name == "Homer")
    }

    @Test("a policy that does not resolve a collision leaves the objects unchanged")
    func failed() throws {
        let parts = try Collaborators()
        let author = try parts.inserter.insert(Author(id: 1, name: "Ovid"))
        let error = try persistenceError { _ = try parts.uniqueness.resolve(Self.refusal, SavePolicy(.error)) }
        #expect(error.code == .uniqueness && error.conflicts.map(\.owner) == [1] && author.state == .inserted)
    }

    @Test("an error that no collision explains is rethrown")
    func unexplained() throws {
        let parts = try Collaborators()
        let error = try persistenceError { _ = try parts.uniqueness.resolve(Self.refusal, SavePolicy(.overwrite)) }
        #expect(error.message == "taken" && error.conflicts.isEmpty)
    }

    @Test("references and join rows of a merged object are redirected to the remaining object")
    func redirected() throws {
        let parts = try Collaborators()
        let poem = try parts.inserter.insert(Book(id: 9, title: "Poem", author: 8))
        let friends = try #require(parts.registry.model.join(of: "friends", in: "Author")).join
        parts.editor.addPair(JoinRow(JoinPair(source: 8, target: 2)), to: friends)
        try parts.uniqueness.redirect("Author", UniquenessResolver.final([8: 7, 7: 1]))
        #expect(poem.author == 1)
        let ends = parts.pending.joins[friends.name]?.added.keys.map { Set([$0.source, $0.target]) }
        #expect(ends == [[1, 2]])
    }
}

@Suite("Change collector, without a context")
struct ChangeCollectorTests {
    @Test("the changes contain new, changed and deleted objects and join rows, but no unchanged values")
    func collected() throws {
        let parts = try Collaborators()
        let (homer, virgil) = (try parts.author(1), try parts.author(2))
        homer.name = "Homeros"
        virgil.name = "Virgil"
        _ = try parts.inserter.insert(Tag(id: 9, word: "sun"))
        parts.propagator.delete(try parts.author(3))
        let tags = try #require(parts.registry.model.join(of: "tags", in: "Book")).join
        parts.editor.addPair(JoinRow(JoinPair(source: 1, target: 9)), to: tags)
        let changes = try ChangeCollector(parts.reader).collect([])
        #expect(changes.entities["Author"]?.updates.map(\.id) == [1])
        #expect(changes.entities["Author"]?.updates.map(\.changedColumns) == [[0]])
        #expect(changes.entities["Author"]?.deletions.map(\.id) == [3])
        #expect(changes.entities["Tag"]?.insertions.map(\.id) == [9])
        #expect(changes.joins["Book_tags"]?.added.map(\.pair.target) == [9])
    }

    @Test("known failures reject the changes")
    func failures() throws {
        let parts = try Collaborators()
        let failure = ValidationFailure(entity: "Author", id: 1, attribute: "", value: .null, rule: .custom("no"))
        let error = try persistenceError { _ = try ChangeCollector(parts.reader).collect([failure, failure]) }
        #expect(error.code == .validation && error.failures.count == 2)
    }
}

@Suite("Save target, without a context")
struct SaveTargetTests {
    @Test("the store returns the conflicts of a stale change")
    func stale() throws {
        let parts = try Collaborators()
        var changes = ChangeSet()
        changes["Author"].updates = [
            .init(id: 1, expectedVersion: 77, values: [.string("x"), .null], changedColumns: [0])
        ]
        #expect(parts.target.isStore)
        #expect(try parts.target.write(changes).map(\.id) == [1])
        #expect(try parts.stored("name", of: "Author").first == .string("Homer"))
    }

    @Test("a save to a parent context notifies the other children of the parent, but not the sender")
    func siblings() throws {
        let parent = try Collaborators()
        let (mine, other) = (PendingMerge(isOpen: true), PendingMerge(isOpen: true))
        let child = try Collaborators(parent: parent, pendingMerge: mine)
        let listeners = [mine, other].map(Listener.init)
        for listener in listeners { parent.children.add(listener) }
        var saved = SavedChanges()
        saved.updated = ["Author": [1]]
        #expect(!child.target.isStore)
        child.target.publish(StoreChange(saved, origin: .batch))
        #expect(mine.take() == nil)
        #expect(other.take() != nil)
        withExtendedLifetime(listeners) {}
    }

    /// A subscriber that collects the notices of others' saves, as a context does.
    private final class Listener: SaveListener {
        private let pending: PendingMerge

        init(_ pending: PendingMerge) { self.pending = pending }

        func receive(_ notice: MergeNotice, from sender: PendingMerge?) {
            if sender !== pending { _ = pending.add(notice) }
        }
    }
}

@Suite("Context saver, without a context")
struct ContextSaverTests {
    @Test("a save writes the changes and marks the objects as saved")
    func saved() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        let version = homer.version
        homer.name = "Homeros"
        let saved = try parts.saver.save(nil)
        #expect(saved.updated == ["Author": [1]] && homer.state == .unchanged && homer.version == version + 1)
        #expect(try parts.stored("name", of: "Author").first == .string("Homeros"))
        #expect(try parts.saver.save(nil).isEmpty)
    }

    @Test("the policy of the saver applies unless the save has a policy of its own")
    func policies() throws {
        let stack = try StoreKind.inMemory.library()
        let (parts, others) = (try Collaborators(stack), try Collaborators(stack))
        let (mine, theirs) = (try parts.author(1), try others.author(1))
        mine.name = "mine"
        theirs.name = "theirs"
        _ = try others.saver.save(nil)
        #expect(try persistenceError { _ = try parts.saver.save(nil) }.code == .conflict)
        #expect(mine.state == .updated)
        parts.saver.use(SavePolicy(.mergeByPropertyObjectTrump))
        _ = try parts.saver.save(nil)
        #expect(try parts.stored("name", of: "Author").first == .string("mine"))
        theirs.name = "again"
        _ = try others.saver.save(.mergeByPropertyStoreTrump)
        #expect(theirs.name == "mine")
    }

    @Test("the hooks before and after a save run, and a hook before it cannot save")
    func hooks() throws {
        var called: [LifecycleHook] = []
        var save: (() throws -> Void)?
        let parts = try Collaborators(onHook: { hook, _ in
            called.append(hook)
            if hook == .willSave { try save?() }
        })
        let homer = try parts.author(1)
        homer.name = "Homeros"
        save = { _ = try parts.saver.save(nil) }
        #expect(try persistenceError { _ = try parts.saver.save(nil) }.code == .invalidRequest)
        save = nil
        called = []
        _ = try parts.saver.save(nil)
        #expect(called == [.willSave, .didSave])
    }

    @Test("a denied deletion rejects the save")
    func denied() throws {
        let parts = try Collaborators()
        parts.pending.noteDetachedWrite(to: Loose.author(1))
        #expect(try persistenceError { _ = try parts.saver.save(nil) }.code == .detachedObject)
        #expect(try parts.saver.save(nil).isEmpty)
    }
}

@Suite("Child save receiver, without a context")
struct ChildSaveReceiverTests {
    @Test("the changes of a child become unsaved changes of the parent")
    func taken() throws {
        let parent = try Collaborators()
        let child = try Collaborators(parent: parent)
        try child.author(1).name = "Homeros"
        child.propagator.delete(try child.author(3))
        _ = try child.inserter.insert(Tag(id: 9, word: "sun"))
        _ = try child.saver.save(nil)
        #expect(try parent.author(1).name == "Homeros")
        #expect(parent.registry["Author"]?.updated.map(\.rawID) == [1])
        #expect(parent.registry["Author"]?.deletedInOrder.map(\.rawID) == [3])
        #expect(parent.registry["Tag"]?.inserted.map(\.rawID) == [9])
        #expect(try parent.stored("name", of: "Author").first == .string("Homer"))
        #expect(!child.transactions.hasChanges)
    }

    @Test("a change of a property that the parent changed meanwhile is a conflict, and nothing is taken")
    func contested() throws {
        let parent = try Collaborators()
        let child = try Collaborators(parent: parent)
        try child.author(1).name = "child"
        _ = try child.inserter.insert(Tag(id: 9, word: "sun"))
        let homer = try parent.author(1)
        homer.name = "parent"
        let changes = try ChangeCollector(child.reader).collect([])
        let conflicts = try parent.receiver.take(changes, from: child.registry)
        #expect(conflicts.map(\.id) == [1] && conflicts.map { $0.stored?.values[0] } == [.string("parent")])
        #expect(homer.name == "parent" && parent.registry["Tag"]?.inserted.isEmpty != false)
    }
}

@Suite("Transaction runner, without a context")
struct TransactionRunnerTests {
    @Test("a transaction saves its changes, and rolls them back if it throws an error")
    func outermost() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        #expect(throws: CancellationError.self) {
            try parts.transactions.run(mergePolicy: nil) {
                homer.name = "Homeros"
                throw CancellationError()
            }
        }
        #expect(homer.name == "Homer" && !parts.transactions.hasChanges)
        let changes = try parts.transactions.run(mergePolicy: nil) { homer.name = "Homeros" }.changes
        #expect(changes.updated == ["Author": [1]])
        #expect(try parts.stored("name", of: "Author").first == .string("Homeros"))
    }

    @Test("an error in a nested transaction discards only the changes of that transaction")
    func nested() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        _ = try parts.transactions.run(mergePolicy: nil) { () throws -> Void in
            homer.name = "outer"
            #expect(throws: CancellationError.self) {
                try parts.transactions.run(mergePolicy: nil) {
                    homer.name = "inner"
                    throw CancellationError()
                }
            }
            #expect(homer.name == "outer")
            let error = try persistenceError { _ = try parts.transactions.save(nil) }
            #expect(error.code == .invalidRequest)
        }
        #expect(try parts.stored("name", of: "Author").first == .string("outer"))
    }

    @Test("a transaction cannot begin with unsaved changes, and a reset discards them")
    func unsaved() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        homer.name = "Homeros"
        #expect(try persistenceError { _ = try parts.transactions.run(mergePolicy: nil) {} }.code == .pendingChanges)
        parts.transactions.reset()
        #expect(homer.state == .detached && homer.name == "Homer" && parts.registry.isEmpty)
        _ = try parts.transactions.run(mergePolicy: nil) {}
    }
}
