import Foundation
import StrataPersistence

struct Book: PersistentRecord, Hashable {
    let id: RecordID<Book>
    var title: String
    var pages: Int?

    static let entity = RecordEntity<Book>(
        "Book", id: \.id,
        [.attribute("title", \.title), .attribute("pages", \.pages)]
    ) { row in
        Book(id: try row.id(), title: try row.next(), pages: try row.next())
    }
}

struct Bookshelf {
    let records: any RecordContext

    func add(_ title: String, pages: Int? = nil) async throws -> Book {
        try await records.insert(Book.self) { id in Book(id: id, title: title, pages: pages) }
    }

    func longest(_ count: Int) async throws -> [String] {
        let request = FetchRequest<Book>(
            where: #Predicate { $0.pages != nil }, sort: [SortKey(\.pages, order: .reverse)], limit: count)
        return try await records.fetch(request).map(\.title)
    }
}
