import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The error with which a check ends a transaction.
    private struct Stopped: Error {}

    /// The checks of transactions with several saves.
    ///
    /// A transaction contains several saves. A store must:
    ///
    /// - commit all saves if the closure returns `commit`, and roll all of them back if it returns another value or
    ///   throws
    /// - pass the error of the closure to the caller unchanged
    /// - show the saves to fetches, counts and join requests of the transaction, and to no other reader before the
    ///   commit
    /// - keep the rows of a cursor that was opened in the transaction, whatever is saved later
    /// - continue after a save with conflicts, which has written nothing
    /// - reject nested transactions, saves of the store inside a transaction, and uses after the end, with the code
    ///   `invalidRequest`
    static var transactions: [Check] {
        [
            Check("a transaction stores all of its saves if it commits, and nothing otherwise") { probe in
                try probe.insert("Tag", [(1, ["word": .string("a")])])
                func add(_ id: Int64, _ transaction: any StoreTransaction) throws {
                    var changes = ChangeSet()
                    changes["Tag"].insertions = [try probe.insertion("Tag", id: id)]
                    probe.expect(try transaction.save(changes).isEmpty, "the save reported a conflict")
                }
                try probe.store.transaction { transaction in
                    try add(2, transaction)
                    try add(3, transaction)
                    return .commit
                }
                probe.expectEqual(try probe.ids("Tag"), [1, 2, 3], "after a commit")
                try probe.store.transaction { transaction in
                    try add(4, transaction)
                    return .rollBack
                }
                probe.expectEqual(try probe.ids("Tag"), [1, 2, 3], "after a rollback")
                do {
                    try probe.store.transaction { transaction in
                        try add(5, transaction)
                        throw Stopped()
                    }
                    probe.fail("the error of the body was not passed on")
                } catch is Stopped {}
                probe.expectEqual(try probe.ids("Tag"), [1, 2, 3], "after an error")
                probe.expectError(.uniqueness, "a taken identifier") {
                    try probe.store.transaction { transaction in
                        try add(6, transaction)
                        try add(1, transaction)
                        return .commit
                    }
                }
                probe.expectEqual(try probe.ids("Tag"), [1, 2, 3], "after a save that failed")
            },
            Check("a transaction counts its own saves, and an open cursor does not return later saves") { probe in
                try probe.insert("Tag", [(1, [:]), (2, [:])])
                try probe.store.transaction { transaction in
                    var changes = ChangeSet()
                    changes["Tag"].insertions = [try probe.insertion("Tag", id: 3)]
                    probe.expect(try transaction.save(changes).isEmpty, "the save reported a conflict")
                    probe.expectEqual(try transaction.count(StoreRequest("Tag")), 3, "the count inside")
                    probe.expectEqual(try transaction.count(StoreRequest("Tag", limit: 2)), 2, "the count of a window")
                    let cursor = try transaction.openCursor(StoreRequest("Tag"))
                    var ids: [Int64] = []
                    while try cursor.next({ ids.append($0.rawID) }) {
                        var changes = ChangeSet()
                        changes["Tag"].insertions = [try probe.insertion("Tag", id: Int64(10 + ids.count))]
                        probe.expect(try transaction.save(changes).isEmpty, "the save reported a conflict")
                    }
                    probe.expectEqual(ids, [1, 2, 3], "the rows of the cursor")
                    return .commit
                }
                probe.expectEqual(try probe.ids("Tag"), [1, 2, 3, 11, 12, 13], "afterwards")
            },
            Check("a transaction reads its own saves, and other readers see them after the commit") { probe in
                try probe.insert("Article", [(1, [:])])
                try probe.insert("Tag", [(1, ["word": .string("a")])])
                try probe.store.transaction { transaction in
                    var changes = probe.linking("Article_tags", adding: [(1, 1)])
                    changes["Tag"].updates = [try probe.update("Tag", id: 1, ["word": .string("b")])]
                    probe.expect(try transaction.save(changes).isEmpty, "the save reported a conflict")
                    var found: [(Int64, Int64, StoredValue)] = []
                    let isB = FetchCondition.compare(.property("word"), .equal, .constant(.string("b")))
                    try transaction.fetch(StoreRequest("Tag", where: isB)) { row in
                        found.append((row.rawID, row.version, try row.value(at: 0)))
                        return .next
                    }
                    probe.expectEqual(found.map(\.0), [1], "rows with what was saved")
                    probe.expectEqual(found.map(\.1), [2], "versions of what was saved")
                    let pairs = try transaction.joins(JoinRequest("Article_tags")).map(\.pair)
                    probe.expectEqual(pairs, [JoinPair(source: 1, target: 1)], "pairs that were saved")
                    probe.expectEqual(try probe.value("Tag", id: 1, "word"), .string("a"), "what others read")
                    return .commit
                }
                probe.expectEqual(try probe.value("Tag", id: 1, "word"), .string("b"), "what others read afterwards")
            },
            Check("a save with a conflict writes nothing, and its transaction continues") {
                probe in
                try probe.insert("Tag", [(1, ["word": .string("a")]), (2, ["word": .string("b")])])
                try probe.store.transaction { transaction in
                    var changes = ChangeSet()
                    changes["Tag"].updates = [
                        try probe.update("Tag", id: 1, ["word": .string("x")]),
                        .init(id: 2, expectedVersion: 7, values: [.string("y")], changedColumns: [0]),
                    ]
                    probe.expectEqual(try transaction.save(changes).map(\.id), [2], "conflicts")
                    changes["Tag"].updates = [try probe.update("Tag", id: 2, ["word": .string("z")])]
                    probe.expectEqual(try transaction.save(changes).map(\.id), [], "conflicts of the second save")
                    return .commit
                }
                let words = [try probe.value("Tag", id: 1, "word"), try probe.value("Tag", id: 2, "word")]
                probe.expectEqual(words, [.string("a"), .string("z")], "words")
            },
            Check("a transaction throws if it is used after its end, and transactions cannot be nested") { probe in
                var kept: (any StoreTransaction)?
                try probe.store.transaction { transaction in
                    kept = transaction
                    probe.expectError(.invalidRequest, "a transaction inside another") {
                        try probe.store.transaction { _ in .commit }
                    }
                    probe.expectError(.invalidRequest, "a save of the store inside a transaction") {
                        var changes = ChangeSet()
                        changes["Tag"].insertions = [try probe.insertion("Tag", id: 1)]
                        _ = try probe.store.save(changes)
                    }
                    return .commit
                }
                probe.expectError(.invalidRequest, "fetching rows after the transaction has ended") {
                    try kept?.fetch(StoreRequest("Tag")) { _ in .next }
                }
                probe.expectError(.invalidRequest, "saving changes after the transaction has ended") {
                    _ = try kept?.save(ChangeSet())
                }
                probe.expectError(.invalidRequest, "reading join rows after the transaction has ended") {
                    _ = try kept?.joins(JoinRequest("Article_tags"))
                }
            },
        ]
    }
}
