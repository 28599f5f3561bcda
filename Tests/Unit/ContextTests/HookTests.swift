import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The calls of a record type's hooks and their order.
///
/// The suite is serialized, because the hooks write to one list.
@Suite("Hooks", .serialized)
struct HookTests {
    @Test(
        "the hooks of an insert, a save, a fetch and a deletion run in the documented order",
        arguments: StoreKind.allCases)
    func order(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        Note.log.clear()
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
            try context.insert(Page.self) { Page(id: $0, note: note.id, text: "p") }
            try context.save()
        }
        #expect(Note.log.take() == ["insert a", "insert p", "will save a", "will save p", "did save a", "did save p"])
        try context.performAndWait { context in
            let note = try #require(try context.fetch(FetchRequest<Note>()).first)
            note.text = "b"
            try context.save()
            try context.save()
            context.delete(note)
            try context.save()
        }
        #expect(
            Note.log.take() == [
                "fetch a", "will save b", "did save b", "delete b", "fetch p", "delete p", "will save b", "will save p",
                "did save b", "did save p",
            ])
    }

    @Test(
        "a save hook is called again only if another object's hook changed its object",
        arguments: StoreKind.allCases)
    func rounds(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "stamp") }
            let page = try context.insert(Page.self) { Page(id: $0, note: note.id, text: "touches its note") }
            Note.log.clear()
            try context.save()
            #expect(note.edits == 2 && page.text == "touched")
        }
        #expect(
            Note.log.take() == [
                "will save stamp", "will save touches its note", "will save stamp", "did save stamp",
                "did save touched",
            ])
        #expect(try stack.stored(Note.self).map(\.edits) == [2])
    }

    @Test("a save whose hooks change each other's objects endlessly throws an error", arguments: StoreKind.allCases)
    func bound(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "pong") }
            try context.insert(Page.self) { Page(id: $0, note: note.id, text: "ping") }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .invalidRequest)
            #expect(
                error.message
                    == "the hooks before the save (Note, Page) changed each other's objects 1000 times; a hook must "
                    + "stop writing at some time: write only values that differ"
            )
        }
        #expect(try stack.stored(Note.self).isEmpty)
        Note.log.clear()
    }

    @Test("an error that a hook throws reaches the caller, and nothing is written", arguments: StoreKind.allCases)
    func throwing(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            #expect(throws: Note.Refused.self) { try context.insert(Note.self) { Note(id: $0, text: "no insert") } }
            #expect(!context.hasChanges)
            let note = try context.insert(Note.self) { Note(id: $0, text: "no save") }
            #expect(throws: Note.Refused.self) { try context.save() }
            #expect(note.state == .inserted)
            note.text = "fine"
            try context.save()
            note.text = "no fetch"
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { (context) throws in
            #expect(throws: Note.Refused.self) { try context.fetch(FetchRequest<Note>()) }
            #expect(try context.fetchRecords(FetchRequest<Note>()).count == 1, "values run no hook")
        }
        Note.log.clear()
    }

    @Test("values that the fetch hook writes to its object are no change", arguments: StoreKind.allCases)
    func awakening(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.insert(Note.self) { Note(id: $0, text: "counts") }
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let note = try #require(try context.fetch(FetchRequest<Note>()).first)
            #expect(note.length == 6, "a property that is not stored is filled by the hook")
            #expect(note.state == .unchanged && !context.hasChanges)
        }
        Note.log.clear()
    }

    @Test("the fetch hook writes its values again whenever the row is read again", arguments: StoreKind.allCases)
    func awakeningAgain(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        let mine = stack.container.newBackgroundContext()
        try mine.performAndWait { context in
            try context.insert(Note.self) { Note(id: $0, text: "counts") }
            try context.save()
        }
        let other = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump)
        let keeper = Keeper()
        for text in ["longer text", "short", "middling", "z"] {
            let saved = try mine.performAndWait { context in
                try #require(try context.fetch(FetchRequest<Note>()).first).text = text
                return try context.save()
            }
            try other.performAndWait { context in
                let isFirst = keeper.kept.isEmpty
                let note =
                    try isFirst || text == "short"
                    ? #require(try context.fetch(FetchRequest<Note>()).first)
                    : #require(context.registeredObjects.first as? Managed<Note>)
                keeper.keep(note)
                if text == "middling" { try context.mergeChanges(from: saved) }
                if text == "z" { try context.refresh(note, mergeChanges: true) }
                #expect(note.text == text && note.length == text.utf8.count, "\(text)")
            }
        }
        other.performAndWait { _ in keeper.release() }
        Note.log.clear()
    }

    @Test("an idle context with automatic merging merges the saves of other contexts", arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        let mine = stack.container.newBackgroundContext(automaticallyMergesChangesFromParent: true)
        let keeper = Keeper()
        let id = try await mine.perform { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "old") }
            try context.save()
            keeper.keep(note)
            return note.id
        }
        Note.log.clear()
        try await stack.background.perform { context in
            try context.existingObject(with: id, of: Note.self).text = "new"
            try context.save()
        }
        // This call waits until the context's queue is free, and does not use the context.
        _ = await mine.mergePolicy
        #expect(Note.log.take().contains("fetch new"))
        await mine.perform { _ in keeper.release() }
    }

    @Test(
        "deleting an object twice runs its deletion hook twice and stores one deletion", arguments: StoreKind.allCases)
    func deletedTwice(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
            try context.save()
            Note.log.clear()
            context.delete(note)
            context.delete(note)
            #expect(Note.log.take() == ["delete a", "delete a"])
            #expect(try context.save().deleted == ["Note": [note.rawID]])
        }
        Note.log.clear()
    }

    @Test("a changed property that is not stored is no change of the object", arguments: StoreKind.allCases)
    func notStored(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        try stack.container.newBackgroundContext().performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
            try context.save()
            note.length = 42
            #expect(!note.hasChanges && !context.hasChanges && note.changedValues().isEmpty)
            #expect(try context.save().isEmpty && note.length == 42)
        }
        Note.log.clear()
    }

    @Test("refreshing all objects throws the error of a fetch hook", arguments: StoreKind.allCases)
    func refusedAgain(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        let (mine, other) = (stack.container.newBackgroundContext(), stack.container.newBackgroundContext())
        let id = try mine.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "fine") }
            try context.save()
            return note.id
        }
        try other.performAndWait { context in
            let note = try context.existingObject(with: id, of: Note.self)
            try stack.container.coordinator.write("no fetch", to: id)
            #expect(throws: Note.Refused.self) { try context.refreshAllObjects() }
            #expect(note.text == "no fetch")
        }
        Note.log.clear()
    }

    @Test(
        "a child context's save runs the hooks and passes properties that are not stored to the parent",
        arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        let parent = stack.container.newBackgroundContext()
        let child = parent.newChildContext()
        Note.log.clear()
        let id = try child.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
            note.length = 42
            try context.save()
            return note.id
        }
        #expect(Note.log.take() == ["insert a", "will save a", "did save a"])
        #expect(try parent.performAndWait { try $0.existingObject(with: id, of: Note.self).length } == 42)
    }

    @Test(
        "a child's save of a changed object also passes its properties that are not stored to the parent",
        arguments: StoreKind.allCases)
    func changeOfChild(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Note.self, Page.self]))
        // Only the main context may wait for another context.
        let parent = stack.container.mainContext
        try parent.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
            try context.save()
            let id = note.id
            try parent.newChildContext().performAndWait { child in
                let theirs = try child.existingObject(with: id, of: Note.self)
                (theirs.text, theirs.length) = ("b", 42)
                try child.save()
            }
            #expect(note.text == "b" && note.length == 42)
        }
        Note.log.clear()
    }
}

