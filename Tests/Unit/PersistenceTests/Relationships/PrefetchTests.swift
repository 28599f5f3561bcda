import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

@Suite("Prefetching")
struct PrefetchTests {
    private static let authors = 40

    /// Returns a stack with forty authors, each the pupil of the one before, with two books of two tags each.
    private func stack(_ kind: StoreKind = .sqlite) throws -> TestStack {
        let stack = try kind.stack(try Library.model())
        try stack.background.performAndWait { context in
            let tags = try ["war", "sea"].map { try context.newTag($0) }
            for number in 1...Self.authors {
                let author = try context.newAuthor("A\(number)")
                author.mentor = number > 1 ? LibraryID(rawValue: Int64(number) - 1) : nil
                for _ in 1...2 {
                    let book = try context.newBook("B", by: author.id)
                    for tag in tags { try context.add(tag, to: \.tags, of: book) }
                }
                try context.insert(Contract.self) { Contract(id: $0, fee: number, author: author.id) }
            }
            try context.save()
        }
        return stack
    }

    private func runs<Result>(
        _ stack: TestStack, _ body: () throws -> Result
    ) throws -> (result: Result, runs: Int) {
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        let before = try store.pool.withConnection(\.counts).runs
        let result = try body()
        return (result, try store.pool.withConnection(\.counts).runs - before)
    }

