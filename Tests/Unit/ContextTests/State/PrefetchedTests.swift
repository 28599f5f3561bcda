import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import Testing

@testable import StrataPersistence

/// Prefetched relationships of a context.
@Suite("Prefetched relationships")
struct PrefetchedTests {
    /// Operations after books, tags and friends were prefetched, and the relationships that are still known.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let known: [String]
        let happens: @Sendable (inout Prefetched, ManagedObjectModel) throws -> Void
    }

    private static let everything = ["Author.books", "Author.friends", "Book.tags", "Tag.books"]

    static let cases: [Case] = [
        Case(testDescription: "nothing changed", known: everything) { _, _ in },
        Case(testDescription: "books changed", known: ["Author.friends", "Book.tags"]) { prefetched, _ in
            prefetched.forget(destination: "Book")
        },
        Case(testDescription: "contracts changed, which no prefetched relationship refers to", known: everything) {
            prefetched, _ in
            prefetched.forget(destination: "Contract")
        },
        Case(testDescription: "join rows of books and tags changed", known: ["Author.books", "Author.friends"]) {
            prefetched, model in
            prefetched.forget(try model.join(named: "Book_tags"))
        },
        Case(testDescription: "join rows of friends changed", known: ["Author.books", "Book.tags", "Tag.books"]) {
            prefetched, model in
            prefetched.forget(try model.join(named: "Author_friends"))
        },
        Case(testDescription: "a batch ended", known: []) { prefetched, _ in prefetched.forgetLists(holding: []) },
    ]

    @Test("a prefetched relationship is kept until a change of its destination or join rows", arguments: cases)
    func known(_ item: Case) throws {
        let model = try Library.model()
        let (author, book) = (Loose.author(1), Loose.book(1))
        let tag = Loose.object(Tag(id: 1, word: "sea"))
        let owners: [ManagedObject] = [author, book, tag]
        var prefetched = Prefetched()
        for name in Self.everything {
            let parts = name.split(separator: ".").map(String.init)
            let entity = try model.entity(named: parts[0])
            let owner = try #require(owners.first { $0.entityName == parts[0] })
            let relationship = try #require(entity.relationship(named: parts[1]))
            prefetched.keep([1: [author, book]], of: [owner], by: relationship, entity.name)
        }
        try item.happens(&prefetched, model)
        let known = Self.everything.filter { name in
            let parts = name.split(separator: ".").map(String.init)
            return owners.contains { $0.entityName == parts[0] && prefetched.objects(parts[1], of: $0)?.count == 2 }
        }
        #expect(known == item.known)
    }

    @Test("an owner without related objects has an empty prefetched list, and an owner that was not read has nil")
    func nowhere() throws {
        let books = try #require(Author.entity.description.relationship(named: "books"))
        let (first, second, third) = (Loose.author(1), Loose.author(2), Loose.author(3))
        let book = Loose.book(7)
        var prefetched = Prefetched()
        #expect(prefetched.objects("books", of: first) == nil)
        prefetched.keep([1: [book]], of: [first, second], by: books, "Author")
        #expect(prefetched.objects("books", of: first)?.map(\.rawID) == [7])
        #expect(prefetched.objects("books", of: second)?.isEmpty == true)
        #expect(prefetched.objects("books", of: third) == nil)
        // A later read adds to the known objects.
        prefetched.keep([:], of: [third, first], by: books, "Author")
        #expect([first, second, third].map { prefetched.objects("books", of: $0)?.count } == [0, 0, 0])
    }

    @Test("prefetched objects are retained until they are released")
    func held() {
        var prefetched = Prefetched()
        weak var object: ManagedObject?
        do {
            let book = Loose.book(1)
            object = book
            prefetched.hold([book])
        }
        #expect(object != nil && prefetched.objects.count == 1)
        let held = Loose.book(2)
        prefetched.forgetLists(holding: [held])
        #expect(object == nil && prefetched.objects.map(\.rawID) == [2])
    }
}
