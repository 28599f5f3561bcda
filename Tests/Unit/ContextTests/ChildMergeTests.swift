import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Merging of deletions, of saves into a parent with unsaved changes, and into children after their parent's save.
@Suite("Merges with child contexts and deletions")
struct ChildMergeTests {
    /// A record whose hook counts its saves.
    struct Stamp: PersistentRecord, LifecycleHooks, Hashable {
        let id: LibraryID
        var title: String
        var saves = 0

        static let entity = RecordEntity<Stamp>(
            "Stamp", id: \.id, [.attribute("title", \.title), .attribute("saves", \.saves)]
        ) { row in Stamp(id: try row.id(), title: try row.next(), saves: try row.next()) }

        static func willSave(_ object: Managed<Stamp>, in context: ConfinedContext) throws {
            object.saves += 1
            if object.title == "saves" { try context.save() }
        }
    }

    @Test(
        "a child context's save whose merged values form no valid record throws and leaves the parent unchanged",
        arguments: StoreKind.allCases)
    func unmergeable(_ kind: StoreKind) throws {
        // child             | parent       | store
        // reads both        | reads both   | 1...5, 1...5
        //                   | 2: start = 4 |
        // 1: note, 2: end=3 |              |
        // save: conflict    | 2: 4...5     |
        let stack = try kind.stack(Crew.model())
        let parent = stack.background
        let ids = try parent.performAndWait { context in
            let made = try (1...2).map { _ in try context.insert(Shift.self) { try Shift(id: $0, start: 1, end: 5) } }
            try context.save()
            return made.map(\.id)
        }
        try parent.newChildContext(mergePolicy: .mergeByPropertyObjectTrump).performAndWait { (context) throws in
            let shifts = try ids.map { try context.existingObject(with: $0, of: Shift.self) }
            try parent.performAndWait { try $0.existingObject(with: ids[1], of: Shift.self).start = 4 }
            (shifts[0].note, shifts[1].end) = ("x", 3)
            let error = try persistenceError { try context.save() }
            #expect(
                "\(error)"
                    == "an object was changed in “background” meanwhile, and its record type rejects the merged values\n  Shift 2: changed here and in the store"
            )
            #expect(shifts.map(\.hasChanges) == [true, true])
        }
        try parent.performAndWait { (context) throws in
            #expect(try context.existingObject(with: ids[0], of: Shift.self).note == nil)
            #expect(context.updatedObjects.map(\.rawID) == [ids[1].rawValue])
        }
    }

    @Test(
        "an object that a context deletes stays deleted when the context merges another writer's change",
        arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let red = try stack.team("Red")
        let main = stack.container.mainContext
        try main.performAndWait { context in _ = try context.delete(red.id, of: Team.self) }
        try stack.background.performAndWait { context in
            try context.existingObject(with: red.id, of: Team.self).points = 5
            try context.save()
        }
        try main.performAndWait { context in _ = try context.save() }
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test(
        "a merging child context receives the changes that a hook made during its parent's save",
        arguments: StoreKind.allCases)
    func parentSave(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Stamp.self]))
        let parent = stack.background
        let child = parent.newChildContext(automaticallyMergesChangesFromParent: true)
        try child.performAndWait { context in
            let stamp = try context.insert(Stamp(id: 1, title: "a"))
            try context.save()
            _ = try parent.performAndWait { try $0.save() }
            // The child merges before its next work, not during this closure.
            #expect(stamp.saves == 1)
            stamp.title = "b"
        }
        try child.performAndWait { context in
            #expect(try context.existingObject(with: 1, of: Stamp.self).saves == 2)
            try context.save()
        }
        try parent.performAndWait { context in _ = try context.save() }
        #expect(try stack.stored(Stamp.self).map(\.title) == ["b"])
        #expect(try stack.stored(Stamp.self).map(\.saves) == [4])
    }

    @Test("a hook that saves the context before a save makes the save throw", arguments: StoreKind.allCases)
    func saveInSave(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Stamp.self]))
        try stack.background.performAndWait { context in
            let stamp = try context.insert(Stamp(id: 1, title: "saves"))
            let error = try persistenceError { try context.save() }
            #expect("\(error)" == "a save of “background” is running; a hook before it must not save")
            stamp.title = "fine"
            try context.save()
        }
        #expect(try stack.stored(Stamp.self).map(\.title) == ["fine"])
    }
}
