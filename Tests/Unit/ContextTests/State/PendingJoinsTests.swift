import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import Testing

@testable import StrataPersistence

/// Join rows that the next save adds and removes.
@Suite("Pending join rows")
struct PendingJoinsTests {
    /// The join tables of the library: `tags` is ordered on the books' side, `friends` is symmetric.
    private static func pending(_ relationship: String, of entity: String) throws -> PendingJoins {
        PendingJoins(try #require(try Library.model().join(of: relationship, in: entity)).join)
    }

    private static func text(_ rows: [JoinRow]) -> [String] {
        rows.map { row in
            "\(row.pair.source)-\(row.pair.target)" + (row.sourcePosition.map { " at \($0)" } ?? "")
        }.sorted()
    }

    private static func text(_ pairs: some Sequence<JoinPair>) -> [String] { text(pairs.map { JoinRow($0) }) }

    private static func row(_ source: Int64, _ target: Int64, at position: Int64? = nil) -> JoinRow {
        JoinRow(JoinPair(source: source, target: target), sourcePosition: position)
    }

    private static func pair(_ source: Int64, _ target: Int64) -> JoinPair { JoinPair(source: source, target: target) }

    /// A sequence of changes to a relationship, and the join rows that are then added and removed.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var entity = "Book"
        var relationship = "tags"
        let added: [String]
        var removed: [String] = []
        let happens: @Sendable (inout PendingJoins) -> Void
    }

    static let cases: [Case] = [
        Case(testDescription: "no join rows change", added: []) { _ in },
        Case(testDescription: "one join row is added and another is removed", added: ["1-2 at 5"], removed: ["3-4"]) {
            pending in
            pending.add(row(1, 2, at: 5))
            pending.remove(pair(3, 4))
        },
        Case(
            testDescription: "an added and then removed join row is removed", added: [], removed: ["1-2"]
        ) {
            pending in
            pending.add(row(1, 2))
            pending.remove(pair(1, 2))
        },
        Case(testDescription: "a removed and then added join row is added", added: ["1-2 at 3"]) {
            pending in
            pending.remove(pair(1, 2))
            pending.add(row(1, 2, at: 3))
        },
        Case(
            testDescription: "the last position is used, and kept if a later row has none",
            added: ["1-2 at 7", "1-3 at 4"]
        ) {
            pending in
            for row in [row(1, 2, at: 3), row(1, 2, at: 7), row(1, 3, at: 4), row(1, 3)] { pending.add(row) }
        },
        Case(
            testDescription: "a symmetric join row is the same in both directions", entity: "Author",
            relationship: "friends", added: ["1-2", "3-3"], removed: ["4-5"]
        ) { pending in
            for row in [row(2, 1), row(1, 2), row(3, 3)] { pending.add(row) }
            for pair in [pair(5, 4), pair(4, 5)] { pending.remove(pair) }
        },
        Case(
            testDescription: "positions are dropped if the join table has none", entity: "Author",
            relationship: "friends", added: ["1-2"]
        ) { $0.add(row(1, 2, at: 3)) },
        Case(
            testDescription: "an object's added join rows are discarded, and its removed ones are not", added: ["2-1"],
            removed: ["1-9"]
        ) { pending in
            for row in [row(1, 1), row(1, 2), row(2, 1)] { pending.add(row) }
            pending.remove(pair(1, 9))
            pending.forget("Book", 1)
            pending.forget("Author", 2)
        },
        Case(
            testDescription: "added join rows of a symmetric relationship are discarded at both ends", entity: "Author",
            relationship: "friends",
            added: ["3-4"]
        ) {
            pending in
            for row in [row(1, 2), row(2, 3), row(3, 4)] { pending.add(row) }
            pending.forget("Author", 2)
        },
        Case(
            testDescription: "a merged object's join rows are removed for another object",
            added: ["5-3 at 2", "6-1"]
        ) { pending in
            for row in [row(1, 2, at: 1), row(5, 3, at: 2), row(6, 1)] { pending.add(row) }
            #expect(text(pending.take(of: "Book", [1])) == ["1-2 at 1"])
        },
        Case(
            testDescription: "join rows of a symmetric relationship are removed at both ends", entity: "Author",
            relationship: "friends",
            added: ["1-8"]
        ) { pending in
            for row in [row(1, 2), row(2, 8), row(1, 8)] { pending.add(row) }
            #expect(text(pending.take(of: "Author", [2])) == ["1-2", "2-8"])
        },
    ]

    @Test("pending join rows reflect the last change of each join row", arguments: cases)
    func pairs(_ item: Case) throws {
        var pending = try Self.pending(item.relationship, of: item.entity)
        item.happens(&pending)
        #expect(Self.text(Array(pending.added.values)) == item.added)
        #expect(Self.text(pending.removed) == item.removed)
        #expect(pending.isEmpty == (item.added.isEmpty && item.removed.isEmpty))
        // Each end of a join row finds its current join rows and no removed join row.
        for id in Int64(1)...9 {
            for side in [JoinRequest.Side.source, .target] {
                let expected = pending.added.values.filter { row in
                    let isSource = row.pair.source == id && (side == .source || pending.join.isSymmetric)
                    return isSource || row.pair.target == id && (side == .target || pending.join.isSymmetric)
                }
                #expect(Self.text(pending.added(of: [id], on: side)) == Self.text(Array(expected)))
            }
        }
        #expect(Self.text(pending.added(of: nil, on: .source)) == item.added)
    }

    @Test("a join row is returned once even if both of its objects are requested")
    func once() throws {
        var pending = try Self.pending("friends", of: "Author")
        for row in [Self.row(1, 2), Self.row(2, 3)] { pending.add(row) }
        #expect(Self.text(pending.added(of: [1, 2, 2, 3], on: .source)) == ["1-2", "2-3"])
    }

    /// Deleted objects, and the join rows that remain if 1-1 and 2-2 are added and 1-2 and 3-3 are removed.
    struct DeletionCase: CustomTestStringConvertible, Sendable {
        let books: Set<Int64>
        var tags: Set<Int64> = []
        let added: [String]
        let removed: [String]

        var testDescription: String { "books \(books.sorted()), tags \(tags.sorted())" }
    }

    @Test(
        "a save writes no join row of an object that it deletes",
        arguments: [
            DeletionCase(books: [], added: ["1-1", "2-2"], removed: ["1-2", "3-3"]),
            DeletionCase(books: [1], added: ["2-2"], removed: ["3-3"]),
            DeletionCase(books: [3], tags: [2], added: ["1-1"], removed: []),
            DeletionCase(books: [2], tags: [1, 2, 3], added: [], removed: []),
        ])
    func deletedEnds(_ item: DeletionCase) throws {
        var pending = try Self.pending("tags", of: "Book")
        for row in [Self.row(2, 2), Self.row(1, 1)] { pending.add(row) }
        for pair in [Self.pair(3, 3), Self.pair(1, 2)] { pending.remove(pair) }
        func isDeleted(_ entity: String, _ id: Int64) -> Bool {
            (entity == "Book" ? item.books : item.tags).contains(id)
        }
        let changes = pending.changes(isDeleted: isDeleted)
        // The rows are in the order of their ends.
        #expect(changes.added.map { "\($0.pair.source)-\($0.pair.target)" } == item.added)
        #expect(changes.removed.map { "\($0.source)-\($0.target)" } == item.removed)
        #expect(pending.hasChanges(isDeleted: isDeleted) == !changes.isEmpty)
    }
}
