import PersistenceTestSupport
import StrataCore
import Synchronization
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataPersistence

@Suite("Context events, without a context")
struct ContextEventsTests {
    @Test("an event is passed to the latest subscriber, and is not created without a subscriber")
    func latest() {
        let events = ContextEvents()
        var created = 0
        func event() -> ContextEvent {
            created += 1
            return .reset
        }
        let received = Mutex<[Int]>([])
        let (first, second) = ({ @Sendable (_: ContextEvent) in received.withLock { $0.append(1) } }, 2)
        events.send(event())
        #expect(created == 0)
        events.subscribe(first)
        events.send(event())
        events.subscribe { _ in received.withLock { $0.append(second) } }
        events.send(event())
        #expect(received.withLock { $0 } == [1, 2])
        #expect(created == 2)
    }
}

@Suite("Hook runner, without a context")
struct HookRunnerTests {
    @Test("a write of a hook to its own object is a change only if the hook is not that of a fetch")
    func meanings() throws {
        let (object, other) = (Loose.author(1), Loose.author(2))
        var meanings: [HookState.Write] = []
        let hooks = HookRunner()
        let caller = HookClosure { _, _ in meanings += [object, other].map(hooks.meaning) }
        hooks.attach(caller)
        try hooks.awaken(object)
        hooks.prepareForDeletion(object)
        try hooks.awakenInserted(object)
        #expect(meanings == [.awakening, .change, .ownHook, .change, .change, .change])
        #expect(hooks.meaning(ofWriteTo: object) == .change)
        withExtendedLifetime(caller) {}
    }

    @Test("the hook before a save runs again for an object that changed after its hook")
    func rounds() throws {
        let (first, second) = (Loose.author(1), Loose.author(2))
        var called: [Int64] = []
        let hooks = HookRunner()
        let caller = HookClosure { hook, object in if hook == .willSave { called.append(object.rawID) } }
        hooks.attach(caller)
        #expect(!hooks.isSaving && !hooks.isWaiting(first))
        hooks.beginSave()
        #expect(hooks.isSaving && hooks.isWaiting(first))
        for object in [first, second] { try hooks.runWillSave(on: object) }
        hooks.noteChange(of: first)
        #expect([first, second].map(hooks.isWaiting) == [true, false])
        hooks.endSave()
        #expect(!hooks.isSaving && called == [1, 2])
        withExtendedLifetime(caller) {}
    }

    @Test("the error of a hook before a save is wrapped, so that the save can rethrow it")
    func wrapped() throws {
        let hooks = HookRunner()
        let caller = HookClosure { _, object in throw PersistenceError(.closed, "hook of \(object.rawID)") }
        hooks.attach(caller)
        let failure = #expect(throws: HookFailure.self) { try hooks.runWillSave(on: Loose.author(7)) }
        #expect((failure?.underlying as? PersistenceError)?.message == "hook of 7")
        hooks.runDidSave(on: [Loose.author(7)])
        withExtendedLifetime(caller) {}
    }
}

@Suite("Data that was read ahead, without a context")
struct ReadAheadTests {
    @Test("a newer row discards the lists and the last positions of its entity only")
    func newerRows() throws {
        let model = try Library.model()
        let books = try model.relationship("books", of: model.entity(named: "Author")).relationship
        let pupils = try model.relationship("pupils", of: model.entity(named: "Author")).relationship
        let author = Loose.author(1)
        let key = OrderedEnds.Key(entity: "Book", column: 3, owner: 1)
        let data = ReadAheadData()
        data.keep([1: [Loose.book(5)]], of: [author], by: books, from: "Author")
        data.keep([:], of: [author], by: pupils, from: "Author")
        data.know(end: 7, of: key)
        #expect(data.objects("books", of: author)?.map(\.rawID) == [5])
        data.sawNewerRows(of: "Book")
        #expect(data.objects("books", of: author) == nil)
        #expect(data.objects("pupils", of: author)?.isEmpty == true)
        #expect(data.end(of: key) == nil)
    }

    @Test("everything is discarded at the end of the work")
    func cleared() {
        let data = ReadAheadData()
        data.hold([Loose.author(1)])
        data.know(end: nil, of: OrderedEnds.Key(entity: "Book", column: 3, owner: 1))
        data.clear()
        #expect(data.heldObjects.isEmpty)
        #expect(data.end(of: OrderedEnds.Key(entity: "Book", column: 3, owner: 1)) == nil)
    }
}

@Suite("Pending changes, without a context")
struct PendingChangesTests {
    private static func join() throws -> JoinDescription {
        try #require(try Library.model().join(of: "tags", in: "Book")).join
    }

    @Test("a rollback restores the changes at the beginning of the innermost transaction")
    func rollback() throws {
        let pending = PendingChanges(CounterpartLog(try Library.model()))
        let join = try Self.join()
        pending.add(JoinRow(JoinPair(source: 1, target: 1)), to: join)
        pending.beginTransaction([])
        pending.noteDetachedWrite(to: Loose.author(1))
        pending.noteDeletion(Loose.author(2))
        pending.add(JoinRow(JoinPair(source: 2, target: 2)), to: join)
        pending.rollBack([])
        #expect(!pending.hasDetachedWrites && !pending.deletions.isPending)
        #expect(pending.joins[join.name]?.added.keys.map(\.source) == [1])
        pending.endTransaction()
        #expect(pending.transactionCount == 0 && pending.hasChanges(of: join))
        pending.rollBack([])
        #expect(!pending.hasChanges(of: join))
    }

