import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Two contexts that delete the same object.
@Suite("Deletions of objects that another writer deleted already")
struct DeletedTwiceTests {
    @Test(
        "a save does not report the deletion of an object that another writer deleted already",
        arguments: StoreKind.allCases, [false, true])
    func named(_ kind: StoreKind, _ hasOthers: Bool) throws {
        let stack = try kind.league()
        let (deleted, here) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.container.mainContext.performAndWait { context in
            try context.delete(deleted)
            if hasOthers { try context.delete(here) }
            try stack.background.performAndWait { context in
                try context.delete(deleted)
                #expect(try context.save().deleted == ["Team": [deleted.id.rawValue]])
            }
            let saved = try context.save()
            #expect(saved.deleted == (hasOthers ? ["Team": [here.id.rawValue]] : [:]))
            #expect(saved.isEmpty == !hasOthers && !context.hasChanges)
            #expect(try context.fetch(FetchRequest<Team>()).map(\.id) == (hasOthers ? [] : [here.id]))
        }
    }

    @Test(
        "a save may reuse a deleted object's identifier although another writer deleted the object already",
        arguments: StoreKind.allCases)
    func consequences(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        try stack.container.mainContext.performAndWait { context in
            let (book, tag) = (try context.existingObject(with: 1, of: Book.self), try context.tag(3))
            try context.add(tag, to: \.tags, of: book)
            context.delete(book)
            let new = try context.insert(Book(id: 1, title: "Iliad, again"))
            try context.add(try context.tag(2), to: \.tags, of: new)
            try stack.background.performAndWait { context in
                _ = try context.delete(1, of: Book.self)
                try context.save()
            }
            let saved = try context.save()
            #expect(saved.deleted.isEmpty && saved.inserted == ["Book": [1]])
            #expect(try context.objects(\.tags, of: new).map(\.record.id) == [2])
        }
        #expect(try stack.stored(Book.self).map(\.title) == ["Iliad, again", "Odyssey", "Aeneid"])
    }

    @Test(
        "pending join rows of an object that another writer deleted too are not written, at either end",
        arguments: StoreKind.allCases)
    func pairs(_ kind: StoreKind) throws {
        let stack = try kind.library()
        // Only the main context may wait for another context.
        try stack.container.mainContext.performAndWait { context in
            let (book, tag, other) = (try context.book(1), try context.tag(3), try context.book(2))
            try context.add(try context.tag(2), to: \.tags, of: book)
            try context.add(tag, to: \.tags, of: other)
            context.delete(book)
            context.delete(tag)
            try stack.background.performAndWait { context in
                context.delete(try context.book(1))
                context.delete(try context.tag(3))
                try context.save()
            }
            #expect(try context.save().isEmpty)
            #expect(!context.hasChanges)
            #expect(try context.titles(try context.tag(2)) == ["Odyssey", "Aeneid"])
            #expect(try context.words(other) == ["sea"])
        }
    }

    @Test(
        "a child context's save does not report a deletion that its parent made already", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Reds")
        let parent = stack.background
        try parent.newChildContext().performAndWait { context in
            try context.delete(team)
            try parent.performAndWait { try $0.delete(team) }
            #expect(try context.save().isEmpty)
        }
        let deleted = try parent.performAndWait { try $0.save().deleted }
        #expect(deleted == ["Team": [team.id.rawValue]])
    }

    @Test(
        "a save that fails with a conflict of another object keeps the deletion pending", arguments: StoreKind.allCases)
    func conflict(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let (deleted, changed) = (try stack.team("Reds"), try stack.team("Blues"))
        try stack.container.mainContext.performAndWait { context in
            try context.delete(deleted)
            try context.existingObject(with: changed.id, of: Team.self).points = 1
            try stack.background.performAndWait { context in
                try context.delete(deleted)
                try context.existingObject(with: changed.id, of: Team.self).points = 2
                try context.save()
            }
            let error = try persistenceError { try context.save() }
            #expect(error.conflicts.map(\.id) == [changed.id.rawValue])
            #expect(context.deletedObjects.map(\.rawID) == [deleted.id.rawValue])
            #expect(try context.save(mergePolicy: .mergeByPropertyObjectTrump).deleted.isEmpty)
        }
        #expect(try stack.stored(Team.self).map(\.points) == [1])
    }
}
