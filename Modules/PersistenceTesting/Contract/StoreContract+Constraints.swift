import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of unique attributes.
    ///
    /// A store must:
    ///
    /// - reject a duplicate value with the code `uniqueness`, and name the entity and the attribute in the error
    /// - find duplicates between new rows, updated rows and stored rows
    /// - accept null in any number of rows
    /// - compare unique strings by bytes, so that two normalizations of “é” are different
    /// - check the state after the whole save: rows can exchange their values, and a new row can have the value of a
    ///   deleted one
    ///
    /// SQL databases usually check after each row. A store on a database must order its statements, or write temporary
    /// values.
    static var uniqueness: [Check] {
        [
            Check("a save with a duplicate unique value is rejected") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")]), (2, ["code": .string("b")])])
                var insertion = ChangeSet()
                insertion["Owner"].insertions = [try probe.insertion("Owner", id: 3, ["code": .string("a")])]
                let error = probe.expectError(.uniqueness, "an inserted value") { try probe.save(insertion) }
                probe.expectEqual(error?.entity, "Owner", "the error's entity")
                probe.expectEqual(error?.attribute, "code", "the error's attribute")
                var update = ChangeSet()
                update["Owner"].updates = [try probe.update("Owner", id: 2, ["code": .string("a")])]
                probe.expectError(.uniqueness, "an updated value") { try probe.save(update) }
                var twice = ChangeSet()
                twice["Owner"].insertions = try [3, 4].map {
                    try probe.insertion("Owner", id: $0, ["code": .string("c")])
                }
                probe.expectError(.uniqueness, "a value twice in one save") { try probe.save(twice) }
                probe.expectEqual(try probe.ids("Owner"), [1, 2], "the rows")
            },
            Check("several rows may have null in a unique attribute") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:])])
                probe.expectEqual(try probe.ids("Owner"), [1, 2], "the rows")
            },
            Check("unique strings are distinguished by their bytes") { probe in
                try probe.insert(
                    "Owner",
                    [
                        (1, ["code": .string("\u{e9}")]), (2, ["code": .string("e\u{301}")]),
                        (3, ["code": .string("E\u{301}")]),
                    ])
                probe.expectEqual(try probe.ids("Owner"), [1, 2, 3], "the rows")
            },
            Check("two rows can exchange their unique values in one save") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")]), (2, ["code": .string("b")])])
                var changes = ChangeSet()
                changes["Owner"].updates = [
                    try probe.update("Owner", id: 1, ["code": .string("b")]),
                    try probe.update("Owner", id: 2, ["code": .string("a")]),
                ]
                try probe.save(changes)
                probe.expectEqual(try probe.value("Owner", id: 1, "code"), .string("b"), "the code of 1")
                probe.expectEqual(try probe.value("Owner", id: 2, "code"), .string("a"), "the code of 2")
                probe.expectEqual(try probe.row("Owner", 1)?.version, 2, "the version of 1")
            },
            Check("a unique value that one row releases is accepted for another row in the same save") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")]), (2, ["code": .string("b")])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 1, expectedVersion: 1)]
                changes["Owner"].updates = [try probe.update("Owner", id: 2, ["code": .string("c")])]
                changes["Owner"].insertions = [
                    try probe.insertion("Owner", id: 3, ["code": .string("a")]),
                    try probe.insertion("Owner", id: 4, ["code": .string("b")]),
                ]
                try probe.save(changes)
                probe.expectEqual(try probe.ids("Owner", sort: [.init("code")]), [3, 4, 2], "the owners by code")
            },
            Check("a unique value can be reused after its row is deleted or changed") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")]), (2, ["code": .string("b")])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 1, expectedVersion: 1)]
                changes["Owner"].updates = [try probe.update("Owner", id: 2, ["code": .string("c")])]
                try probe.save(changes)
                try probe.insert("Owner", [(3, ["code": .string("a")]), (4, ["code": .string("b")])])
                probe.expectEqual(try probe.ids("Owner"), [2, 3, 4], "the rows")
            },
        ]
    }

    /// The checks of to-one relationships.
    ///
    /// A store must:
    ///
    /// - reject a reference to a missing row with the code `danglingReference`, and name the entity, the relationship
    ///   and the row
    /// - reject the deletion of a row that other rows still reference; delete rules are applied before a save reaches
    ///   the store
    /// - check the state after the whole save, so that the order of the changes does not matter
    /// - accept cycles, and rows that reference themselves
    static var references: [Check] {
        [
            Check("a dangling reference is rejected on insert and on update") { probe in
                try probe.insert("Part", [(1, [:])])
                var insertion = ChangeSet()
                insertion["Part"].insertions = [try probe.insertion("Part", id: 2, ["owner": .integer(5)])]
                let error = probe.expectError(.danglingReference, "inserted") { try probe.save(insertion) }
                probe.expectEqual(error?.entity, "Part", "the error's entity")
                probe.expectEqual(error?.attribute, "owner", "the error's attribute")
                probe.expectEqual(
                    error?.message, "object 2 refers to a missing Owner", "the error's message")
                var update = ChangeSet()
                update["Part"].updates = [try probe.update("Part", id: 1, ["owner": .integer(5)])]
                probe.expectError(.danglingReference, "updated") { try probe.save(update) }
                probe.expectEqual(try probe.ids("Part"), [1], "the parts")
            },
            Check("a row that other rows reference cannot be deleted") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:])])
                try probe.insert("Part", [(1, ["owner": .integer(1)])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 1, expectedVersion: 1), .init(id: 2, expectedVersion: 1)]
                let error = probe.expectError(.danglingReference, "deleted") { try probe.save(changes) }
                probe.expectEqual(error?.entity, "Part", "the error's entity")
                probe.expectEqual(error?.attribute, "owner", "the error's attribute")
                probe.expectEqual(try probe.ids("Owner"), [1, 2], "the owners")
            },
            Check("references are checked against the rows that remain after the whole save") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:]), (3, [:])])
                try probe.insert(
                    "Part", [(1, ["owner": .integer(1)]), (2, ["owner": .integer(1)]), (3, ["owner": .integer(2)])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 1, expectedVersion: 1), .init(id: 2, expectedVersion: 1)]
                changes["Owner"].insertions = [
                    try probe.insertion("Owner", id: 4), try probe.insertion("Owner", id: 2),
                ]
                changes["Part"].deletions = [.init(id: 1, expectedVersion: 1)]
                changes["Part"].updates = [try probe.update("Part", id: 2, ["owner": .integer(4)])]
                changes["Part"].insertions = [try probe.insertion("Part", id: 4, ["owner": .integer(4)])]
                try probe.save(changes)
                probe.expectEqual(try probe.ids("Owner"), [2, 3, 4], "the owners")
                probe.expectEqual(try probe.ids("Part", sort: [.init("owner")]), [3, 2, 4], "the parts by owner")
            },
            Check("rows that reference each other can be inserted in one save and deleted in one save") { probe in
                var changes = ChangeSet()
                changes["Node"].insertions = [
                    try probe.insertion("Node", id: 1, ["parent": .integer(2)]),
                    try probe.insertion("Node", id: 2, ["parent": .integer(1)]),
                    try probe.insertion("Node", id: 3, ["parent": .integer(3)]),
                ]
                try probe.save(changes)
                probe.expectEqual(try probe.ids("Node"), [1, 2, 3], "the nodes")
                var deletion = ChangeSet()
                deletion["Node"].deletions = [1, 2, 3].map { .init(id: $0, expectedVersion: 1) }
                try probe.save(deletion)
                probe.expectEqual(try probe.ids("Node"), [], "the nodes after their deletion")
            },
        ]
    }

    /// The checks of identifiers.
    ///
    /// A store must:
    ///
    /// - begin with identifier 1, and count separately for each entity
    /// - never reserve an identifier again, also if its row was deleted or never saved
    /// - continue after the greatest explicit identifier that was saved
    /// - not raise the next identifier if a save fails
    /// - reject an identifier that exists already with the code `uniqueness`; the error names the identifier and the
    ///   attribute `id`
    /// - throw an error with the code `identifiersExhausted` after identifier 2^53 - 1, the greatest exact integer of
    ///   JavaScript
    /// - reject a reservation of 0 identifiers with the code `invalidRequest`
    static var identifiers: [Check] {
        [
            Check("reserved identifiers begin at 1 and are never reserved again") { probe in
                let blocks = try [1, 32, 5].map { try probe.store.reserveIdentifiers($0, of: "Owner") }
                probe.expectEqual(blocks, [1...1, 2...33, 34...38], "the blocks")
                let other = try probe.store.reserveIdentifiers(2, of: "Part")
                probe.expectEqual(other, 1...2, "another entity's block")
            },
            Check("an explicit identifier raises the next identifier") { probe in
                try probe.insert("Owner", [(100, [:])])
                probe.expectEqual(try probe.store.reserveIdentifiers(2, of: "Owner"), 101...102, "the block")
                var deletion = ChangeSet()
                deletion["Owner"].deletions = [.init(id: 100, expectedVersion: 1)]
                try probe.save(deletion)
                try probe.insert("Owner", [(7, [:])])
                probe.expectEqual(try probe.store.reserveIdentifiers(1, of: "Owner"), 103...103, "the next block")
            },
            Check("a failed save does not raise the next identifier") { probe in
                var changes = ChangeSet()
                changes["Part"].insertions = [try probe.insertion("Part", id: 50, ["owner": .integer(9)])]
                probe.expectError(.danglingReference, "a missing owner") { try probe.save(changes) }
                probe.expectEqual(try probe.store.reserveIdentifiers(1, of: "Part"), 1...1, "the block")
            },
            Check("a duplicate identifier is rejected, and the error names the identifier") { probe in
                try probe.insert("Owner", [(5, [:])])
                let message = "the identifier 5 already belongs to another object"
                var changes = ChangeSet()
                changes["Owner"].insertions = [try probe.insertion("Owner", id: 5)]
                var error = probe.expectError(.uniqueness, "an identifier of the store") { try probe.save(changes) }
                probe.expectEqual(error?.message, message, "the message")
                probe.expectEqual(error?.attribute, "id", "the attribute")
                changes["Owner"].insertions = [
                    try probe.insertion("Owner", id: 6), try probe.insertion("Owner", id: 6),
                ]
                error = probe.expectError(.uniqueness, "an identifier twice in a save") { try probe.save(changes) }
                probe.expect(error?.message.contains("identifier 6") ?? false, "the message does not name 6")
            },
            Check("the greatest identifier is 2^53 - 1, and reserving another one throws") { probe in
                try probe.insert("Owner", [(9_007_199_254_740_990, [:])])
                probe.expectError(.identifiersExhausted, "two more") {
                    _ = try probe.store.reserveIdentifiers(2, of: "Owner")
                }
                let last = try probe.store.reserveIdentifiers(1, of: "Owner")
                probe.expectEqual(last, 9_007_199_254_740_991...9_007_199_254_740_991, "the last")
                probe.expectError(.identifiersExhausted, "one more") {
                    _ = try probe.store.reserveIdentifiers(1, of: "Owner")
                }
                probe.expectError(.invalidRequest, "none") { _ = try probe.store.reserveIdentifiers(0, of: "Part") }
            },
        ]
    }
}