    @Test("prefetching a reference of many objects runs one statement, and following it runs none")
    func toOne() throws {
        let stack = try stack()
        try stack.background.performAndWait { context in
            let request = FetchRequest<Book>(prefetching: [.toOne(\.author)])
            let (books, reading) = try runs(stack) { try context.fetch(request) }
            #expect(reading == 2)
            let (_, names) = try runs(stack) { () throws in
                for book in books { #expect(try context.object(\.author, of: book, as: Author.self) != nil) }
            }
            #expect(names == 0 && books.count == 2 * Self.authors)
        }
    }

    @Test("prefetching runs one statement for a to-many relationship and two for a many-to-many relationship")
    func toMany() throws {
        let stack = try stack()
        try stack.background.performAndWait { context in
            let request = FetchRequest<Author>(prefetching: [.toMany(\.books), .toOne(\.contract), .toMany(\.pupils)])
            let (authors, reading) = try runs(stack) { try context.fetch(request) }
            #expect(reading == 4)
            let (_, asking) = try runs(stack) { () throws in
                for author in authors {
                    #expect(try context.objects(\.books, of: author).count == 2)
                    #expect(try context.count(\.books, of: author) == 2)
                    #expect(try context.object(\.contract, of: author)?.author == author.id)
                    #expect(try context.count(\.pupils, of: author) == (author === authors.last ? 0 : 1))
                }
            }
            #expect(asking == 0)
            let tagged = FetchRequest<Book>(prefetching: [.toMany(\.tags)])
            let (books, readingPairs) = try runs(stack) { try context.fetch(tagged) }
            #expect(readingPairs == 3)
            let (_, tags) = try runs(stack) { () throws in
                for book in books { #expect(try context.objects(\.tags, of: book).map { $0.word } == ["war", "sea"]) }
            }
            #expect(tags == 0)
        }
    }

    @Test(
        "a prefetched list is read again after a newer row of the list was read",
        arguments: StoreKind.allCases, [false, true])
    func newer(_ kind: StoreKind, _ isChild: Bool) throws {
        let stack = try stack(kind)
        let store = stack.container.coordinator.store
        let parent = stack.container.newBackgroundContext()
        try (isChild ? parent.newChildContext() : parent).performAndWait { context in
            let authors = try context.fetch(FetchRequest<Author>(prefetching: [.toMany(\.books)]))
            // Another process makes this change, and no context is notified.
            var row = try #require(try store.rows(StoreRequest("Book")).first)
            let column = try #require(try store.model.entity(named: "Book").columnIndex("author"))
            row.values[column] = .integer(authors[1].rawID)
            var changes = ChangeSet()
            changes["Book"].updates = [
                .init(id: row.id, expectedVersion: row.version, values: row.values, changedColumns: [column])
            ]
            #expect(try store.save(changes).isEmpty)
            func counts() throws -> [Int] { try authors.prefix(2).map { try context.objects(\.books, of: $0).count } }
            #expect(try counts() == [2, 2])
            _ = try context.fetch(FetchRequest<Book>(limit: 1))
            #expect(try counts() == [1, 3])
        }
    }

    @Test("prefetching in a child context includes its parent's changes and needs no more statements")
    func child() throws {
        let stack = try stack()
        let parent = stack.container.newBackgroundContext(name: "parent")
        try parent.performAndWait { try $0.book(2).author = 3 }
        try parent.newChildContext().performAndWait { context in
            let request = FetchRequest<Author>(prefetching: [.toMany(\.books), .toOne(\.mentor)])
            let (authors, reading) = try runs(stack) { try context.fetch(request) }
            let (counts, asking) = try runs(stack) {
                try authors.prefix(3).map { try context.objects(\.books, of: $0).count }
            }
            #expect(counts == [1, 2, 3] && reading <= 3 && asking == 0)
        }
    }

    @Test("without prefetching, reading or counting a relationship runs one statement for each object")
    func without() throws {
        let stack = try stack()
        try stack.background.performAndWait { context in
            let authors = try context.fetch(FetchRequest<Author>())
            let (_, asking) = try runs(stack) { for author in authors { _ = try context.objects(\.books, of: author) } }
            #expect(asking == Self.authors)
            let (_, counting) = try runs(stack) { for author in authors { _ = try context.count(\.books, of: author) } }
            #expect(counting == Self.authors, "a count is one statement, and makes no object")
        }
    }

    @Test("a fetch in batches prefetches the relationships of each batch separately")
    func batches() throws {
        let stack = try stack()
        try stack.background.performAndWait { context in
            let request = FetchRequest<Author>(prefetching: [.toMany(\.books)])
            var batches = 0
            let (_, count) = try runs(stack) { () throws in
                try context.fetch(request, inBatchesOf: 10) { (authors) throws in
                    batches += 1
                    for author in authors { #expect(try context.objects(\.books, of: author).count == 2) }
                    #expect(context.registeredObjects.count <= 30, "ten authors and their books")
                }
            }
            #expect(batches == 4 && count == 1 + 4 * 2, "the identifiers, and two for each batch")
        }
    }

    @Test("prefetching a key path that is not a relationship throws", arguments: StoreKind.allCases)
    func unknown(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let request = FetchRequest<Author>(prefetching: [.toOne(\.name)])
        try stack.background.performAndWait { context in
            for error in [
                try persistenceError { _ = try context.fetch(request) },
                try persistenceError { try context.fetch(request, inBatchesOf: 3) { _ in } },
            ] {
                #expect(error.code == .invalidRequest && error.entity == "Author")
                #expect(error.message.hasSuffix("is not a relationship that can be prefetched"))
            }
        }
    }

    /// A change to an author's books between prefetching and reading them.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let titles: [String]
        let change: @Sendable (ConfinedContext, TestStack) throws -> Void
    }

    static let changes: [Change] = [
        Change(testDescription: "an object moves to another owner", titles: ["Iliad"]) { context, _ in
            try context.book(2).author = 2
        },
        Change(testDescription: "an object is added", titles: ["Odyssey", "Iliad", "Aeneid"]) { context, _ in
            try context.add(try context.book(3), to: \.books, of: try context.author(1))
        },
        Change(testDescription: "an object is inserted", titles: ["Hymns", "Odyssey", "Iliad"]) { context, _ in
            try context.insert(Book(id: 9, title: "Hymns", rank: -1, author: 1))
        },
        Change(testDescription: "an object is deleted", titles: ["Iliad"]) { context, _ in
            try context.delete(2, of: Book.self)
        },
        Change(testDescription: "the order of the objects changes", titles: ["Iliad", "Odyssey"]) { context, _ in
            try context.move(try context.book(1), to: 0, in: \.books, of: try context.author(1))
        },
        Change(testDescription: "the owner is deleted", titles: []) { context, _ in
            try context.delete(1, of: Author.self)
        },
        Change(testDescription: "a change is rolled back", titles: ["Odyssey", "Iliad"]) { context, _ in
            try context.book(2).author = 2
            _ = try context.objects(\.books, of: try context.author(1))
            context.rollback()
        },
        Change(testDescription: "a fetch reads another context's save", titles: ["Iliad"]) { context, stack in
            try stack.container.newBackgroundContext().performAndWait { other in
                try other.book(2).author = nil
                try other.save()
            }
            _ = try context.fetch(FetchRequest<Book>())
        },
        Change(testDescription: "a refresh reads another context's save", titles: ["Iliad"]) { context, stack in
            try stack.container.newBackgroundContext().performAndWait { other in
                try other.book(2).author = nil
                try other.save()
            }
            try context.refreshAllObjects()
        },
        Change(testDescription: "two contexts save one after the other", titles: ["Iliad"]) { context, stack in
            try stack.container.newBackgroundContext().performAndWait { other in
                try other.book(2).author = nil
                try other.save()
            }
            try context.author(3).name += "!"
            try context.save()
        },
    ]

    @Test("a prefetched relationship reflects later changes", arguments: StoreKind.allCases, changes)
    func change(_ kind: StoreKind, _ item: Change) throws {
        let stack = try kind.library()
        // Only the main context may wait for another context.
        try stack.container.mainContext.performAndWait { context in
            let request = FetchRequest<Author>(
                where: #Predicate { $0.name == "Homer" }, prefetching: [.toMany(\.books)])
            let homer = try #require(try context.fetch(request).first)
            try item.change(context, stack)
            #expect(try context.titles(homer) == item.titles)
            #expect(try context.count(\.books, of: homer) == item.titles.count)
        }
    }

    @Test(
        "a deleted object has no related objects although they were prefetched", arguments: StoreKind.allCases,
        [false, true])
    func deletedOwner(_ kind: StoreKind, _ isSaved: Bool) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let book = try #require(try context.fetch(FetchRequest<Book>(prefetching: [.toMany(\.tags)])).last)
            #expect(try context.words(book) == ["sea", "war"])
            context.delete(book)
            if isSaved { try context.save() }
            #expect(try context.words(book) == [] && context.count(\.tags, of: book) == 0)
            if isSaved { return }
            context.rollback()
            #expect(try context.words(book) == ["sea", "war"])
        }
    }

    @Test(
        "a new object with a reused identifier does not have the prefetched objects of the old object",
        arguments: StoreKind.allCases
    )
    func reusedIdentifier(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let book = try #require(try context.fetch(FetchRequest<Book>(prefetching: [.toMany(\.tags)])).last)
            context.delete(book)
            let new = try context.insert(Book(id: book.id, title: "Aeneid, again"))
            #expect(try context.words(new) == [] && context.count(\.tags, of: new) == 0)
        }
    }

    @Test("a prefetched many-to-many relationship reflects later changes of join rows", arguments: StoreKind.allCases)
    func pair(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let books = try context.fetch(FetchRequest<Book>(prefetching: [.toMany(\.tags)]))
            try context.remove(books[2], from: \.books, of: try context.tag(1))
            #expect(try context.words(books[2]) == ["sea"])
            _ = try context.fetch(FetchRequest<Book>(prefetching: [.toMany(\.tags)]))
            context.delete(try context.tag(2))
            #expect(try context.words(books[2]) == [])
        }
    }
}
