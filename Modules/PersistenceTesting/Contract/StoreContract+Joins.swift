import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of saving join rows of many-to-many relationships.
    ///
    /// A join row is a pair of identifiers with optional positions, and has no identifier and no version of its own. A
    /// store must:
    ///
    /// - return join rows by owner from either end, for all owners or for a list of them
    /// - remove the join rows of a change set before it adds join rows
    /// - ignore the addition of an existing join row and the removal of a missing one
    /// - delete the join rows of a deleted row, also if a new row with the same identifier is inserted in the same save
    /// - keep the join rows of a row whose other values change
    /// - keep the versions of both rows, so that join rows never conflict
    /// - roll back join rows together with the rows of a failed save
    static var joins: [Check] {
        [
            Check("join rows are added, removed, and found from both ends") { probe in
                try probe.insert("Article", ids: 1...3)
                try probe.insert("Tag", ids: 1...3)
                try probe.save(probe.linking("Article_tags", adding: [(1, 2), (1, 1), (2, 1), (3, 3)]))
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-1", "1-2", "2-1", "3-3"], "all pairs")
                probe.expectEqual(try probe.pairs("Article_tags", of: [2, 1, 1]), ["1-1", "1-2", "2-1"], "of 1 and 2")
                probe.expectEqual(try probe.pairs("Article_tags", .target, of: [1]), ["1-1", "2-1"], "of tag 1")
                probe.expectEqual(try probe.pairs("Article_tags", of: []), [], "of no object")
                try probe.save(probe.linking("Article_tags", adding: [(2, 3)], removing: [(1, 1), (3, 3)]))
                probe.expectEqual(try probe.pairs("Article_tags", .target), ["2-1", "1-2", "2-3"], "all pairs by tag")
            },
            Check("adding an existing join row or removing a missing join row changes nothing") { probe in
                try probe.insert("Article", ids: 1...2)
                try probe.insert("Tag", ids: 1...2)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1), (1, 1)]))
                try probe.save(probe.linking("Article_tags", adding: [(1, 1)], removing: [(2, 2), (7, 8)]))
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-1"], "the pairs")
            },
            Check("a save removes join rows before it adds join rows") { probe in
                try probe.insert("Article", ids: 1...1)
                try probe.insert("Tag", ids: 1...1)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1)], removing: [(1, 1)]))
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-1"], "the pairs")
            },
            Check("a join row may reference rows inserted in the same save") { probe in
                var changes = probe.linking("Article_tags", adding: [(1, 5)])
                changes["Article"].insertions = [try probe.insertion("Article", id: 1)]
                changes["Tag"].insertions = [try probe.insertion("Tag", id: 5)]
                try probe.save(changes)
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-5"], "the pairs")
            },
            Check("deleting a row deletes its join rows") { probe in
                try probe.insert("Article", ids: 1...3)
                try probe.insert("Tag", ids: 1...2)
                try probe.insert("Person", ids: 1...3)
                var changes = probe.linking("Article_tags", adding: [(1, 1), (1, 2), (2, 1), (3, 2)])
                changes.joins["Person_friends"] =
                    probe.linking("Person_friends", adding: [(1, 2), (2, 3), (3, 1)])
                    .joins["Person_friends"]
                try probe.save(changes)
                var deletion = ChangeSet()
                deletion["Article"].deletions = [.init(id: 1, expectedVersion: 1), .init(id: 3, expectedVersion: 1)]
                deletion["Article"].insertions = [try probe.insertion("Article", id: 3)]
                deletion["Person"].deletions = [.init(id: 2, expectedVersion: 1)]
                try probe.save(deletion)
                probe.expectEqual(try probe.pairs("Article_tags"), ["2-1"], "the pairs of articles and tags")
                probe.expectEqual(try probe.pairs("Person_friends"), ["1-3", "3-1"], "the friends")
                deletion = ChangeSet()
                deletion["Tag"].deletions = [.init(id: 1, expectedVersion: 1)]
                try probe.save(deletion)
                probe.expectEqual(try probe.pairs("Article_tags"), [], "the pairs without tag 1")
            },
            Check("a row whose unique value changes keeps its join rows") { probe in
                try probe.insert("Article", [(1, ["slug": .string("a")]), (2, ["slug": .string("b")])])
                try probe.insert("Tag", ids: 1...1)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1), (2, 1)]))
                var changes = ChangeSet()
                changes["Article"].updates = [
                    try probe.update("Article", id: 1, ["slug": .string("b")]),
                    try probe.update("Article", id: 2, ["slug": .string("a")]),
                ]
                try probe.save(changes)
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-1", "2-1"], "the pairs")
            },
            Check("changes of join rows raise no version and never conflict") { probe in
                try probe.insert("Article", ids: 1...1)
                try probe.insert("Tag", ids: 1...1)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1)]))
                probe.expectEqual(try probe.row("Article", 1)?.version, 1, "the article's version")
                probe.expectEqual(try probe.row("Tag", 1)?.version, 1, "the tag's version")
                var update = ChangeSet()
                update["Article"].updates = [try probe.update("Article", id: 1, ["slug": .string("x")])]
                try probe.save(update)
                try probe.save(probe.linking("Article_tags", removing: [(1, 1)]))
                probe.expectEqual(try probe.row("Article", 1)?.version, 2, "the article's version after its update")
            },
            Check("a failed save leaves the join rows unchanged") { probe in
                try probe.insert("Article", [(1, ["slug": .string("a")]), (2, [:])])
                try probe.insert("Tag", ids: 1...2)
                try probe.save(probe.linking("Article_tags", adding: [(1, 1)]))
                var changes = probe.linking("Article_tags", adding: [(2, 2)], removing: [(1, 1)])
                changes["Article"].insertions = [try probe.insertion("Article", id: 3, ["slug": .string("a")])]
                probe.expectError(.uniqueness, "a taken slug") { try probe.save(changes) }
                changes["Article"].insertions = []
                changes["Article"].updates = [
                    .init(id: 2, expectedVersion: 9, values: [.null], changedColumns: [0])
                ]
                probe.expectEqual(try probe.store.save(changes).map(\.id), [2], "the rows in conflict")
                probe.expectEqual(try probe.pairs("Article_tags"), ["1-1"], "the pairs")
            },
        ]
    }

    /// The checks of join rows of many-to-many relationships: their ends, their order, and their symmetry.
    ///
    /// A store must:
    ///
    /// - reject a join row with a missing end; the error names the entity, the relationship and the identifier of the
    ///   other end
    /// - sort join rows by owner, then by position with null first, then by the other end
    /// - store the position of an ordered end only, and replace it if the join row is added again
    /// - store a join row of a symmetric relationship once, and return it for both of its rows
    /// - distinguish both ends of other relationships between rows of one entity
    /// - reject an unknown join table with the code `invalidRequest`
    static var joinRules: [Check] {
        [
            Check("a dangling join row is rejected, and nothing is written") { probe in
                try probe.insert("Article", ids: 1...1)
                try probe.insert("Tag", ids: 1...1)
                var changes = probe.linking("Article_tags", adding: [(1, 1), (1, 9)])
                changes["Tag"].insertions = [try probe.insertion("Tag", id: 2)]
                var error = probe.expectError(.danglingReference, "a missing tag") { try probe.save(changes) }
                probe.expectEqual(error?.entity, "Article", "the error's entity")
                probe.expectEqual(error?.attribute, "tags", "the error's relationship")
                probe.expectEqual(error?.message, "object 1 refers to a missing Tag", "the message")
                changes = probe.linking("Article_tags", adding: [(1, 1), (7, 1)])
                error = probe.expectError(.danglingReference, "a missing article") { try probe.save(changes) }
                probe.expectEqual(error?.entity, "Tag", "the error's entity")
                probe.expectEqual(error?.attribute, "articles", "the error's relationship")
                probe.expectEqual(error?.message, "object 1 refers to a missing Article", "the message")
                changes = probe.linking("Article_tags", adding: [(1, 1)])
                changes["Tag"].deletions = [.init(id: 1, expectedVersion: 1)]
                probe.expectError(.danglingReference, "a deleted tag") { try probe.save(changes) }
                probe.expectEqual(try probe.pairs("Article_tags"), [], "the pairs")
                probe.expectEqual(try probe.ids("Tag"), [1], "the tags")
            },
            Check("join rows are sorted by owner, then by position with null first, then by the other end") { probe in
                try probe.insert("Playlist", ids: 1...2)
                try probe.insert("Song", ids: 1...4)
                try probe.insert("Person", ids: 1...4)
                var changes = ChangeSet()
                changes.joins["Playlist_songs", default: .init()].added = [
                    JoinRow(.init(source: 2, target: 1), sourcePosition: -5),
                    JoinRow(.init(source: 1, target: 1), sourcePosition: 7),
                    JoinRow(.init(source: 1, target: 4), sourcePosition: -7),
                    JoinRow(.init(source: 1, target: 3)), JoinRow(.init(source: 1, target: 2), sourcePosition: -7),
                ]
                changes.joins["Person_follows", default: .init()].added = [
                    JoinRow(.init(source: 1, target: 4), targetPosition: 9),
                    JoinRow(.init(source: 2, target: 4), targetPosition: 8),
                    JoinRow(.init(source: 3, target: 4)), JoinRow(.init(source: 4, target: 4), targetPosition: 8),
                ]
                try probe.save(changes)
                probe.expectEqual(
                    try probe.pairs("Playlist_songs"), ["1-3", "1-2", "1-4", "1-1", "2-1"], "the songs of the lists")
                probe.expectEqual(
                    try probe.pairs("Playlist_songs", .target), ["1-1", "2-1", "1-2", "1-3", "1-4"],
                    "the lists of the songs")
                probe.expectEqual(
                    try probe.pairs("Person_follows", .target, of: [4]), ["3-4", "2-4", "4-4", "1-4"],
                    "the followers of 4")
            },
            Check("adding a join row stores the given position, also if the join row exists already") { probe in
                try probe.insert("Playlist", ids: 1...1)
                try probe.insert("Song", ids: 1...2)
                func put(_ rows: [(Int64, Int64?)]) throws -> [Int64?] {
                    var changes = ChangeSet()
                    changes.joins["Playlist_songs", default: .init()].added = rows.map {
                        JoinRow(.init(source: 1, target: $0), sourcePosition: $1, targetPosition: 77)
                    }
                    try probe.save(changes)
                    let stored = try probe.store.joins(JoinRequest("Playlist_songs", ids: [1]))
                    probe.expect(stored.allSatisfy { $0.targetPosition == nil }, "a song's lists have no positions")
                    return stored.map(\.sourcePosition)
                }
                probe.expectEqual(try put([(1, 10), (2, .max)]), [10, .max], "the positions")
                probe.expectEqual(try put([(1, .min), (2, nil)]), [nil, .min], "the new positions")
            },
            Check("a symmetric join row is stored once, whichever end is listed first") { probe in
                try probe.insert("Person", ids: 1...4)
                try probe.save(probe.linking("Person_friends", adding: [(2, 1), (1, 2), (3, 1), (4, 4)]))
                probe.expectEqual(try probe.pairs("Person_friends", of: [1]), ["1-2", "1-3"], "the friends of 1")
                probe.expectEqual(
                    try probe.pairs("Person_friends", .target, of: [2, 1]), ["1-2", "1-3", "2-1"],
                    "the friends of 1 and 2")
                probe.expectEqual(try probe.pairs("Person_friends", of: [4]), ["4-4"], "the friends of 4")
                probe.expectEqual(
                    try probe.pairs("Person_friends"), ["1-2", "1-3", "2-1", "3-1", "4-4"], "all friends")
                try probe.save(probe.linking("Person_friends", removing: [(1, 3), (2, 1)]))
                probe.expectEqual(try probe.pairs("Person_friends", of: [1, 2, 3]), [], "the friends afterwards")
            },
            Check("the two ends of a join row between rows of one entity are distinguished") { probe in
                try probe.insert("Person", ids: 1...3)
                try probe.save(probe.linking("Person_follows", adding: [(1, 2), (2, 1), (3, 1), (2, 2)]))
                probe.expectEqual(try probe.pairs("Person_follows", of: [1]), ["1-2"], "whom 1 follows")
                probe.expectEqual(try probe.pairs("Person_follows", .target, of: [1]), ["2-1", "3-1"], "who follows 1")
                probe.expectEqual(try probe.pairs("Person_follows", of: [2]), ["2-1", "2-2"], "whom 2 follows")
            },
            Check("join rows of an unknown relationship are rejected") { probe in
                probe.expectError(.invalidRequest, "asked for") { _ = try probe.pairs("Article_words") }
                probe.expectError(.invalidRequest, "saved") {
                    try probe.save(probe.linking("Article_words", adding: [(1, 1)]))
                }
            },
        ]
    }

    /// The checks of one-to-one relationships, whose references are unique.
    ///
    /// One side of the relationship has the column. A store must treat that column as unique: a second reference to one
    /// row is rejected with the code `uniqueness`. Two rows can exchange their targets in one save.
    static var oneToOne: [Check] {
        [
            Check("a second reference to the same row in a one-to-one relationship is rejected") { probe in
                try probe.insert("Person", ids: 1...2)
                try probe.insert("Passport", [(1, ["holder": .integer(1)]), (2, [:]), (3, [:])])
                var changes = ChangeSet()
                changes["Passport"].updates = [try probe.update("Passport", id: 2, ["holder": .integer(1)])]
                let error = probe.expectError(.uniqueness, "a second passport") { try probe.save(changes) }
                probe.expectEqual(error?.entity, "Passport", "the error's entity")
                probe.expectEqual(error?.attribute, "holder", "the error's attribute")
                probe.expectEqual(try probe.value("Passport", id: 2, "holder"), .null, "the holder of 2")
                changes["Passport"].updates = [
                    try probe.update("Passport", id: 1, ["holder": .integer(2)]),
                    try probe.update("Passport", id: 2, ["holder": .integer(1)]),
                ]
                try probe.save(changes)
                probe.expectEqual(try probe.value("Passport", id: 1, "holder"), .integer(2), "the holder of 1")
            }
        ]
    }
}
