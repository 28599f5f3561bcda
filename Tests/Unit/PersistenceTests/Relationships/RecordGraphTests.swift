import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// Records that are read together with their related records.
@Suite("Records with their relationships")
struct RecordGraphTests {
    private static func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Library.model())
        try Library.fill(stack.container.coordinator.store)
        return stack
    }

    @Test(
        "a record graph contains the related records of every relationship kind, including nested ones",
        arguments: StoreKind.everyKind)
    func typed(_ kind: StoreKind) async throws {
        let stack = try Self.stack(kind)
        let records: any RecordContext = stack.background
        let request = FetchRequest<Author>(
            prefetching: [
                .toOne(\.mentor, to: Author.self, [.toMany(\.books)]), .toOne(\.contract),
                .toMany(\.books, [.toMany(\.tags)]), .toMany(\.friends),
            ])
        let graph = try await records.fetchGraph(request)
        #expect(graph.records.map(\.name) == ["Homer", "Virgil", "Sappho"])
        for author in graph.records {
            let expected = try await records.transaction { (unit) throws in
                (
                    books: try unit.related(\.books, of: Author.self, id: author.id),
                    friends: try unit.related(\.friends, of: Author.self, id: author.id),
                    contract: try unit.related(\.contract, of: Author.self, id: author.id),
                    mentor: try author.mentor.flatMap { try unit.find(Author.self, id: $0) }
                )
            }
            #expect(try graph.related(\.books, of: author) == expected.books)
            #expect(try graph.related(\.friends, of: author) == expected.friends)
            #expect(try graph.related(\.contract, of: author) == expected.contract)
            #expect(try graph.related(\.mentor, as: Author.self, of: author) == expected.mentor)
            for book in expected.books {
                let tags = try await records.transaction { try $0.related(\.tags, of: Book.self, id: book.id) }
                #expect(try graph.related(\.tags, of: book) == tags)
            }
        }
        let unnamed = #expect(throws: PersistenceError.self) {
            try graph.related(\.pupils, of: try #require(graph.records.first))
        }
        #expect(unnamed?.code == .invalidRequest && unnamed?.attribute == "pupils")
        // Only the books of mentors are read.
        let nested = try await records.fetchGraph(
            FetchRequest<Author>(prefetching: [.toOne(\.mentor, to: Author.self, [.toMany(\.books)])]))
        #expect(try nested.related(\.books, of: nested.records[0]).count == 2)
        let unread = #expect(throws: PersistenceError.self) { try nested.related(\.books, of: nested.records[1]) }
        #expect(unread?.code == .invalidRequest && unread?.id == 2)
    }

    @Test("a record graph contains the unsaved changes of the unit of work", arguments: StoreKind.everyKind)
    func pending(_ kind: StoreKind) async throws {
        let stack = try Self.stack(kind)
        let records: any RecordContext = stack.background
        try await records.transaction { unit in
            let new = try unit.insert(Book.self) {
                Book(id: $0, title: "New", rank: 9, author: LibraryID(unchecked: 3))
            }
            try unit.update(Author.self, id: LibraryID(unchecked: 1)) { $0.name = "Other" }
            let graph = try unit.fetchGraph(FetchRequest<Author>(prefetching: [.toMany(\.books)]))
            let sappho = try #require(graph.records.last)
            #expect(graph.records.first?.name == "Other")
            #expect(try graph.related(\.books, of: sappho) == [new])
        }
    }

    @Test("untyped records are read with their relationships", arguments: StoreKind.everyKind)
    func untyped(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(try Library.model().entities))
        try Library.fill(stack.container.coordinator.store)
        let records: any RecordContext = stack.background
        let author = try stack.container.model.dynamicEntity("Author")
        let graph = try await records.fetchGraph(
            FetchRequest(author, prefetching: [.relationship("books", ["tags"]), .relationship("mentor")]))
        let homer = try #require(graph.records.first)
        let books = try graph.related("books", of: homer)
        #expect(try books.map { try $0.value("title", as: String.self) } == ["Odyssey", "Iliad"])
        let iliad = try #require(books.last)
        let book = try stack.container.model.dynamicEntity("Book")
        let tags = try await records.transaction { try $0.related(book.toMany("tags"), of: book, id: iliad.id) }
        #expect(try graph.related("tags", of: iliad).map(\.id) == tags.map(\.id))
        #expect(try graph.related("mentor", of: homer).isEmpty)
        let unknown = await #expect(throws: PersistenceError.self) {
            try await records.fetchGraph(FetchRequest(author, prefetching: [.relationship("boks")]))
        }
        #expect(unknown?.code == .invalidRequest)
        let noRecord = RecordFilter<DynamicRecord>.condition(.constant(false))
        let nested = await #expect(throws: PersistenceError.self) {
            try await records.fetchGraph(
                FetchRequest(author, noRecord, prefetching: [.relationship("books", ["tgas"])]))
        }
        #expect(nested?.code == .invalidRequest)
    }

    @Test("reading a record graph runs a fixed number of statements for any number of records")
    func statements() async throws {
        let stack = try StoreKind.sqlite.stack(try Library.model())
        try await stack.background.performTransaction { context in
            for number in 1...50 {
                let author = try context.insert(Author.self) { Author(id: $0, name: "A\(number)") }
                let book = try context.insert(Book.self) { Book(id: $0, title: "B", author: author.id) }
                let tag = try context.insert(Tag.self) { Tag(id: $0, word: "t\(number)") }
                try context.add(tag, to: \.tags, of: book)
            }
        }
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        let before = try store.pool.withConnection(\.counts).runs
        let records: any RecordContext = stack.background
        let graph = try await records.fetchGraph(
            FetchRequest<Book>(
                prefetching: [.toOne(\.author, to: Author.self, [.toOne(\.mentor)]), .toMany(\.tags)]))
        let runs = try store.pool.withConnection(\.counts).runs - before
        #expect(graph.records.count == 50)
        // No author has a mentor, so that no statement reads mentors.
        #expect(runs == 4)
    }

    @Test("a record graph can be empty, and a test double can return one", arguments: StoreKind.allCases)
    func empty(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try Library.model())
        let records: any RecordContext = stack.background
        #expect(try await records.fetchGraph(FetchRequest<Author>(prefetching: [.toMany(\.books)])).records.isEmpty)
        let placeholder = try InMemoryRecords(
            try Library.model(),
            [Author(id: LibraryID(unchecked: 1), name: "a"), Tag(id: LibraryID(unchecked: 1), word: "w")])
        let graph = try await placeholder.fetchGraph(FetchRequest<Author>(prefetching: [.toMany(\.books)]))
        #expect(try graph.related(\.books, of: try #require(graph.records.first)).isEmpty)
    }

    // MARK: Lists

    @Test("a unit of work can set a relationship and insert records at an index", arguments: StoreKind.everyKind)
    func lists(_ kind: StoreKind) async throws {
        let stack = try Self.stack(kind)
        let records: any RecordContext = stack.background
        let book = LibraryID(unchecked: 3)
        func id(_ number: Int64) -> LibraryID { LibraryID(unchecked: number) }
        func tags() async throws -> [Int64] {
            try await records.transaction { try $0.related(\.tags, of: Book.self, id: book) }.map(\.id.rawValue)
        }
        for wanted in [[2, 3, 1], [1], [], [3, 2], [2, 3]] as [[Int64]] {
            let ids = wanted.map(LibraryID.init(unchecked:))
            try await records.transaction { try $0.set(ids, as: \.tags, of: Book.self, id: book) }
            #expect(try await tags() == wanted)
        }
        try await records.transaction {
            try $0.insert(LibraryID(unchecked: 1), at: 1, in: \.tags, of: Book.self, id: book)
        }
        #expect(try await tags() == [2, 1, 3])
        try await records.transaction {
            try $0.insert(LibraryID(unchecked: 3), at: 0, in: \.tags, of: Book.self, id: book)
        }
        #expect(try await tags() == [3, 2, 1])
        try await records.transaction {
            try $0.insert(LibraryID(unchecked: 3), at: 9, in: \.tags, of: Book.self, id: book)
        }
        #expect(try await tags() == [2, 1, 3])
        try await records.transaction { (unit) throws in
            #expect(throws: PersistenceError.self) {
                try unit.insert(LibraryID(unchecked: 1), at: -1, in: \.tags, of: Book.self, id: book)
            }
        }
        #expect(try await tags() == [2, 1, 3])
        let twice = await #expect(throws: PersistenceError.self) {
            try await records.transaction {
                try $0.set([LibraryID(unchecked: 1), LibraryID(unchecked: 1)], as: \.tags, of: Book.self, id: book)
            }
        }
        #expect(twice?.code == .invalidRequest)
        let missing = await #expect(throws: PersistenceError.self) {
            try await records.transaction {
                try $0.set([LibraryID(unchecked: 77)], as: \.tags, of: Book.self, id: book)
            }
        }
        #expect(missing?.code == .objectNotFound)
        #expect(try await tags() == [2, 1, 3])
        // In a one-to-many relationship, the books leave their owners.
        try await records.transaction {
            try $0.set(
                [LibraryID(unchecked: 3), LibraryID(unchecked: 1)], as: \.books, of: Author.self,
                id: LibraryID(unchecked: 3))
        }
        let books = try await records.fetch(FetchRequest<Book>())
        #expect(books.map(\.author?.rawValue) == [3, 1, 3])
    }

    @Test("one bulk write inserts records of several entities", arguments: StoreKind.everyKind)
    func bulkWrite(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Library.model())
        let books = (1...3).map { Book(id: LibraryID(unchecked: $0), title: "b\($0)", author: LibraryID(unchecked: 1)) }
        let counts = try stack.container.batchWrite { writer in
            try writer.insert(books)
            try writer.insert([Author(id: LibraryID(unchecked: 1), name: "a")])
        }
        #expect(counts.mapValues(\.inserted) == ["Book": 3, "Author": 1])
        let error = #expect(throws: PersistenceError.self) {
            try stack.container.batchWrite { writer in
                try writer.insert([Tag(id: LibraryID(unchecked: 1), word: "w")])
                try writer.insert([Contract(id: LibraryID(unchecked: 1), fee: 1, author: LibraryID(unchecked: 9))])
            }
        }
        #expect(error?.code == .danglingReference && error?.entity == "Contract")
        #expect(try stack.container.coordinator.store.count(StoreRequest("Tag")) == 0)
    }
}
