import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Many-to-many relationships")
struct ManyToManyTests {
    @Test(
        "an added join row is visible from both sides, whichever side added it", arguments: StoreKind.allCases,
        [false, true])
    func add(_ kind: StoreKind, _ fromTarget: Bool) throws {
        try TestStack.everywhere(kind) { context in
            let (book, tag) = (try context.book(1), try context.newTag("anger"))
            if fromTarget {
                try context.add(book, to: \.books, of: tag)
            } else {
                try context.add(tag, to: \.tags, of: book)
            }
        } _: { (context) throws in
            #expect(
                try context.words(try context.book(1)) == ["war", "anger"], "a new one comes last, from whichever side")
            #expect(try context.count(\.tags, of: try context.book(1)) == 2)
            #expect(try context.titles(try context.tag(4)) == ["Iliad"])
            #expect(try context.count(\.books, of: try context.tag(4)) == 1)
        }
    }

    @Test("a removed join row is missing from both sides", arguments: StoreKind.allCases, [false, true])
    func remove(_ kind: StoreKind, _ fromTarget: Bool) throws {
        try TestStack.everywhere(kind) { context in
            let (book, tag) = (try context.book(3), try context.tag(1))
            if fromTarget {
                try context.remove(book, from: \.books, of: tag)
            } else {
                try context.remove(tag, from: \.tags, of: book)
            }
            try context.remove(try context.tag(3), from: \.tags, of: book)
        } _: { (context) throws in
            #expect(try context.words(try context.book(3)) == ["sea"])
            #expect(try context.titles(try context.tag(1)) == ["Iliad"])
            #expect(try context.count(\.books, of: try context.tag(1)) == 1)
        }
    }

    @Test(
        "a join row that is removed and added again exists, whether it was stored before or not",
        arguments: StoreKind.allCases)
    func again(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (iliad, aeneid, love) = (try context.book(1), try context.book(3), try context.tag(3))
            for book in [iliad, aeneid] {
                try context.add(love, to: \.tags, of: book)
                try context.remove(love, from: \.tags, of: book)
                try context.add(book, to: \.books, of: love)
            }
            try context.remove(try context.tag(1), from: \.tags, of: iliad)
            try context.add(iliad, to: \.books, of: try context.tag(1))
            let (homer, virgil) = (try context.author(1), try context.author(2))
            try context.remove(virgil, from: \.friends, of: homer)
            try context.add(virgil, to: \.friends, of: homer)
        } _: { (context) throws in
            #expect(Set(try context.words(try context.book(1))) == ["love", "war"])
            #expect(Set(try context.words(try context.book(3))) == ["sea", "war", "love"])
            #expect(try context.titles(try context.tag(3)) == ["Iliad", "Aeneid"])
            #expect(try context.objects(\.friends, of: try context.author(2)).map(\.rawID) == [1])
        }
    }

    @Test("setting a many-to-many relationship adds and removes join rows as needed", arguments: StoreKind.allCases)
    func set(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            try context.set([try context.book(2), try context.newBook("Sonnets")], as: \.books, of: try context.tag(1))
        } _: { (context) throws in
            #expect(try context.titles(try context.tag(1)) == ["Odyssey", "Sonnets"])
            #expect(try context.words(try context.book(1)).isEmpty)
            #expect(try context.words(try context.book(2)) == ["sea", "war"])
        }
    }

    @Test(
        "a symmetric join row is visible from both ends, and may join an object to itself",
        arguments: StoreKind.allCases)
    func symmetric(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, virgil, sappho) = (try context.author(1), try context.author(2), try context.author(3))
            try context.add(homer, to: \.friends, of: virgil)
            try context.add(virgil, to: \.friends, of: virgil)
            try context.remove(homer, from: \.friends, of: sappho)
        } _: { (context) throws in
            #expect(try context.objects(\.friends, of: try context.author(1)).map(\.rawID) == [2])
            #expect(try context.objects(\.friends, of: try context.author(2)).map(\.rawID) == [1, 2])
            #expect(try context.count(\.friends, of: try context.author(2)) == 2)
            #expect(try context.objects(\.friends, of: try context.author(3)).isEmpty)
        }
    }

    @Test(
        "a deletion removes an object from a many-to-many relationship, and a rollback restores it",
        arguments: StoreKind.allCases)
    func deletedAndRolledBack(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (aeneid, war) = (try context.book(3), try context.tag(1))
            try context.add(try context.newTag("duty"), to: \.tags, of: aeneid)
            context.delete(war)
            #expect(try context.words(aeneid) == ["sea", "duty"])
            context.rollback()
            #expect(try context.words(aeneid) == ["sea", "war"])
            context.delete(aeneid)
            #expect(try context.titles(war) == ["Iliad"])
            try context.save()
            #expect(try context.titles(war) == ["Iliad"])
        }
    }

    @Test("deleting a new object also removes its join rows", arguments: StoreKind.allCases)
    func deletedNew(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (tag, friend) = (try context.newTag("duty"), try context.newAuthor("Ovid"))
            try context.add(tag, to: \.tags, of: try context.book(1))
            try context.add(friend, to: \.friends, of: try context.author(1))
            context.delete(tag)
            context.delete(friend)
            #expect(!context.hasChanges)
            try context.newAuthor("Horace").name = "Horatius"
        } _: { (context) throws in
            #expect(try context.words(try context.book(1)) == ["war"])
            #expect(try context.objects(\.friends, of: try context.author(1)).map(\.rawID) == [3])
        }
    }

    // A            | B            | store
    // reads        | reads        | 3: sea, war
    // adds love    | removes war  |
    // saves        |              | 3: sea, war, love
    //              | saves        | 3: sea, love
    @Test(
        "join rows that two contexts add and remove are merged without a conflict or a new row version",
        arguments: StoreKind.allCases)
    func merging(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let versions = { try stack.container.coordinator.store.rows(StoreRequest("Book")).map(\.version) }
        let before = try versions()
        let (first, second) = (stack.container.newBackgroundContext(), stack.container.newBackgroundContext())
        try first.performAndWait { context in
            let book = try context.book(3)
            #expect(try context.words(book) == ["sea", "war"])
            try context.add(try context.tag(3), to: \.tags, of: book)
        }
        try second.performAndWait { context in
            let book = try context.book(3)
            #expect(try context.words(book) == ["sea", "war"])
            try context.remove(try context.tag(1), from: \.tags, of: book)
        }
        for context in [first, second] {
            try context.performAndWait { context in _ = try context.save() }
        }
        try stack.background.performAndWait { (context) throws in
            #expect(try context.words(try context.book(3)) == ["sea", "love"])
        }
        #expect(try versions() == before)
    }

    @Test("adding or removing the same join row in two contexts causes no conflict", arguments: StoreKind.allCases)
    func same(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let contexts = [stack.container.newBackgroundContext(), stack.container.newBackgroundContext()]
        for context in contexts {
            try context.performAndWait { context in
                try context.add(try context.book(1), to: \.books, of: try context.tag(3))
                try context.remove(try context.book(1), from: \.books, of: try context.tag(1))
            }
        }
        for context in contexts { try context.performAndWait { context in _ = try context.save() } }
        try stack.background.performAndWait { (context) throws in
            #expect(try context.words(try context.book(1)) == ["love"])
        }
    }

    @Test("a join row that is added from both sides is stored once", arguments: StoreKind.allCases)
    func bothSides(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.container.newBackgroundContext().performAndWait { context in
            let (tag, book) = (try context.newTag("duty"), try context.book(1))
            try context.add(tag, to: \.tags, of: book)
            try context.add(book, to: \.books, of: tag)
            #expect(try context.save().addedPairs.values.map(\.count) == [1])
            #expect(try context.count(\.books, of: tag) == 1)
        }
    }

    @Test("a save reports the join rows that it added and removed", arguments: StoreKind.allCases)
    func saved(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            try context.add(try context.book(1), to: \.books, of: try context.tag(3))
            try context.remove(try context.book(3), from: \.books, of: try context.tag(1))
            #expect(context.hasChanges && context.updatedObjects.isEmpty)
            let saved = try context.save()
            #expect(saved.addedPairs == ["Book_tags": [JoinPair(source: 1, target: 3)]])
            #expect(saved.removedPairs == ["Book_tags": [JoinPair(source: 3, target: 1)]])
            #expect(saved.updated.isEmpty && !context.hasChanges)
        }
    }
}
