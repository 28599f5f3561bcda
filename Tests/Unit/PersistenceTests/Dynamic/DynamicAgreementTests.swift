import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

/// The library's entities with any type of records.
private struct Shelves<Author: ManagedRecord, Book: ManagedRecord, Tag: ManagedRecord>: Sendable {
    let authors: RecordEntity<Author>
    let books: RecordEntity<Book>
    let tags: RecordEntity<Tag>
    let booksOfAuthor: ToMany<Author, Book>
    let pupils: ToMany<Author, Author>
    let friends: ToMany<Author, Author>
    let tagsOfBook: ToMany<Book, Tag>
    let booksOfTag: ToMany<Tag, Book>
}

/// Random units of work over any records of the library, and their results or errors as text.
private struct Walk<Author: ManagedRecord, Book: ManagedRecord, Tag: ManagedRecord>: Sendable {
    let library: Shelves<Author, Book, Tag>
    let records: any RecordContext

    func run(seed: Int) async throws -> [String] {
        var random = SeededGenerator(seed: UInt64(seed))
        var trace: [String] = []
        for _ in 0..<40 {
            let steps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                (0..<4).map { _ in Int.random(in: 0..<1_000, using: &random) }
            }
            let isBroken = Int.random(in: 0..<6, using: &random) == 0
            do {
                trace += try await records.transaction(mergePolicy: nil) { unit in
                    let results = try steps.map { try step($0, unit) }
                    if isBroken { throw CancellationError() }
                    return results
                }
            } catch is CancellationError {
                trace.append("taken back")
            } catch let error as PersistenceError {
                trace.append("\(error.code) \(error.entity ?? "-") \(error.attribute ?? "-")")
            }
            trace.append(try await state())
        }
        return trace
    }

    private func id<ID: RecordIdentifier>(_ number: Int) throws -> ID {
        guard let id = ID(rawValue: Int64(number % 6) + 1) else { throw CancellationError() }
        return id
    }

    private func reference(_ number: Int) -> StoredValue { number % 3 == 0 ? .null : .integer(Int64(number % 6) + 1) }

    private func step(_ numbers: [Int], _ unit: any RecordTransaction) throws -> String {
        let (first, second, third) = (numbers[1], numbers[2], numbers[3])
        switch numbers[0] % 12 {
        case 0:
            return try text(
                unit.insert(into: library.authors) { id in
                    try library.authors.record(
                        from: StoredRow(id: id.rawValue, values: [.string("A\(first)"), reference(second)]))
                }, library.authors)
        case 1, 2:
            return try text(
                unit.insert(into: library.books) { id in
                    try library.books.record(
                        from: StoredRow(
                            id: id.rawValue,
                            values: [.string("B\(first)"), .integer(Int64(second)), .integer(0), reference(third)]))
                }, library.books)
        case 3:
            return try text(
                unit.insert(into: library.tags) { id in
                    try library.tags.record(from: StoredRow(id: id.rawValue, values: [.string("T\(first)")]))
                }, library.tags)
        case 4:
            return try text(
                unit.update(in: library.books, id: id(first)) { book in
                    var row = try library.books.row(of: book)
                    row.values[1] = .integer(Int64(second))
                    row.values[3] = reference(third)
                    book = try library.books.record(from: row)
                }, library.books)
        case 5:
            try unit.add([id(first)], to: library.booksOfAuthor, of: library.authors, id: id(second))
        case 6: try unit.move(id(first), to: third % 3, in: library.booksOfAuthor, of: library.authors, id: id(second))
        case 7: try unit.add([id(first), id(third)], to: library.tagsOfBook, of: library.books, id: id(second))
        case 8: try unit.remove(id(first), from: library.tagsOfBook, of: library.books, id: id(second))
        case 9: try unit.add([id(first)], to: library.friends, of: library.authors, id: id(second))
        case 10: return "\(try unit.delete(from: library.authors, id: id(first)))"
        default:
            return try unit.related(library.booksOfAuthor, of: library.authors, id: id(first))
                .map { try text($0, library.books) }.joined(separator: " ")
        }
        return "done"
    }

    private func text<Record: ManagedRecord>(_ record: Record, _ entity: RecordEntity<Record>) throws -> String {
        let row = try entity.row(of: record)
        return "\(entity.name) \(row.id) \(row.values)"
    }

    private func all<Record: ManagedRecord>(
        _ entity: RecordEntity<Record>, _ unit: any RecordTransaction
    ) throws -> [String] {
        try unit.fetch(FetchRequest(entity)).map { try text($0, entity) }
    }

    private func state() async throws -> String {
        try await records.transaction(mergePolicy: nil) { unit in
            var lines = try all(library.authors, unit) + all(library.books, unit) + all(library.tags, unit)
            for author in try unit.fetch(FetchRequest(library.authors)) {
                lines.append(
                    "\(try unit.related(library.friends, of: library.authors, id: author.id).map(\.id.rawValue))")
                lines.append("\(try unit.count(library.pupils, of: library.authors, id: author.id))")
            }
            for tag in try unit.fetch(FetchRequest(library.tags)) {
                lines.append("\(try unit.related(library.booksOfTag, of: library.tags, id: tag.id).map(\.id.rawValue))")
            }
            return lines.joined(separator: "\n")
        }
    }
}

@Suite("Equivalence of typed and untyped records")
struct DynamicAgreementTests {
    @Test(
        "random units of work have the same results with typed and untyped records",
        arguments: RecordsKind.allCases, Seeds.first(2, of: 1...60))
    func sameWalk(_ kind: RecordsKind, seed: Int) async throws {
        let typedModel = try Library.model()
        let typed = try kind.records(typedModel)
        let typedWalk = Walk(
            library: Shelves(
                authors: Author.entity, books: Book.entity, tags: Tag.entity, booksOfAuthor: Author.books,
                pupils: Author.pupils, friends: Author.friends, tagsOfBook: Book.tags, booksOfTag: Tag.books),
            records: typed.context)
        let model = try ManagedObjectModel(typedModel.entities)
        let (authors, books, tags) = (
            try model.dynamicEntity("Author"), try model.dynamicEntity("Book"), try model.dynamicEntity("Tag")
        )
        let dynamic = try kind.records(model)
        let dynamicWalk = Walk(
            library: Shelves(
                authors: authors, books: books, tags: tags, booksOfAuthor: try authors.toMany("books"),
                pupils: try authors.toMany("pupils"), friends: try authors.toMany("friends"),
                tagsOfBook: try books.toMany("tags"), booksOfTag: try tags.toMany("books")),
            records: dynamic.context)
        let (expected, found) = (try await typedWalk.run(seed: seed), try await dynamicWalk.run(seed: seed))
        #expect(expected == found, "seed \(seed)")
        #expect(expected.contains { $0.contains("Book") })
    }
}
