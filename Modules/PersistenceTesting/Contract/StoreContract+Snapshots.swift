import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of several readers of one snapshot.
    ///
    /// Exports read a store with several threads, each of which has one snapshot. A store must:
    ///
    /// - show the same state in all snapshots that one call has opened
    /// - show rows, counts, join rows, next identifiers and metadata of that state, whatever is written later
    /// - allow several open cursors of one snapshot, each with its own position
    /// - reject calls of a closed snapshot, and of a snapshot whose store is closed, with the code `closed`
    /// - reject invalid requests, and a request for 0 snapshots, with the code `invalidRequest`
    static var snapshots: [Check] {
        [
            Check("snapshots opened together show the same state, regardless of later writes") { probe in
                try probe.insert("Owner", (1...3).map { ($0, ["rank": .integer($0)]) })
                try probe.insert("Tag", [(1, [:])])
                try probe.insert("Article", [(1, [:])])
                try probe.save(probe.linking("Article_tags", adding: [(1, 1)]))
                let snapshots = try probe.store.openSnapshots(3)
                probe.expectEqual(snapshots.count, 3, "the snapshots")
                var changes = ChangeSet()
                changes["Owner"].updates = [try probe.update("Owner", id: 2, ["rank": .integer(20)])]
                changes["Owner"].deletions = [.init(id: 3, expectedVersion: 1)]
                changes["Owner"].insertions = [try probe.insertion("Owner", id: 4)]
                changes.joins["Article_tags", default: .init()].removed = [JoinPair(source: 1, target: 1)]
                try probe.save(changes)
                for snapshot in snapshots {
                    let ranks = try values(of: snapshot.openCursor(StoreRequest("Owner")), at: 1)
                    probe.expectEqual(ranks, [.integer(1), .integer(2), .integer(3)], "the ranks of a snapshot")
                    probe.expectEqual(try snapshot.count(StoreRequest("Owner", limit: 2)), 2, "the count of a snapshot")
                    var pairs: [JoinPair] = []
                    try snapshot.joins(JoinRequest("Article_tags")) { row in
                        pairs.append(row.pair)
                        return .next
                    }
                    probe.expectEqual(pairs, [JoinPair(source: 1, target: 1)], "the pairs of a snapshot")
                    snapshot.close()
                }
                probe.expectEqual(try probe.ids("Owner"), [1, 2, 4], "the rows afterwards")
            },
            Check("a snapshot contains the next identifiers and the metadata of its opening") { probe in
                try probe.insert("Owner", (1...3).map { ($0, [:]) })
                try probe.store.writeRows { try $0.setMetadata("1", forKey: "k") }
                let snapshot = try probe.store.openSnapshots(1)[0]
                _ = try probe.store.reserveIdentifiers(5, of: "Owner")
                try probe.store.writeRows { try $0.setMetadata("2", forKey: "k") }
                let later = try probe.store.openSnapshots(1)[0]
                for (snapshot, next, text) in [(snapshot, Int64(4), "1"), (later, 9, "2")] {
                    let marks = try snapshot.identifierMarks()
                    probe.expectEqual(marks["Owner"] ?? 1, next, "the next identifier")
                    probe.expectEqual(marks["Tag"] ?? 1, 1, "the next identifier of an entity without rows")
                    probe.expectEqual(try snapshot.metadata(), ["k": text], "the texts")
                    snapshot.close()
                }
            },
            Check("the cursors of a snapshot can be read alternately, and each continues at its position") { probe in
                try probe.insert("Owner", (1...4).map { ($0, [:]) })
                try probe.insert("Tag", [(7, [:]), (8, [:])])
                let snapshot = try probe.store.openSnapshots(1)[0]
                let owners = try snapshot.openCursor(StoreRequest("Owner"))
                let tags = try snapshot.openCursor(StoreRequest("Tag"))
                let again = try snapshot.openCursor(StoreRequest("Owner"))
                var seen: [Int64] = []
                func read(_ cursor: any RowCursor, _ most: Int) throws -> Bool {
                    var count = 0
                    return try cursor.read { row in
                        seen.append(row.rawID)
                        count += 1
                        return count == most ? .stop : .next
                    }
                }
                probe.expect(try read(owners, 2), "the owners ended early")
                probe.expect(try read(tags, 1), "the tags ended early")
                probe.expect(try read(again, 1), "the other owners ended early")
                probe.expect(try !read(owners, 5), "the owners did not end")
                probe.expect(try !read(owners, 5), "the owners went on")
                probe.expectEqual(seen, [1, 2, 7, 1, 3, 4], "the rows in turns")
            },
            Check("a closed snapshot, or a snapshot of a closed store, rejects every call") { probe in
                try probe.insert("Owner", [(1, [:])])
                let snapshots = try probe.store.openSnapshots(2)
                snapshots[0].close()
                snapshots[0].close()
                for snapshot in snapshots {
                    if snapshot === snapshots[1] { try probe.store.close() }
                    probe.expectError(.closed, "openCursor") { _ = try snapshot.openCursor(StoreRequest("Owner")) }
                    probe.expectError(.closed, "count") { _ = try snapshot.count(StoreRequest("Owner")) }
                    probe.expectError(.closed, "joins") {
                        try snapshot.joins(JoinRequest("Article_tags")) { _ in .next }
                    }
                }
                probe.expectError(.closed, "openSnapshots") { _ = try probe.store.openSnapshots(1) }
            },
            Check("a snapshot rejects invalid requests") { probe in
                probe.expectError(.invalidRequest, "no snapshots") { _ = try probe.store.openSnapshots(0) }
                let snapshot = try probe.store.openSnapshots(1)[0]
                probe.expectError(.invalidRequest, "entity") { _ = try snapshot.openCursor(StoreRequest("Nothing")) }
                probe.expectError(.invalidRequest, "limit") { _ = try snapshot.count(StoreRequest("Owner", limit: -1)) }
                probe.expectError(.invalidRequest, "join") { try snapshot.joins(JoinRequest("Nothing")) { _ in .next } }
            },
        ]
    }

    /// Returns the values of one column in the remaining rows of a cursor.
    private static func values(of cursor: any RowCursor, at index: Int) throws -> [StoredValue] {
        var values: [StoredValue] = []
        while try cursor.next({ values.append(try $0.value(at: index)) }) {}
        return values
    }
}