    @Test("an object with a reused identifier does not receive the join rows of the deleted object")
    func reused() throws {
        let pending = PendingChanges(CounterpartLog(try Library.model()))
        let join = try Self.join()
        pending.noteDiscarded(Loose.book(1))
        pending.add(JoinRow(JoinPair(source: 1, target: 1)), to: join)
        #expect(pending.hasJoinChanges { _, _ in false } && !pending.hasJoinChanges { _, _ in true })
        pending.forgetDiscarded(1, of: "Book")
        #expect(!pending.deletions.hasDiscarded && !pending.hasChanges(of: join))
    }

    @Test("changes of counterparts remain if their resolution fails")
    func unresolved() throws {
        let pending = PendingChanges(CounterpartLog(try Library.model()))
        let contract = Loose.object(Contract(id: 1, fee: 0, author: 5))
        pending.noteCounterpart(5, of: contract, column: 1)
        #expect(throws: CancellationError.self) {
            try pending.resolveCounterparts { _ in throw CancellationError() }
        }
        #expect(pending.counterparts.changes.map(\.target) == [5])
        pending.resolveCounterparts { _ in [] }
        #expect(pending.counterparts.isEmpty)
    }

    @Test("a counterpart that another reader published counts as reassigned")
    func reassigned() throws {
        let log = CounterpartLog(try Library.model())
        let (mine, theirs) = (PendingChanges(log), PendingChanges(log))
        let contract = Loose.object(Contract(id: 1, fee: 0, author: 5))
        mine.noteCounterpart(5, of: contract, column: 1)
        let change = try #require(mine.counterparts.changes.first)
        #expect(!mine.wasReassigned(change))
        mine.publishCounterparts([change.key])
        #expect(!mine.wasReassigned(change))
        theirs.publishCounterparts([change.key])
        #expect(mine.wasReassigned(change))
    }

    @Test("the successor of a merged object is known until the context is reset")
    func successors() throws {
        let pending = PendingChanges(CounterpartLog(try Library.model()))
        pending.noteSuccessors(["Author": [1: 2]])
        pending.noteSuccessors(["Author": [3: 4]])
        pending.commit()
        #expect([1, 3, 5].map { pending.successor(of: Loose.author(LibraryID(unchecked: $0))) } == [2, 4, nil])
        pending.forgetSuccessors()
        #expect(pending.successor(of: Loose.author(1)) == nil)
    }
}

@Suite("Change tracker, without a context")
struct ChangeTrackerTests {
    @Test("the first write to an object makes it updated, and a write to a deleted object is reported by the save")
    func written() throws {
        let parts = try Collaborators()
        let (author, other) = (try parts.author(1), try parts.author(3))
        author.name = "Homeros"
        #expect(author.state == .updated && author.committedRecord?.name == "Homer")
        #expect(parts.registry["Author"]?.updated.map(\.rawID) == [1])
        parts.propagator.delete(other)
        other.name = "Psappho"
        #expect(parts.pending.hasDetachedWrites)
    }

    @Test("an object that receives a one-to-one counterpart is recorded, unless the value is that of its row again")
    func counterparts() throws {
        let parts = try Collaborators()
        let contract = try parts.contract(1)
        contract.author = 3
        #expect(parts.pending.counterparts.changes.map(\.target) == [3])
        contract.author = 2
        try parts.propagator.processPendingChanges()
        #expect(parts.pending.counterparts.isEmpty)
    }
}

@Suite("Object registry, without a context")
struct ObjectRegistryTests {
    @Test("a record type and its entity have one identity map, and the maps are in the order of the model")
    func maps() throws {
        let registry = try Collaborators().registry
        #expect(registry.isEmpty && registry["Tag"] == nil)
        let tags = try registry.identityMap(of: Tag.entity)
        let authors = try registry.identityMap("Author")
        #expect(try registry.identityMap(of: Author.entity) === authors)
        #expect(registry["Tag"] === tags)
        #expect(registry.ordered.map(\.entity.name) == ["Author", "Tag"])
        #expect(try persistenceError { _ = try registry.identityMap("Poem") }.code == .invalidRequest)
    }

    @Test("all objects of an entity have one record type")
    func kinds() throws {
        let registry = try Collaborators().registry
        let dynamic = try registry.model.dynamicEntity("Author")
        let error = try persistenceError { _ = try registry.identityMap(of: dynamic) }
        #expect(error.code == .invalidModel)
        _ = try registry.identityMap(of: Author.entity)
        #expect(try registry.recordEntity(of: "Author").recordType == Author.self)
        #expect(try persistenceError { try registry.requireKind(of: dynamic) }.code == .invalidModel)
    }

    @Test("a reset detaches all objects")
    func reset() throws {
        let parts = try Collaborators()
        let author = try parts.author(1)
        parts.registry.require(author)
        parts.registry.forgetAll()
        #expect(author.state == .detached && parts.registry.isEmpty)
    }
}
