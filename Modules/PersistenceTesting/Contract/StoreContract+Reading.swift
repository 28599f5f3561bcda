import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of fetching row by row, of cursors, and of closing.
    ///
    /// A store must:
    ///
    /// - end a fetch when its closure returns `stop`, and pass the error of the closure to the caller unchanged
    /// - allow the closure of a fetch to fetch and to save on the same store, without a deadlock
    /// - fetch one row by identifier, from the store and from a snapshot
    /// - keep the rows of a cursor as they were when it was opened, and return no row after its end
    /// - convert values to Swift types without a change
    /// - reject every call after it was closed with the code `closed`, including reads of open cursors; closing again
    ///   does nothing
    /// - report a name of its kind, and an identifier that does not change
    static var reading: [Check] {
        [
            Check("a fetch ends when its closure returns stop") { probe in
                try probe.insert("Sample", (1...5).map { ($0, [:]) })
                var seen: [Int64] = []
                try probe.store.fetch(StoreRequest("Sample")) { row in
                    seen.append(row.rawID)
                    return row.rawID == 2 ? .stop : .next
                }
                probe.expectEqual(seen, [1, 2], "the rows seen")
                probe.expectEqual(try probe.store.count(StoreRequest("Sample")), 5, "the rows afterwards")
            },
            Check("a fetch by identifier reads only that row, or nothing if the row does not exist") { probe in
                try probe.insert("Sample", [(1, ["text": .string("a")]), (2, ["text": .string("b")])])
                let entity = try probe.store.model.entity(named: "Sample")
                func texts(_ reader: any StoreReader) throws -> [String] {
                    var texts: [String] = []
                    for id: Int64 in [2, 3, 1] {
                        try reader.fetchRow(id, of: entity) { row in
                            texts.append("\(row.rawID) \(try row[1] as String)")
                        }
                    }
                    return texts
                }
                probe.expectEqual(try texts(probe.store), ["2 b", "1 a"], "the rows")
                let snapshots = try probe.store.openSnapshots(1)
                for snapshot in snapshots {
                    probe.expectEqual(try texts(snapshot), ["2 b", "1 a"], "the rows of a snapshot")
                    snapshot.close()
                }
                do {
                    try probe.store.fetchRow(1, of: entity) { _ in throw ValueError("enough") }
                    probe.fail("no error")
                } catch let error as ValueError {
                    probe.expectEqual(error.description, "enough", "the error")
                }
            },
            Check("a fetch rethrows the error of its closure") { probe in
                try probe.insert("Sample", [(1, [:])])
                do {
                    try probe.store.fetch(StoreRequest("Sample")) { _ in throw ValueError("enough") }
                    probe.fail("no error")
                } catch let error as ValueError {
                    probe.expectEqual(error.description, "enough", "the error")
                }
                probe.expectEqual(try probe.ids("Sample"), [1], "the rows afterwards")
            },
            Check("the closure of a fetch may fetch and save") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:])])
                var found: [Int64] = []
                try probe.store.fetch(StoreRequest("Owner")) { row in
                    found += try probe.ids("Owner", limit: 1)
                    try probe.insert("Part", [(row.rawID, ["owner": .integer(row.rawID)])])
                    return .next
                }
                probe.expectEqual(found, [1, 1], "the rows found within")
                probe.expectEqual(try probe.ids("Part"), [1, 2], "the rows saved within")
            },
            Check("a cursor returns every row once, in order, and then ends") { probe in
                try probe.insert("Sample", [(1, ["short": .integer(3)]), (2, ["short": .integer(1)]), (3, [:])])
                let cursor = try probe.store.openCursor(
                    StoreRequest("Sample", sort: [.init("short", descending: true)], limit: 2))
                probe.expectEqual(try rest(of: cursor), [1, 2], "the rows")
                probe.expectEqual(try rest(of: cursor), [], "the rows after the end")
            },
            Check("a cursor does not read writes made after it was opened") { probe in
                try probe.insert("Owner", (1...3).map { ($0, ["rank": .integer($0)]) })
                let cursor = try probe.store.openCursor(StoreRequest("Owner"))
                var ranks: [StoredValue] = []
                _ = try cursor.next { ranks.append(try $0.value(at: 1)) }
                var changes = ChangeSet()
                changes["Owner"].updates = [try probe.update("Owner", id: 2, ["rank": .integer(20)])]
                changes["Owner"].deletions = [.init(id: 3, expectedVersion: 1)]
                changes["Owner"].insertions = [try probe.insertion("Owner", id: 4)]
                try probe.save(changes)
                while try cursor.next({ ranks.append(try $0.value(at: 1)) }) {}
                probe.expectEqual(ranks, [.integer(1), .integer(2), .integer(3)], "the ranks the cursor read")
                probe.expectEqual(try probe.ids("Owner"), [1, 2, 4], "the rows afterwards")
            },
            Check("values read as Swift types equal the written values") { probe in
                try probe.insert("Sample", [(7, ["long": .integer(9), "text": .string("t"), "flag": .boolean(true)])])
                try probe.store.fetch(StoreRequest("Sample")) { row in
                    let long: Int? = try row[4]
                    let text: String = try row[1]
                    let flag: Bool? = try row[8]
                    probe.expect(long == 9 && text == "t" && flag == true, "\(row.rawID) was read otherwise")
                    return .next
                }
            },
            Check("a closed store rejects every call, and can be closed again") { probe in
                try probe.insert("Sample", [(1, [:]), (2, [:])])
                let cursor = try probe.store.openCursor(StoreRequest("Sample"))
                _ = try cursor.next { _ in }
                let insertion = try probe.insertion("Sample", id: 3)
                try probe.store.close()
                try probe.store.close()
                let request = StoreRequest("Sample")
                probe.expectError(.closed, "fetch") { try probe.store.fetch(request) { _ in .next } }
                probe.expectError(.closed, "count") { _ = try probe.store.count(request) }
                probe.expectError(.closed, "openCursor") { _ = try probe.store.openCursor(request) }
                probe.expectError(.closed, "joins") { _ = try probe.store.joins(JoinRequest("Article_tags")) }
                probe.expectError(.closed, "the open cursor") { _ = try cursor.next { _ in } }
                probe.expectError(.closed, "reserve") { _ = try probe.store.reserveIdentifiers(1, of: "Sample") }
                probe.expectError(.closed, "insertRows") { try probe.store.insertRows(of: "Sample") { _ in } }
                probe.expectError(.closed, "information") { _ = try probe.store.information() }
                var changes = ChangeSet()
                changes["Sample"].insertions = [insertion]
                probe.expectError(.closed, "save") { _ = try probe.store.save(changes) }
            },
            Check("a store reports its kind and a constant identifier") { probe in
                let first = try probe.store.information()
                try probe.insert("Sample", [(1, [:])])
                let second = try probe.store.information()
                probe.expectEqual(first.identifier, second.identifier, "the identifier")
                probe.expect(!first.kind.isEmpty, "the kind has no name")
            },
        ]
    }

    /// Returns the identifiers of the rows that a cursor has not returned yet.
    private static func rest(of cursor: any RowCursor) throws -> [Int64] {
        var ids: [Int64] = []
        while try cursor.next({ ids.append($0.rawID) }) {}
        return ids
    }
}