/// The calls of the hooks, in order.
final class HookLog: Sendable {
    private let lines = Guarded<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    func clear() { _ = take() }
}

struct Note: PersistentRecord, Hashable {
    struct Refused: Error {}

    static let log = HookLog()

    let id: TeamID
    var text: String
    var edits = 0
    /// The value is not stored.
    var length = 0

    static let pages = ToMany<Note, Page>("pages", to: "Page", inverse: "note", deleteRule: .cascade)
    static let entity = RecordEntity<Note>(
        "Note", id: \.id, [.attribute("text", \.text), .attribute("edits", \.edits), .relationship(pages)]
    ) { row in
        Note(id: try row.id(), text: try row.next(), edits: try row.next())
    }
}

extension Note: LifecycleHooks {
    static func awakeFromInsert(_ object: Managed<Note>, in context: ConfinedContext) throws {
        if object.text == "no insert" { throw Refused() }
        log.add("insert \(object.text)")
    }

    static func awakeFromFetch(_ object: Managed<Note>, in context: ConfinedContext) throws {
        if object.text == "no fetch" { throw Refused() }
        object.length = object.text.utf8.count
        log.add("fetch \(object.text)")
    }

    static func prepareForDeletion(_ object: Managed<Note>, in context: ConfinedContext) {
        log.add("delete \(object.text)")
    }

    static func willSave(_ object: Managed<Note>, in context: ConfinedContext) throws {
        log.add("will save \(object.text)")
        switch object.text {
        case "no save": throw Refused()
        case "stamp": object.edits += 1
        case "pong": for page in try context.objects(\.pages, of: object) { page.text = "ping" }
        default: break
        }
    }

    static func didSave(_ object: Managed<Note>, in context: ConfinedContext) { log.add("did save \(object.text)") }
}

struct Page: PersistentRecord, Hashable {
    let id: PlayerID
    var note: TeamID
    var text: String

    static let entity = RecordEntity<Page>(
        "Page", id: \.id, [.toOne("note", \.note, to: "Note", inverse: "pages"), .attribute("text", \.text)]
    ) { row in
        Page(id: try row.id(), note: try row.next(), text: try row.next())
    }
}

extension Page: LifecycleHooks {
    static func awakeFromInsert(_ object: Managed<Page>, in context: ConfinedContext) throws {
        Note.log.add("insert \(object.text)")
    }

    static func awakeFromFetch(_ object: Managed<Page>, in context: ConfinedContext) throws {
        Note.log.add("fetch \(object.text)")
    }

    static func prepareForDeletion(_ object: Managed<Page>, in context: ConfinedContext) {
        Note.log.add("delete \(object.text)")
    }

    static func willSave(_ object: Managed<Page>, in context: ConfinedContext) throws {
        Note.log.add("will save \(object.text)")
        if object.state == .deleted { return }
        let note = try context.object(\.note, of: object, as: Note.self)
        switch object.text {
        case "touches its note": (note.edits, object.text) = (note.edits + 0, "touched")
        case "ping": note.text = "pong"
        default: break
        }
    }

    static func didSave(_ object: Managed<Page>, in context: ConfinedContext) {
        Note.log.add("did save \(object.text)")
    }
}

extension PersistentStoreCoordinator {
    /// Writes a note's text to the store, bypassing every context.
    fileprivate func write(_ text: String, to id: TeamID) throws {
        guard var row = try store.rows(StoreRequest("Note")).first(where: { $0.id == id.rawValue }) else { return }
        row.values[0] = .string(text)
        var changes = ChangeSet()
        changes["Note"].updates = [
            .init(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: [0])
        ]
        _ = try store.save(changes)
    }
}
