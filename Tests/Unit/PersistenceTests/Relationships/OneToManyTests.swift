import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("One-to-many relationships")
struct OneToManyTests {
    @Test("an added object is visible from both sides", arguments: StoreKind.allCases)
    func add(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let pupil = try context.newAuthor("Ovid")
            try context.add(pupil, to: \.pupils, of: try context.author(1))
        } _: { (context) throws in
            let homer = try context.author(1)
            #expect(try context.objects(\.pupils, of: homer).map { $0.name } == ["Virgil", "Ovid"])
            #expect(try context.count(\.pupils, of: homer) == 2)
            #expect(try context.object(\.mentor, of: try context.author(4), as: Author.self) === homer)
        }
    }

    @Test(
        "an object that is moved to a new owner is no longer related to its old owner", arguments: StoreKind.allCases,
        [false, true])
    func move(_ kind: StoreKind, _ byProperty: Bool) throws {
        try TestStack.everywhere(kind) { context in
            let (virgil, sappho) = (try context.author(2), try context.author(3))
            if byProperty { virgil.mentor = sappho.id } else { try context.add(virgil, to: \.pupils, of: sappho) }
        } _: { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).isEmpty)
            #expect(try context.count(\.pupils, of: try context.author(1)) == 0)
            #expect(try context.objects(\.pupils, of: try context.author(3)).map { $0.name } == ["Virgil"])
            let mentor = try context.object(\.mentor, of: try context.author(2), as: Author.self)
            #expect(mentor?.name == "Sappho")
        }
    }

    @Test("a removed object has no owner", arguments: StoreKind.allCases, [false, true])
    func remove(_ kind: StoreKind, _ byProperty: Bool) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, virgil) = (try context.author(1), try context.author(2))
            if byProperty { virgil.mentor = nil } else { try context.remove(virgil, from: \.pupils, of: homer) }
            try context.remove(homer, from: \.pupils, of: virgil)
        } _: { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).isEmpty)
            #expect(try context.author(2).mentor == nil)
            #expect(try context.object(\.mentor, of: try context.author(2), as: Author.self) == nil)
        }
    }

    @Test("setting a one-to-many relationship adds and removes objects as needed", arguments: StoreKind.allCases)
    func set(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, sappho) = (try context.author(1), try context.author(3))
            try context.set([sappho, try context.newAuthor("Ovid")], as: \.pupils, of: homer)
        } _: { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).map { $0.name } == ["Sappho", "Ovid"])
            #expect(try context.author(2).mentor == nil)
        }
    }

    @Test("an object may be its own owner", arguments: StoreKind.allCases)
    func reflexive(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let homer = try context.author(1)
            try context.add(homer, to: \.pupils, of: homer)
        } _: { (context) throws in
            let homer = try context.author(1)
            #expect(try context.objects(\.pupils, of: homer).map(\.rawID) == [1, 2])
            #expect(try context.object(\.mentor, of: homer, as: Author.self) === homer)
        }
    }

    @Test("adding an object to a relationship twice has the effect of adding it once", arguments: StoreKind.allCases)
    func twice(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, virgil) = (try context.author(1), try context.author(2))
            for _ in 1...2 { try context.add(virgil, to: \.pupils, of: homer) }
            #expect(!context.hasChanges, "he was there before")
            let sappho = try context.author(3)
            for _ in 1...2 { try context.add(sappho, to: \.pupils, of: homer) }
        } _: { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).map(\.rawID) == [2, 3])
        }
    }

    @Test(
        "a deletion removes an object from a one-to-many relationship, and a rollback restores it",
        arguments: StoreKind.allCases)
    func deletedAndRolledBack(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, virgil) = (try context.author(1), try context.author(2))
            let ovid = try context.newAuthor("Ovid")
            try context.add(ovid, to: \.pupils, of: homer)
            context.delete(virgil)
            #expect(try context.objects(\.pupils, of: homer).map { $0.name } == ["Ovid"])
            context.delete(ovid)
            #expect(try context.objects(\.pupils, of: homer).isEmpty)
            context.rollback()
            #expect(try context.objects(\.pupils, of: homer).map { $0.name } == ["Virgil"])
            context.delete(homer)
            #expect(try context.object(\.mentor, of: virgil, as: Author.self) == nil)
            #expect(virgil.mentor == nil)
            context.rollback()
            #expect(virgil.mentor == homer.id && !context.hasChanges)
        }
    }

    @Test("deleting a new object also removes the references to it", arguments: StoreKind.allCases)
    func deletedNewOwner(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (ovid, virgil) = (try context.newAuthor("Ovid"), try context.author(2))
            try context.add(virgil, to: \.pupils, of: ovid)
            let contract = try context.insert(Contract.self) { Contract(id: $0, fee: 1, author: ovid.id) }
            context.delete(ovid)
            #expect(try context.object(\.mentor, of: virgil, as: Author.self) == nil)
            #expect(contract.state == .detached, "the rule is to cascade")
            try context.save()
        }
        #expect(try stack.stored(Author.self).map(\.mentor) == [nil, nil, nil])
    }

    @Test(
        "adding a deleted object or adding to a deleted object throws, and removing it has no effect",
        arguments: StoreKind.allCases)
    func missing(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, virgil, sappho) = (try context.author(1), try context.author(2), try context.author(3))
            context.delete(virgil)
            #expect(try persistenceError { try context.add(virgil, to: \.pupils, of: sappho) }.code == .detachedObject)
            #expect(try persistenceError { try context.add(sappho, to: \.pupils, of: virgil) }.code == .detachedObject)
            try context.remove(virgil, from: \.pupils, of: homer)
            #expect(try context.save().deleted == ["Author": [2], "Contract": [1]])
            try context.remove(virgil, from: \.pupils, of: homer)
            #expect(try context.save().isEmpty)
        }
    }

    @Test("a new object with a reused identifier has its own relationships only", arguments: StoreKind.allCases)
    func reinserted(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            context.delete(try context.tag(3))
            context.delete(try context.author(3))
            try context.processPendingChanges()
            let author = try context.insert(Author(id: 3, name: "Anna", mentor: 1))
            let tag = try context.insert(Tag(id: 3, word: "grief"))
            try context.add(tag, to: \.tags, of: try context.book(1))
            try context.add(try context.author(1), to: \.pupils, of: author)
        } _: { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).map { $0.name } == ["Virgil", "Anna"])
            #expect(try context.object(\.mentor, of: try context.author(1), as: Author.self)?.name == "Anna")
            #expect(try context.words(try context.book(1)) == ["war", "grief"])
            #expect(try context.objects(\.friends, of: try context.author(3)).isEmpty, "she is another person")
        }
    }

    @Test(
        "a reference may refer to an unsaved object",
        arguments: StoreKind.allCases)
    func toOne(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let ovid = try context.newAuthor("Ovid")
            let book = try context.newBook("Fasti", by: ovid.id)
            #expect(try context.object(\.author, of: book, as: Author.self) === ovid)
            #expect(try context.object(\.author, of: try context.contract(1), as: Author.self).name == "Virgil")
        } _: { (context) throws in
            #expect(try context.object(\.author, of: try context.book(4), as: Author.self)?.name == "Ovid")
            #expect(try context.titles(try context.author(4)) == ["Fasti"])
        }
    }

    // A                | B               | store
    // reads 2          | reads 2         | 2 is 1's pupil
    // gives 2 to 3     | gives 2 to none |
    // saves            |                 | 2 is 3's pupil
    //                  | saves: conflict | 2 is 3's pupil
    @Test(
        "two contexts that move one object cause a conflict, and the object has one owner afterwards",
        arguments: StoreKind.allCases
    )
    func conflict(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let (first, second) = (stack.container.newBackgroundContext(), stack.container.newBackgroundContext())
        try first.performAndWait { context in
            try context.add(try context.author(2), to: \.pupils, of: try context.author(3))
        }
        try second.performAndWait { context in
            try context.remove(try context.author(2), from: \.pupils, of: try context.author(1))
        }
        try first.performAndWait { context in _ = try context.save() }
        try second.performAndWait { context in
            let error = try persistenceError { try context.save() }
            #expect(error.conflicts.map(\.attributesInConflict) == [["mentor"]])
            try context.save(mergePolicy: .mergeByPropertyStoreTrump)
            #expect(try context.objects(\.pupils, of: try context.author(3)).map(\.rawID) == [2])
        }
        #expect(try stack.stored(Author.self).map(\.mentor) == [nil, 3, nil])
    }

    // A              | B              | store
    // reads 1        |                | Homer has Virgil
    //                | adds Sappho    |
    //                | saves          | Homer has Virgil, Sappho
    // sets to [Ovid] |                |
    // saves          |                | Homer has Sappho, Ovid
    @Test(
        "setting a relationship keeps the objects that another context has added meanwhile",
        arguments: StoreKind.allCases
    )
    func setMeanwhile(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let other = stack.container.newBackgroundContext()
        try stack.background.performAndWait { context in
            try context.set([try context.newAuthor("Ovid")], as: \.pupils, of: try context.author(1))
        }
        try other.performAndWait { context in
            try context.add(try context.author(3), to: \.pupils, of: try context.author(1))
            try context.save()
        }
        try stack.background.performAndWait { context in _ = try context.save() }
        try stack.container.newBackgroundContext().performAndWait { (context) throws in
            #expect(try context.objects(\.pupils, of: try context.author(1)).map { $0.name } == ["Sappho", "Ovid"])
        }
    }
}
