import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Writes, fetches and deletions that hooks may do.
@Suite("Writes by hooks")
struct HookWriteTests {
    /// A record whose hooks all write to it.
    struct Draft: PersistentRecord, LifecycleHooks, Hashable {
        let id: LibraryID
        var title: String
        var edits = 0
        var partner: LibraryID?
        /// The value is not stored.
        var seen = 0

        static let entity = RecordEntity<Draft>(
            "Draft", id: \.id,
            [
                .attribute("title", \.title), .attribute("edits", \.edits),
                .toOne("partner", \.partner, to: "Draft", deleteRule: .noAction),
            ]
        ) { row in Draft(id: try row.id(), title: try row.next(), edits: try row.next(), partner: try row.next()) }

        static func awakeFromInsert(_ object: Managed<Draft>, in context: ConfinedContext) throws {
            if object.title != "refused" { object.title = "untitled" }
        }

        static func awakeFromFetch(_ object: Managed<Draft>, in context: ConfinedContext) throws {
            if object.title == "reads its partner", let partner = object.partner {
                _ = try context.existingObject(with: partner, of: Draft.self)
            }
            if object.title == "writes to its partner", let partner = object.partner {
                try context.existingObject(with: partner, of: Draft.self).title = "written"
            }
            if object.title == "marks itself" { object.title = "marks itself" + "!" }
            object.seen += 1
        }

        static func willSave(_ object: Managed<Draft>, in context: ConfinedContext) throws {
            object.edits += 1
        }

        static func prepareForDeletion(_ object: Managed<Draft>, in context: ConfinedContext) {
            guard let partner = object.partner, let other = context.registeredObject(for: partner, of: Draft.self)
            else { return }
            context.delete(other)
        }
    }

    private func stack(_ kind: StoreKind, _ titles: [String], counterparts: [LibraryID?] = []) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Draft.self]))
        try stack.background.performAndWait { context in
            var drafts: [Managed<Draft>] = []
            for (index, title) in titles.enumerated() {
                let draft = try context.insert(Draft(id: LibraryID(unchecked: Int64(index) + 1), title: ""))
                draft.title = title
                drafts.append(draft)
            }
            for (draft, partner) in zip(drafts, counterparts) { draft.partner = partner }
            try context.save()
        }
        return stack
    }

    @Test("a save hook may write to a deleted object", arguments: StoreKind.allCases)
    func deleted(_ kind: StoreKind) throws {
        let stack = try stack(kind, ["a", "b"])
        try stack.container.newBackgroundContext().performAndWait { context in
            try context.delete(1, of: Draft.self)
            try context.save()
            try context.existingObject(with: 2, of: Draft.self).title = "c"
            try context.save()
        }
        #expect(try stack.stored(Draft.self).map(\.title) == ["c"])
    }

    @Test(
        "a child context's new object keeps its values when its save inserts it into the parent",
        arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try stack(kind, [])
        let parent = stack.container.newBackgroundContext()
        try parent.newChildContext().performAndWait { context in
            let draft = try context.insert(Draft(id: 1, title: ""))
            #expect(draft.title == "untitled")
            draft.title = "mine"
            try context.save()
        }
        try parent.performAndWait { context in
            #expect(try context.existingObject(with: 1, of: Draft.self).title == "mine")
            try context.save()
        }
        #expect(try stack.stored(Draft.self).map(\.title) == ["mine"])
    }

    @Test(
        "the writes of a fetch hook to its object are no change although the hook fetches another object",
        arguments: StoreKind.allCases)
    func nested(_ kind: StoreKind) throws {
        let stack = try stack(kind, ["reads its partner", "b"], counterparts: [2, nil])
        try stack.container.newBackgroundContext().performAndWait { context in
            let draft = try context.existingObject(with: 1, of: Draft.self)
            #expect(draft.seen == 1)
            #expect(draft.state == .unchanged)
        }
    }

    @Test("a fetch hook's write to another object is a change of that object", arguments: StoreKind.allCases)
    func other(_ kind: StoreKind) throws {
        let stack = try stack(kind, ["writes to its partner", "b"], counterparts: [2, nil])
        try stack.container.newBackgroundContext().performAndWait { context in
            let partner = try context.existingObject(with: 2, of: Draft.self)
            _ = try context.existingObject(with: 1, of: Draft.self)
            #expect(partner.title == "written")
            #expect(partner.hasChanges)
            try context.save()
        }
        #expect(try stack.stored(Draft.self).map(\.title) == ["writes to its partner", "written"])
    }

    @Test("two objects whose deletion hooks delete each other are both deleted", arguments: StoreKind.allCases)
    func mutual(_ kind: StoreKind) throws {
        let stack = try stack(kind, ["a", "b"], counterparts: [2, 1])
        try stack.container.newBackgroundContext().performAndWait { context in
            let drafts = try context.fetch(FetchRequest<Draft>())
            // The hook finds only objects that are retained, and a variable retains an object until its last use.
            try withExtendedLifetime(drafts) {
                context.delete(try #require(drafts.first))
                try context.save()
            }
        }
        #expect(try stack.stored(Draft.self).isEmpty)
    }

    @Test("the fetch hook runs once for each object that is read from the row cache")
    func cached() throws {
        let folder = try TemporaryFolder()
        var description = PersistentStoreDescription.sqlite(at: folder.file("store.sqlite"))
        description.stalenessInterval = nil
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Draft.self]), description, mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            let draft = try context.insert(Draft(id: 1, title: ""))
            draft.title = "marks itself"
            try context.save()
        }
        for _ in 0..<3 {
            try container.newBackgroundContext().performAndWait { context in
                let draft = try context.existingObject(with: 1, of: Draft.self)
                #expect(draft.title == "marks itself!")
                #expect(draft.seen == 1)
            }
        }
    }
}
