import Foundation
import StrataPersistence
import StrataTesting

/// A small model with every kind of relationship, typed.
enum Library {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Author.self, Book.self, Tag.self, Contract.self])
    }
}

struct LibraryID: RecordIdentifier {
    let rawValue: Int64

    init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// For numbers that stand in a test.
    init(unchecked: Int64) { rawValue = unchecked }
}

struct Author: PersistentRecord, Hashable {
    let id: LibraryID
    var name: String
    var mentor: LibraryID?

    static let books = ToMany<Author, Book>("books", to: "Book", inverse: "author", orderedBy: "rank")
    static let pupils = ToMany<Author, Author>("pupils", to: "Author", inverse: "mentor")
    static let friends = ToMany<Author, Author>("friends", to: "Author", inverse: "friends")
    static let contract = ToOne<Author, Contract>("contract", to: "Contract", inverse: "author", deleteRule: .cascade)

    static let entity = RecordEntity<Author>(
        "Author", id: \.id, rawID: \LibraryID.rawValue,
        [
            .attribute("name", \.name, isIndexed: true),
            .toOne("mentor", \.mentor, to: "Author", inverse: "pupils"),
            .relationship(books), .relationship(pupils), .relationship(friends), .relationship(contract),
        ]
    ) { row in Author(id: try row.id(), name: try row.next(), mentor: try row.next()) }
}

struct Book: PersistentRecord, Hashable {
    let id: LibraryID
    var title: String
    var pages: Int = 100
    var rank: Int = 0
    var author: LibraryID?

    static let tags = ToMany<Book, Tag>("tags", to: "Tag", inverse: "books", isOrdered: true)

    static let entity = RecordEntity<Book>(
        "Book", id: \.id, rawID: \LibraryID.rawValue,
        [
            .attribute("title", \.title), .attribute("pages", \.pages), .attribute("rank", \.rank),
            .toOne("author", \.author, to: "Author", inverse: "books"), .relationship(tags),
        ]
    ) { row in
        Book(
            id: try row.id(), title: try row.next(), pages: try row.next(), rank: try row.next(), author: try row.next()
        )
    }
}

struct Tag: PersistentRecord, Hashable {
    let id: LibraryID
    var word: String

    static let books = ToMany<Tag, Book>("books", to: "Book", inverse: "tags")

    static let entity = RecordEntity<Tag>(
        "Tag", id: \.id, rawID: \LibraryID.rawValue, [.attribute("word", \.word), .relationship(books)]
    ) { row in Tag(id: try row.id(), word: try row.next()) }
}

struct Contract: PersistentRecord, Hashable {
    let id: LibraryID
    var fee: Int
    var author: LibraryID

    static let entity = RecordEntity<Contract>(
        "Contract", id: \.id, rawID: \LibraryID.rawValue,
        [.attribute("fee", \.fee), .toOne("author", \.author, to: "Author", inverse: "contract", deleteRule: .deny)]
    ) { row in Contract(id: try row.id(), fee: try row.next(), author: try row.next()) }
}

extension Library {
    /// Homer (1) with two books, his pupil Virgil (2) with one, Sappho (3), a friend of Homer's, with none; Virgil has a contract.
    static func fill(_ store: any PersistentStore) throws {
        func insertion<Record: PersistentRecord>(_ record: Record) throws -> ChangeSet.Insertion {
            let row = try Record.entity.row(of: record)
            return .init(id: row.id, values: row.values)
        }
        func id(_ number: Int64) -> LibraryID? { LibraryID(rawValue: number) }
        guard let one = id(1), let two = id(2), let three = id(3) else { return }
        var changes = ChangeSet()
        changes["Author"].insertions = [
            try insertion(Author(id: one, name: "Homer")),
            try insertion(Author(id: two, name: "Virgil", mentor: one)),
            try insertion(Author(id: three, name: "Sappho")),
        ]
        changes["Book"].insertions = [
            try insertion(Book(id: one, title: "Iliad", pages: 700, rank: 1, author: one)),
            try insertion(Book(id: two, title: "Odyssey", pages: 500, rank: 0, author: one)),
            try insertion(Book(id: three, title: "Aeneid", pages: 400, author: two)),
        ]
        changes["Tag"].insertions = [
            try insertion(Tag(id: one, word: "war")), try insertion(Tag(id: two, word: "sea")),
            try insertion(Tag(id: three, word: "love")),
        ]
        changes["Contract"].insertions = [try insertion(Contract(id: one, fee: 10, author: two))]
        changes.joins["Book_tags", default: .init()].added = [
            .init(.init(source: 1, target: 1), sourcePosition: 0),
            .init(.init(source: 2, target: 2), sourcePosition: 0),
            .init(.init(source: 3, target: 1), sourcePosition: 1),
            .init(.init(source: 3, target: 2), sourcePosition: 0),
        ]
        changes.joins["Author_friends", default: .init()].added = [.init(.init(source: 3, target: 1))]
        _ = try store.save(changes)
    }
}
