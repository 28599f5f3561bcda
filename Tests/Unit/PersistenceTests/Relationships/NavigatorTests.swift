import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataPersistence

/// Following of relationships by every type that reads rows and join rows.
@Suite("Following relationships")
struct NavigatorTests {
    /// A relationship and the related identifiers by owner.
    struct Case: Sendable, CustomTestStringConvertible {
        let entity: String
        let relationship: String
        let owners: [Int64]
        let expected: [Int64: [Int64]]

        var testDescription: String { "\(entity).\(relationship)" }
    }

    static let cases: [Case] = [
        Case(entity: "Author", relationship: "books", owners: [1, 2, 3], expected: [1: [2, 1], 2: [3]]),
        Case(entity: "Author", relationship: "mentor", owners: [1, 2, 3], expected: [2: [1]]),
        Case(entity: "Author", relationship: "pupils", owners: [1, 2], expected: [1: [2]]),
        Case(entity: "Author", relationship: "contract", owners: [1, 2], expected: [2: [1]]),
        Case(entity: "Author", relationship: "friends", owners: [1, 2, 3], expected: [1: [3], 3: [1]]),
        Case(entity: "Contract", relationship: "author", owners: [1], expected: [1: [2]]),
        Case(entity: "Book", relationship: "author", owners: [1, 2, 3], expected: [1: [1], 2: [1], 3: [2]]),
        Case(entity: "Book", relationship: "tags", owners: [3, 1], expected: [1: [1], 3: [2, 1]]),
        Case(entity: "Tag", relationship: "books", owners: [1, 2, 3], expected: [1: [1, 3], 2: [2, 3]]),
        Case(entity: "Tag", relationship: "books", owners: [3], expected: [:]),
        Case(entity: "Book", relationship: "tags", owners: [], expected: [:]),
    ]

    /// Returns the related identifiers of a case, read as objects and as identifiers.
    private func follow<Reader: RelationshipReader>(
        _ item: Case, _ reader: Reader, _ model: ManagedObjectModel
    ) throws -> [[Int64: [Int64]]] {
        let entity = try model.entity(named: item.entity)
        let (relationship, _, place) = try model.relationship(item.relationship, of: entity)
        let navigator = RelationshipNavigator(reader)
        let owners = try reader.objects(withIDs: item.owners, of: item.entity)
        let byObject = try navigator.relatedByOwner(to: owners, by: relationship, place)
        let byID = try navigator.related(toIDs: item.owners, of: item.entity, by: relationship, place)
        return [
            byObject.mapValues { $0.map(\.rawID) },
            Dictionary(grouping: byID, by: \.owner).mapValues { $0.map(\.object.rawID) },
        ]
    }

    @Test(
        "stores, snapshots, transactions and contexts return the same related objects in the same order",
        arguments: StoreKind.allCases, cases)
    func alike(_ kind: StoreKind, _ item: Case) throws {
        let stack = try kind.library()
        let store = stack.container.coordinator.store
        var found = try follow(item, StoreRows(store), store.model)
        let snapshot = try #require(try store.openSnapshots(1).first)
        found += try follow(item, StoreRows(snapshot), store.model)
        snapshot.close()
        try store.transaction { transaction in
            found += try follow(item, StoreRows(transaction), store.model)
            found += try follow(item, BatchReader(transaction: transaction, model: store.model), store.model)
            return .rollBack
        }
        for context in [stack.background, stack.background.newChildContext()] {
            found += try context.performAndWait { try follow(item, ContextReader($0.reader), store.model) }
        }
        #expect(found == Array(repeating: item.expected, count: 12))
    }

    @Test(
        "an unordered read of a relationship returns the same objects as an ordered read",
        arguments: StoreKind.allCases, cases)
    func unordered(_ kind: StoreKind, _ item: Case) throws {
        let store = try kind.library().container.coordinator.store
        let (relationship, _, place) = try store.model.relationship(
            item.relationship, of: try store.model.entity(named: item.entity))
        let found = try RelationshipNavigator(StoreRows(store), keepsOrder: false)
            .related(toIDs: item.owners, of: item.entity, by: relationship, place)
        let expected = item.expected.mapValues { $0.sorted() }
        #expect(Dictionary(grouping: found, by: \.owner).mapValues { $0.map(\.object.id).sorted() } == expected)
    }

    // Change in the context      | result
    // Book 2 leaves Homer        | Homer: Iliad
    // Book 3 loses tag 1         | Aeneid: sea
    // Tag 2 is deleted           | Aeneid: nothing, but delete rules still find the join row
    @Test(
        "following a relationship in a context includes pending changes and excludes deleted objects",
        arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.background.performAndWait { context in
            func tags(_ reader: ContextReader) throws -> [Int64] {
                let (join, isSource) = try #require(context.model.join(of: "tags", in: "Book"))
                return try RelationshipNavigator(reader).pairs(of: [3], in: join, ownerIsSource: isSource).map(\.other)
            }
            let books = Case(entity: "Author", relationship: "books", owners: [1, 2], expected: [:])
            try context.book(2).author = 2
            let found = try follow(books, ContextReader(context.reader), context.model)
            #expect(found == Array(repeating: [1: [1], 2: [2, 3]], count: 2))
            try context.remove(try context.tag(1), from: \.tags, of: try context.book(3))
            #expect(try tags(ContextReader(context.reader)) == [2])
            try context.delete(2, of: Tag.self)
            #expect(try tags(ContextReader(context.reader)).isEmpty)
            #expect(try tags(ContextReader(context.reader, keepsPairsOfDeleted: true)) == [2])
        }
    }
}
