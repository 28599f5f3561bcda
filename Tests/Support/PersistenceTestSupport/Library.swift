import Foundation
package import StrataPersistence
package import StrataStoreKit
import StrataTesting

/// A small model with every kind of relationship, typed.
package enum Library {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Author.self, Book.self, Tag.self, Contract.self])
    }
}

package struct LibraryID: RecordIdentifier {
    package let rawValue: Int64

    package init?(rawValue: Int64) {
        guard identifierRange.contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates an identifier from a literal number in a test.
    package init(unchecked: Int64) { rawValue = unchecked }
}

package struct Author: PersistentRecord, Hashable {
    package let id: LibraryID
    package var name: String
    package var mentor: LibraryID?

    package init(id: LibraryID, name: String, mentor: LibraryID? = nil) {
        self.id = id
        self.name = name
        self.mentor = mentor
    }

    package static let books = ToMany<Author, Book>("books", to: "Book", inverse: "author", orderedBy: "rank")
    package static let pupils = ToMany<Author, Author>("pupils", to: "Author", inverse: "mentor")
    package static let friends = ToMany<Author, Author>("friends", to: "Author", inverse: "friends")
    package static let contract = ToOne<Author, Contract>(
        "contract", to: "Contract", inverse: "author", deleteRule: .cascade)

    package static let entity = RecordEntity<Author>(
        "Author", id: \.id, rawID: \LibraryID.rawValue,
        [
            .attribute("name", \.name, isIndexed: true),
            .toOne("mentor", \.mentor, to: "Author", inverse: "pupils"),
            .relationship(books), .relationship(pupils), .relationship(friends), .relationship(contract),
        ]
    ) { row in Author(id: try row.id(), name: try row.next(), mentor: try row.next()) }
}

package struct Book: PersistentRecord, Hashable {
    package let id: LibraryID
    package var title: String
    package var pages: Int
    package var rank: Int
    package var author: LibraryID?

    package init(id: LibraryID, title: String, pages: Int = 100, rank: Int = 0, author: LibraryID? = nil) {
        self.id = id
        self.title = title
        self.pages = pages
        self.rank = rank
        self.author = author
    }

    package static let tags = ToMany<Book, Tag>("tags", to: "Tag", inverse: "books", isOrdered: true)

    package static let entity = RecordEntity<Book>(
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

package struct Tag: PersistentRecord, Hashable {
    package let id: LibraryID
    package var word: String

    package init(id: LibraryID, word: String) {
        self.id = id
        self.word = word
    }

    package static let books = ToMany<Tag, Book>("books", to: "Book", inverse: "tags")

    package static let entity = RecordEntity<Tag>(
        "Tag", id: \.id, rawID: \LibraryID.rawValue, [.attribute("word", \.word), .relationship(books)]
    ) { row in Tag(id: try row.id(), word: try row.next()) }
}

package struct Contract: PersistentRecord, Hashable {
    package let id: LibraryID
    package var fee: Int
    package var author: LibraryID

    package init(id: LibraryID, fee: Int, author: LibraryID) {
        self.id = id
        self.fee = fee
        self.author = author
    }

    package static let entity = RecordEntity<Contract>(
        "Contract", id: \.id, rawID: \LibraryID.rawValue,
        [.attribute("fee", \.fee), .toOne("author", \.author, to: "Author", inverse: "contract", deleteRule: .deny)]
    ) { row in Contract(id: try row.id(), fee: try row.next(), author: try row.next()) }
}

extension Library {
    /// Inserts Homer (1) with two books, his pupil Virgil (2) with one, and Sappho (3), a friend of Homer's, with none;
    /// Virgil has a contract.
    package static func fill(_ store: any PersistentStore) throws {
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
