import StrataPersistence
import StrataTesting
import Testing

@testable import Bookshelf

@Test("books without pages are not among the longest")
func longest() async throws {
    let shelf = Bookshelf(records: try InMemoryRecords(ManagedObjectModel(records: [Book.self])))
    for (title, pages) in [("Emma", 474), ("Ulysses", nil)] { _ = try await shelf.add(title, pages: pages) }
    #expect(try await shelf.longest(2) == ["Emma"])
}

struct FullDisk: RecordContext {
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw PersistenceError(.diskFull, "no space left")
    }
}

@Test("a book that cannot be saved is an error")
func fullDisk() async throws {
    await #expect(throws: PersistenceError.self) { try await Bookshelf(records: FullDisk()).add("Emma") }
}
