import Foundation
import PersistenceTestSupport
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Objects that are appended to an ordered relationship, without reading the others.
@Suite("Appending to ordered relationships")
struct OrderedAppendTests {
    struct Refusal: Error {}

    @Test(
        "an added object is the last of its ordered list after any earlier changes",
        arguments: StoreKind.allCases, Seeds.first(2, of: UInt64(1)...40))
    func last(_ kind: StoreKind, seed: UInt64) async throws {
        let stack = try kind.stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        try await stack.background.perform { context in
            var random = SeededGenerator(seed: seed)
            var books = try context.fetch(FetchRequest<Book>())
            let authors = try context.fetch(FetchRequest<Author>())
            for step in 1...120 {
                try Self.step(context, &books, authors, &random)
                let author = try #require(authors.randomElement(using: &random))
                let book =
                    Bool.random(using: &random)
                    ? try context.insert(Book.self) { Book(id: $0, title: "\(seed) \(step)") }
                    : try #require(
                        books.filter { $0.state != .deleted && $0.state != .detached }.randomElement(using: &random))
                if book.state == .inserted, !books.contains(where: { $0 === book }) { books.append(book) }
                try context.add(book, to: \.books, of: author)
                let list = try context.objects(\.books, of: author)
                #expect(list.last === book, "seed \(seed), step \(step)")
            }
        }
    }

    /// Makes one change of another kind.
    private static func step(
        _ context: ConfinedContext, _ books: inout [Managed<Book>], _ authors: [Managed<Author>],
        _ random: inout SeededGenerator
    ) throws {
        books.removeAll { $0.state == .detached || $0.state == .deleted }
        guard let book = books.randomElement(using: &random), let author = authors.randomElement(using: &random)
        else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: book.rank = Int.random(in: -5000...500_000, using: &random)
        case 1: book.author = author.id
        case 2: context.delete(book)
        case 3: try context.insert(book, at: Int.random(in: 0...3, using: &random), in: \.books, of: author)
        case 4: try context.save()
        case 5: context.rollback()
        case 6: try book.state == .inserted ? () : context.refresh(book, mergeChanges: Bool.random(using: &random))
        case 7:
            let rank = Int.random(in: 0...900_000, using: &random)
            try context.insert(Book.self) { Book(id: $0, title: "ranked", rank: rank, author: author.id) }
        case 8:
            try context.save()
            try? context.transaction { context in
                try context.add(book, to: \.books, of: author)
                try context.transaction { _ in book.rank = Int.random(in: 0...900_000, using: &random) }
                throw Refusal()
            }
        default:
            try context.save()
            var values = book.currentRow().values
            values[2] = .integer(Int64.random(in: 0...900_000, using: &random))
            var changes = ChangeSet()
            changes["Book"].updates = [
                .init(id: book.rawID, expectedVersion: book.version, values: values, changedColumns: [2])
            ]
            #expect(try context.coordinator.store.save(changes).isEmpty)
            try context.refreshAllObjects()
        }
    }

    // A                        | B                             | store
    // adds Hymns               | adds Epigrams, with rank 9000 |
    //                          | saves                         | ..., Epigrams
    // saves                    |                               | ..., Hymns, Epigrams
    // adds Margites            |                               | ..., Hymns, Epigrams, Margites
    @Test(
        "an append after a save follows the objects that other writers have appended", arguments: StoreKind.allCases)
    func saved(_ kind: StoreKind) throws {
        let stack = try kind.library()
        // Only the main context may wait for another context.
        try stack.container.mainContext.performAndWait { context in
            let homer = try context.author(1)
            try context.add(try context.newBook("Hymns"), to: \.books, of: homer)
            try stack.background.performAndWait { other in
                let book = try other.newBook("Epigrams", by: 1)
                book.rank = 9000
                try other.save()
            }
            try context.save()
            try context.add(try context.newBook("Margites"), to: \.books, of: homer)
            #expect(try context.titles(homer) == ["Odyssey", "Iliad", "Hymns", "Epigrams", "Margites"])
        }
    }

    // mine                     | store
    // adds Hymns               | Odyssey 0, Iliad 1
    //                          | Odyssey 0, Iliad 9000
    // reads Iliad again        |
    // adds Margites            | Odyssey, Hymns, Iliad, Margites
    @Test(
        "an append reads the end of the list again after newer rows of the list were read",
        arguments: StoreKind.allCases,
        [false, true])
    func readAgain(_ kind: StoreKind, _ isRefreshed: Bool) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            let (homer, iliad) = (try context.author(1), try context.book(1))
            try context.add(try context.newBook("Hymns"), to: \.books, of: homer)
            var values = iliad.currentRow().values
            values[2] = .integer(9000)
            var changes = ChangeSet()
            changes["Book"].updates = [
                .init(id: iliad.rawID, expectedVersion: iliad.version, values: values, changedColumns: [2])
            ]
            #expect(try context.coordinator.store.save(changes).isEmpty)
            if isRefreshed { try context.refreshAllObjects() } else { _ = try context.fetch(FetchRequest<Book>()) }
            #expect(iliad.rank == 9000)
            try context.add(try context.newBook("Margites"), to: \.books, of: homer)
            #expect(try context.titles(homer) == ["Odyssey", "Hymns", "Iliad", "Margites"])
        }
    }

    @Test("adding many objects at once runs the same number of statements as adding two")
    func atOnce() throws {
        let stack = try StoreKind.sqlite.library()
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        try stack.background.performAndWait { context in
            let homer = try context.author(1)
            func questions(_ count: Int) throws -> Int {
                let books = try (1...count).map { try context.newBook("\($0)") }
                let before = try store.pool.withConnection(\.counts).runs
                try context.add(books, to: \.books, of: homer)
                return try store.pool.withConnection(\.counts).runs - before
            }
            #expect(try questions(2) == questions(200))
        }
    }

    @Test("adding a thousand objects one by one runs at most three statements")
    func questions() throws {
        let stack = try StoreKind.sqlite.stack(try Library.model())
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        let author = try stack.background.performTransactionAndWait { context in
            let author = try context.insert(Author.self) { Author(id: $0, name: "Balzac") }
            for number in 1...1000 {
                try context.insert(Book.self) {
                    Book(id: $0, title: "\(number)", rank: number * 1024, author: author.id)
                }
            }
            return author.id
        }
        try stack.background.performTransactionAndWait { context in
            let author = try context.existingObject(with: author, of: Author.self)
            let before = try store.pool.withConnection(\.counts)
            for number in 1...1000 {
                let book = try context.insert(Book.self) { Book(id: $0, title: "new \(number)") }
                try context.add(book, to: \.books, of: author)
                #expect(book.rank == (1000 + number) * 1024)
            }
            // Two more statements test if identifiers of a partly used block are free.
            #expect(try store.pool.withConnection(\.counts).runs - before.runs <= 3)
        }
        let request = StoreRequest(
            "Book", where: .compare(.property("author"), .equal, .constant(.integer(author.rawValue))),
            sort: [.init("rank", descending: true), .init("id", descending: true)], limit: 1)
        #expect(try store.queryPlan(request) == "SEARCH Book USING INDEX Book_author (author=?)")
    }
}
