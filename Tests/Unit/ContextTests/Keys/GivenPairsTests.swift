import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataStoreKit

/// Join rows that are written with options for conflicts and missing rows, by the stores' own inserters and by the
/// default one.
@Suite("Bulk inserts of join rows with options")
struct GivenPairsTests {
    private func model() throws -> ManagedObjectModel {
        func entity(_ name: String, _ relationship: RelationshipDescription) -> EntityDescription {
            EntityDescription(name, [.relationship(relationship)])
        }
        return try ManagedObjectModel([
            entity(
                "Article", RelationshipDescription("tags", to: "Tag", .toMany, inverse: "articles", isOrdered: true)),
            entity("Tag", RelationshipDescription("articles", to: "Article", .toMany, inverse: "tags")),
        ])
    }

    private func stores() throws -> [(any PersistentStore, TemporaryFolder)] {
        let folder = try TemporaryFolder()
        return try StoreKind.allCases.map { (try $0.open(try model(), in: folder), folder) }
    }

    private func pair(_ source: Int64, _ target: Int64, at position: Int64, line: Int) -> JoinRowInput {
        JoinRowInput(
            JoinRow(JoinPair(source: source, target: target), sourcePosition: position),
            location: RowLocation(line: line, record: line - 1), note: Array("note \(line)".utf8)[...])
    }

    /// Writes an article, a tag and join rows.
    private func write(
        _ store: any PersistentStore, _ pairs: [JoinRowInput], _ options: InsertOptions, isPlain: Bool
    ) throws -> InsertCounts {
        var counts = InsertCounts()
        try store.writeRows { writer in
            for entity in ["Article", "Tag"] {
                let ids = try writer.inserter(of: entity, InsertOptions(onConflict: .ignore))
                try ids.insert(id: 1, values: [], location: RowLocation(line: 0, record: 0))
            }
            let inserter =
                isPlain
                ? CheckedPairInserter(writer, "Article_tags", options, isList: false)
                : try writer.pairInserter(of: "Article_tags", options, owners: nil)
            for pair in pairs { try inserter.insert(pair) }
            try writer.checkReferences()
            counts = inserter.counts
        }
        return counts
    }

    @Test(
        "a join row that exists already is rejected, ignored or moved, as the insert options say",
        arguments: [true, false])
    func repeated(isPlain: Bool) throws {
        for action in InsertOptions.ConflictAction.allCases {
            for (store, _) in try stores() {
                let pairs = [pair(1, 1, at: 3, line: 2), pair(1, 1, at: 4, line: 3)]
                var refused: [String] = []
                var options = InsertOptions(onConflict: action)
                options.onFailure = {
                    refused.append("\($0.location.line) \(String(decoding: $0.note, as: UTF8.self))")
                }
                let counts = try write(store, pairs, options, isPlain: isPlain)
                #expect(counts.inserted == 1)
                #expect(counts.ignored == (action == .ignore ? 1 : 0))
                #expect(counts.updated == (action == .update || action == .replace ? 1 : 0))
                #expect(counts.rejected == (action == .abort ? 1 : 0))
                #expect(refused == (action == .abort ? ["3 note 3"] : []))
                let position = try store.joins(JoinRequest("Article_tags")).first?.sourcePosition
                #expect(position == (counts.updated == 1 ? 4 : 3))
                guard action == .abort else { continue }
                let error = try #require(throws: PersistenceError.self) {
                    _ = try write(store, pairs, InsertOptions(), isPlain: isPlain)
                }
                #expect(error.code == .uniqueness && error.location?.line == 2)
            }
        }
    }

    @Test("a dangling join row throws by default, and is rejected or dropped if the options say so")
    func missing() throws {
        let pairs = [pair(1, 1, at: 0, line: 2), pair(1, 9, at: 1, line: 3), pair(8, 1, at: 0, line: 4)]
        for (store, _) in try stores() {
            for isPlain in [true, false] {
                let error = try #require(throws: PersistenceError.self) {
                    _ = try write(store, pairs, InsertOptions(), isPlain: isPlain)
                }
                #expect(error.code == .danglingReference && error.location != nil)
            }
            var lines: [Int] = []
            let options = InsertOptions(onMissingReference: .reject) { lines.append($0.location.line) }
            #expect(throws: PersistenceError.self) { _ = try write(store, pairs, options, isPlain: true) }
            let counts = try write(store, pairs, options, isPlain: false)
            #expect(lines == [3, 4] && counts.inserted == 1 && counts.rejected == 2)
            let dropped = try write(
                store, pairs, InsertOptions(onConflict: .update, onMissingReference: .null), isPlain: false)
            #expect(dropped.droppedPairs == 2 && dropped.inserted == 0 && dropped.updated == 1)
            #expect(try store.joins(JoinRequest("Article_tags")).map(\.pair) == [JoinPair(source: 1, target: 1)])
        }
    }

    @Test("a dangling join row that is inserted twice is counted as dropped twice")
    func missingAgain() throws {
        let pairs = [pair(1, 9, at: 0, line: 2), pair(1, 9, at: 1, line: 3)]
        for (store, _) in try stores() {
            let counts = try write(
                store, pairs, InsertOptions(onConflict: .update, onMissingReference: .null), isPlain: false)
            #expect(counts.inserted == 0 && counts.updated == 0 && counts.droppedPairs == 2)
        }
    }

    @Test("a rejected join row is reported once although the failure handler throws")
    func reportedOnce() throws {
        for (store, _) in try stores() {
            var reports = 0
            var counts = InsertCounts()
            try store.writeRows { writer in
                let options = InsertOptions(onMissingReference: .reject) { _ in
                    reports += 1
                    throw CancellationError()
                }
                let inserter = try writer.pairInserter(of: "Article_tags", options, owners: nil)
                try inserter.insert(pair(1, 9, at: 0, line: 2))
                #expect(throws: CancellationError.self) { try writer.checkReferences() }
                try writer.checkReferences()
                counts = inserter.counts
            }
            #expect(reports == 1 && counts.inserted == 0 && counts.rejected == 1)
            #expect(try store.joins(JoinRequest("Article_tags")).isEmpty)
        }
    }

    @Test(
        "a join row inserter throws if its writer has ended, its owners have another writer, or its table is unknown")
    func others() throws {
        for (store, _) in try stores() {
            var kept: (any RowInserter, any PairInserter)?
            try store.writeRows { writer in
                let rows = try writer.inserter(of: "Article", InsertOptions())
                kept = (rows, try writer.pairInserter(of: "Article_tags", InsertOptions(), owners: nil))
            }
            let (rows, pairs) = try #require(kept)
            #expect(throws: PersistenceError.self) { try pairs.insert(pair(1, 1, at: 0, line: 2)) }
            #expect(throws: PersistenceError.self) {
                try store.writeRows { writer in
                    _ = try writer.pairInserter(
                        of: "Article_tags", InsertOptions(), owners: PairOwners(rows, isSource: true))
                }
            }
            #expect(throws: PersistenceError.self) {
                try store.writeRows { _ = try $0.pairInserter(of: "Article_tag", InsertOptions(), owners: nil) }
            }
        }
    }
}
