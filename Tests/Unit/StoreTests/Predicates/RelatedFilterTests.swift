import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Filters across typed relationships.
@Suite("Filters across relationships")
struct RelatedFilterTests {
    private func names(_ kind: StoreKind, _ filter: RecordFilter<Author>) throws -> [String] {
        let folder = try TemporaryFolder()
        let store = try kind.open(try Library.model(), in: folder)
        try Library.fill(store)
        let request = try FetchRequest(filter).lowered()
        let names = try store.rows(request).map { try Author.entity.record(from: $0).name }
        #expect(try store.count(request) == names.count)
        try store.close()
        return names
    }

    static let cases: [(RecordFilter<Author>, [String])] = [
        (.any(\.books, matching: #Predicate { $0.pages > 600 }), ["Homer"]),
        (.any(\.books, matching: .condition(.constant(true))), ["Homer", "Virgil"]),
        (.all(\.books, matching: #Predicate { $0.pages > 450 }), ["Homer", "Sappho"]),
        (.none(\.books, matching: #Predicate { $0.pages > 450 }), ["Virgil", "Sappho"]),
        (.count(\.books, .equal, 2), ["Homer"]),
        (.count(\.books, .less, 2), ["Virgil", "Sappho"]),
        (.count(\.books, .equal, 1, where: #Predicate { $0.pages > 600 }), ["Homer"]),
        (.count(\.friends, .greater, 0), ["Homer", "Sappho"]),
        (.any(\.friends, matching: #Predicate { $0.name == "Homer" }), ["Sappho"]),
        (.any(\.pupils, matching: .any(\.books, matching: #Predicate { $0.title == "Aeneid" })), ["Homer"]),
        (.related(\.mentor, matching: #Predicate<Author> { $0.name == "Homer" }), ["Virgil"]),
        (.not(.related(\.mentor, matching: #Predicate<Author> { $0.name == "Homer" })), ["Homer", "Sappho"]),
        (.related(\.contract, matching: #Predicate { $0.fee == 10 }), ["Virgil"]),
        (
            .any(\.books, matching: .any(\.tags, matching: #Predicate { $0.word == "sea" }))
                && .any(\.friends, matching: .condition(.constant(true))), ["Homer"]
        ),
        (.any(\.books, matching: .all(\.tags, matching: #Predicate { $0.word == "war" })), ["Homer"]),
        (
            .any(
                \.books, matching: .related(\.author, matching: RecordFilter<Author>.any(\.friends, matching: .all([])))
            ),
            ["Homer"]
        ),
    ]

    @Test("a filter across a relationship selects the expected rows", arguments: StoreKind.allCases, cases)
    func selects(_ kind: StoreKind, _ example: (RecordFilter<Author>, [String])) throws {
        #expect(try names(kind, example.0) == example.1)
    }

    @Test("a filter may traverse a mandatory reference", arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try Library.model(), in: folder)
        try Library.fill(store)
        let filter = RecordFilter<Contract>.related(\.author, matching: #Predicate<Author> { $0.name == "Virgil" })
        #expect(try store.count(FetchRequest(filter).lowered()) == 1)
        try store.close()
    }

    @Test("a filter whose predicate is about another entity than the relationship's destination is rejected")
    func wrongDestination() throws {
        let filter = RecordFilter<Book>.related(\.author, matching: #Predicate<Tag> { $0.word == "war" })
        let error = try persistenceError { _ = try filter.condition() }
        #expect(error.code == .invalidRequest)
        #expect("\(error)" == #"Book: \Book.author is not a relationship to Tag"#)
    }

    @Test(
        "a filter across relationships runs one statement, whatever its depth and the number of rows",
        arguments: [10, 300])
    func oneStatement(_ number: Int64) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), model: try Library.model())
        var changes = ChangeSet()
        changes["Author"].insertions = (1...number).map { .init(id: $0, values: [.string("A\($0)"), .null]) }
        changes["Book"].insertions = (1...number).map {
            .init(id: $0, values: [.string("B"), .integer($0), .integer(0), .integer($0 / 3 + 1)])
        }
        #expect(try store.save(changes).isEmpty)
        for (filter, _) in Self.cases {
            let before = try store.pool.withConnection(\.counts)
            _ = try store.rows(try FetchRequest(filter).lowered())
            let after = try store.pool.withConnection(\.counts)
            #expect(after.runs - before.runs == 1)
        }
        try store.close()
    }
}
