import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Both kinds of order: sort keys in the destination's rows, and positions in the join rows.
@Suite("Ordered relationships")
struct OrderedTests {
    @Test("objects are inserted, moved and removed at an index, with sort keys in rows", arguments: StoreKind.allCases)
    func oneToMany(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let homer = try context.author(1)
            let titles = { try context.titles(homer) }
            #expect(try titles() == ["Odyssey", "Iliad"])
            let (hymns, frogs) = (try context.newBook("Hymns"), try context.newBook("Frogs"))
            try context.insert(hymns, at: 0, in: \.books, of: homer)
            try context.insert(frogs, at: 1, in: \.books, of: homer)
            #expect(try titles() == ["Hymns", "Frogs", "Odyssey", "Iliad"])
            try context.insert(try context.newBook("Margites"), at: 99, in: \.books, of: homer)
            try context.move(hymns, to: 2, in: \.books, of: homer)
            #expect(try titles() == ["Frogs", "Odyssey", "Hymns", "Iliad", "Margites"])
            try context.add(try context.book(2), to: \.books, of: homer)
            try context.remove(frogs, from: \.books, of: homer)
            #expect(frogs.author == nil)
            context.delete(frogs)
        } _: { (context) throws in
            #expect(try context.titles(try context.author(1)) == ["Hymns", "Iliad", "Margites", "Odyssey"])
            #expect(try context.count(\.books, of: try context.author(1)) == 4)
        }
    }

    @Test(
        "objects are inserted, moved and removed at an index, with positions in join rows",
        arguments: StoreKind.allCases)
    func manyToMany(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let book = try context.book(3)
            let words = { try context.words(book) }
            #expect(try words() == ["sea", "war"])
            let (duty, fire) = (try context.newTag("duty"), try context.newTag("fire"))
            try context.insert(duty, at: 0, in: \.tags, of: book)
            try context.insert(fire, at: 1, in: \.tags, of: book)
            #expect(try words() == ["duty", "fire", "sea", "war"])
            try context.insert(try context.tag(3), at: 99, in: \.tags, of: book)
            try context.move(duty, to: 2, in: \.tags, of: book)
            #expect(try words() == ["fire", "sea", "duty", "war", "love"])
            try context.add(try context.tag(2), to: \.tags, of: book)
            try context.remove(fire, from: \.tags, of: book)
            context.delete(fire)
        } _: { (context) throws in
            #expect(try context.words(try context.book(3)) == ["duty", "war", "love", "sea"])
            #expect(try context.words(try context.book(2)) == ["sea"])
        }
    }

    @Test(
        "an object can be inserted between two objects, however close their positions are",
        arguments: StoreKind.allCases)
    func between(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, aeneid) = (try context.author(1), try context.book(3))
            let books = try (0..<40).map { try context.newBook("b\($0)") }
            let tags = try (0..<40).map { try context.newTag("t\($0)") }
            try context.set([books[38], books[39]], as: \.books, of: homer)
            try context.set([tags[38], tags[39]], as: \.tags, of: aeneid)
            for number in (0..<38).reversed() {
                try context.insert(books[number], at: 1, in: \.books, of: homer)
                try context.insert(tags[number], at: 1, in: \.tags, of: aeneid)
            }
        } _: { (context) throws in
            let order = [38] + Array(0..<38) + [39]
            #expect(try context.titles(try context.author(1)) == order.map { "b\($0)" })
            #expect(try context.words(try context.book(3)) == order.map { "t\($0)" })
        }
    }

    @Test("setting an ordered relationship stores the given order", arguments: StoreKind.allCases)
    func set(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            let (homer, aeneid) = (try context.author(1), try context.book(3))
            try context.set([1, 3, 2].map { try context.book($0) }, as: \.books, of: homer)
            try context.set([3, 1].map { try context.tag($0) }, as: \.tags, of: aeneid)
        } _: { (context) throws in
            #expect(try context.titles(try context.author(1)) == ["Iliad", "Aeneid", "Odyssey"])
            #expect(try context.titles(try context.author(2)).isEmpty)
            #expect(try context.words(try context.book(3)) == ["love", "war"])
        }
    }

    @Test("an object is inserted between list elements without and with a position", arguments: StoreKind.allCases)
    func withoutPlace(_ kind: StoreKind) throws {
        let stack = try kind.library()
        var changes = ChangeSet()
        changes["Book"].insertions = [
            .init(id: 9, values: [.string("Hymns"), .integer(1), .integer(0), .null]),
            .init(id: 10, values: [.string("Frogs"), .integer(1), .integer(0), .null]),
        ]
        changes.joins["Book_tags", default: .init()].added = [
            .init(.init(source: 9, target: 1)), .init(.init(source: 9, target: 2), sourcePosition: 1024),
            .init(.init(source: 10, target: 3)),
        ]
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        try stack.background.performAndWait { context in
            let (hymns, frogs) = (try context.book(9), try context.book(10))
            try context.insert(try context.tag(3), at: 1, in: \.tags, of: hymns)
            try context.insert(try context.tag(1), at: 1, in: \.tags, of: frogs)
            #expect(try context.words(hymns) == ["war", "love", "sea"])
            #expect(try context.words(frogs) == ["love", "war"])
            try context.save()
        }
        // At the end of a list the other rows are unchanged.
        let places = try stack.container.coordinator.store.joins(JoinRequest("Book_tags", ids: [10]))
        #expect(places.map(\.sourcePosition) == [nil, 1024])
    }

    @Test("setting a relationship to its existing list is no change", arguments: StoreKind.allCases)
    func setSame(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, aeneid, war) = (try context.author(1), try context.book(3), try context.tag(1))
            try context.set(try context.objects(\.books, of: homer), as: \.books, of: homer)
            try context.set(try context.objects(\.tags, of: aeneid), as: \.tags, of: aeneid)
            try context.set(try context.objects(\.books, of: war), as: \.books, of: war)
            #expect(!context.hasChanges)
        }
    }

    @Test(
        "adding an existing object from the unordered side keeps its position", arguments: StoreKind.allCases)
    func addFromOtherSide(_ kind: StoreKind) throws {
        try TestStack.everywhere(kind) { context in
            try context.add(try context.book(3), to: \.books, of: try context.tag(2))
            try context.add(try context.book(3), to: \.books, of: try context.tag(3))
        } _: { (context) throws in
            #expect(try context.words(try context.book(3)) == ["sea", "war", "love"])
        }
    }

    @Test(
        "an index in an unordered relationship is rejected, and so is a negative index", arguments: StoreKind.allCases
    )
    func refused(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, sappho, iliad) = (try context.author(1), try context.author(3), try context.book(1))
            var error = try persistenceError { try context.insert(sappho, at: 0, in: \.pupils, of: homer) }
            #expect(error.code == .invalidRequest)
            #expect("\(error)" == "Author.pupils: the relationship is not ordered and has no positions")
            error = try persistenceError { try context.move(iliad, to: -1, in: \.books, of: homer) }
            #expect("\(error)" == "Author.books: the position is -1, but must be at least 0")
            error = try persistenceError { try context.move(try context.book(3), to: 0, in: \.books, of: homer) }
            #expect(error.code == .objectNotFound)
            #expect("\(error)" == "Author.books: the relationship of 1 does not contain 3")
            #expect(!context.hasChanges)
        }
    }

    // A                | B                | store
    // reads            | reads            | Homer: Odyssey, Iliad
    // adds Hymns       | adds Margites    |
    // saves            | saves            | Homer: Odyssey, Iliad, then both
    @Test("objects that two contexts append at the same time follow the stored objects", arguments: StoreKind.allCases)
    func concurrentAppends(_ kind: StoreKind) throws {
        let stack = try kind.library()
        let contexts = [stack.container.newBackgroundContext(), stack.container.newBackgroundContext()]
        for (context, name) in zip(contexts, ["Hymns", "Margites"]) {
            try context.performAndWait { context in
                try context.add(try context.newBook(name), to: \.books, of: try context.author(1))
                try context.add(try context.newTag(name), to: \.tags, of: try context.book(3))
            }
        }
        for context in contexts { try context.performAndWait { context in _ = try context.save() } }
        try stack.background.performAndWait { context in
            let titles = try context.titles(try context.author(1))
            #expect(titles.prefix(2) == ["Odyssey", "Iliad"] && titles.dropFirst(2).sorted() == ["Hymns", "Margites"])
            let words = try context.words(try context.book(3))
            #expect(words.prefix(2) == ["sea", "war"] && words.dropFirst(2).sorted() == ["Hymns", "Margites"])
            // An object can be inserted between two with the same rank too.
            try context.insert(try context.newBook("Frogs"), at: 3, in: \.books, of: try context.author(1))
            #expect(try context.titles(try context.author(1)) == titles.prefix(3) + ["Frogs"] + titles.suffix(1))
        }
    }

    /// At index 0 the sort keys decrease; in the middle the gaps, each large enough for ten, are used up repeatedly.
    static let places: [(name: String, place: @Sendable (Int) -> Int)] = [
        ("first", { _ in 0 }), ("middle", { $0 / 2 }),
    ]

    @Test(
        "the order stays correct when no gap is left between sort keys of rows", arguments: StoreKind.allCases,
        [0, 1])
    func manyRows(_ kind: StoreKind, _ which: Int) throws {
        let stack = try kind.stack(try Library.model())
        try stack.background.performAndWait { context in
            let homer = try context.newAuthor("Homer")
            var expected: [Int64] = []
            var kept: [ManagedObject] = []
            for number in 0..<100 {
                let (book, place) = (try context.newBook("\(number)"), Self.places[which].place(number))
                try context.insert(book, at: place, in: \.books, of: homer)
                expected.insert(book.rawID, at: place)
                kept.append(book)
            }
            #expect(try context.objects(\.books, of: homer).map(\.rawID) == expected)
            try context.save()
            #expect(try context.objects(\.books, of: homer).map(\.rawID) == expected)
        }
    }

    @Test(
        "the order stays correct when no gap is left between positions of join rows",
        arguments: StoreKind.allCases, [0, 1])
    func manyPairs(_ kind: StoreKind, _ which: Int) throws {
        let stack = try kind.stack(try Library.model())
        try stack.background.performAndWait { context in
            let book = try context.newBook("Homer")
            var expected: [Int64] = []
            for number in 0..<100 {
                let (tag, place) = (try context.newTag("\(number)"), Self.places[which].place(number))
                try context.insert(tag, at: place, in: \.tags, of: book)
                expected.insert(tag.rawID, at: place)
            }
            #expect(try context.objects(\.tags, of: book).map(\.rawID) == expected)
            try context.save()
            #expect(try context.objects(\.tags, of: book).map(\.rawID) == expected)
        }
    }

    @Test(
        "several objects that are added at once follow the existing objects, in both kinds of order",
        arguments: StoreKind.allCases)
    func addedAtOnce(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Library.model())
        try stack.background.performAndWait { context in
            let author = try context.insert(Author.self) { Author(id: $0, name: "Homer") }
            let books = try (1...2000).map { number in
                try context.insert(Book.self) { Book(id: $0, title: "\(number)") }
            }
            try context.add(books[1999], to: \.books, of: author)
            try context.add(Array(books.prefix(1999)), to: \.books, of: author)
            let tags = try ["a", "b", "c"].map { word in try context.insert(Tag.self) { Tag(id: $0, word: word) } }
            try context.add(tags.reversed(), to: \.tags, of: books[0])
            try context.add([books[3], books[2]], to: \.books, of: tags[0])
            try context.save()
            #expect(try context.objects(\.books, of: author).map(\.title).prefix(3) == ["2000", "1", "2"])
            #expect(try context.objects(\.tags, of: books[0]).map(\.word) == ["c", "b", "a"])
            #expect(try context.objects(\.books, of: tags[0]).map(\.title) == ["1", "3", "4"])
        }
    }
}
