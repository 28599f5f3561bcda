import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of saves.
    ///
    /// A save writes one change set. A store must:
    ///
    /// - write all changes of the set or none, for every error and every conflict
    /// - store an inserted row with version 1, and raise the version by one with each update
    /// - write only the changed columns of an update
    /// - accept a deletion of a missing row, unless the deletion does not allow it; the row is then a conflict
    /// - accept a deletion and an insertion with the same identifier in one set
    /// - accept an empty set
    static var saving: [Check] {
        [
            Check("a save inserts, updates and deletes rows") { probe in
                try probe.insert("Owner", [(1, ["rank": .integer(1)]), (2, ["rank": .integer(2)]), (3, [:])])
                var changes = ChangeSet()
                changes["Owner"].insertions = [try probe.insertion("Owner", id: 4, ["rank": .integer(4)])]
                changes["Owner"].updates = [try probe.update("Owner", id: 2, ["rank": .integer(20)])]
                changes["Owner"].deletions = [.init(id: 3, expectedVersion: 1)]
                changes["Part"].insertions = [try probe.insertion("Part", id: 1, ["name": .string("a")])]
                try probe.save(changes)
                probe.expectEqual(try probe.ids("Owner"), [1, 2, 4], "the owners")
                probe.expectEqual(try probe.value("Owner", id: 2, "rank"), .integer(20), "the rank of 2")
                probe.expectEqual(try probe.value("Part", id: 1, "name"), .string("a"), "the name of part 1")
            },
            Check("an inserted row has version 1, and each update raises the version by one") { probe in
                try probe.insert("Owner", [(1, [:]), (2, ["code": .string("b")])])
                for (round, change) in [["rank": StoredValue.integer(5)], ["code": .string("a")]].enumerated() {
                    probe.expectEqual(try probe.row("Owner", 1)?.version, Int64(round + 1), "the version of 1")
                    var changes = ChangeSet()
                    changes["Owner"].updates = [try probe.update("Owner", id: 1, change)]
                    try probe.save(changes)
                }
                probe.expectEqual(try probe.row("Owner", 1)?.version, 3, "the version of 1")
                probe.expectEqual(try probe.row("Owner", 2)?.version, 1, "the version of 2")
            },
            Check("an update writes only the changed columns") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a"), "rank": .integer(1)])])
                var update = try probe.update("Owner", id: 1, ["rank": .integer(2)])
                update.changedColumns = [1]
                var changes = ChangeSet()
                changes["Owner"].updates = [update]
                try probe.save(changes)
                probe.expectEqual(try probe.value("Owner", id: 1, "code"), .string("a"), "the code")
                probe.expectEqual(try probe.value("Owner", id: 1, "rank"), .integer(2), "the rank")
            },
            Check("a failed save writes nothing") { probe in
                try probe.insert("Owner", [(1, ["code": .string("taken")]), (2, [:])])
                var changes = ChangeSet()
                changes["Owner"].insertions = [
                    try probe.insertion("Owner", id: 8, ["code": .string("new")]),
                    try probe.insertion("Owner", id: 9, ["code": .string("taken")]),
                ]
                changes["Owner"].updates = [try probe.update("Owner", id: 1, ["rank": .integer(7)])]
                changes["Owner"].deletions = [.init(id: 2, expectedVersion: 1)]
                changes["Part"].insertions = [try probe.insertion("Part", id: 1)]
                probe.expectError(.uniqueness, "a taken code") { try probe.save(changes) }
                expectUntouched(probe)

                changes["Owner"].insertions = [try probe.insertion("Owner", id: 8)]
                changes["Part"].insertions.append(try probe.insertion("Part", id: 2, ["owner": .integer(99)]))
                probe.expectError(.danglingReference, "a missing owner") { try probe.save(changes) }
                expectUntouched(probe)
            },
            Check("deleting a missing row is not a conflict by default") { probe in
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 77, expectedVersion: 3)]
                try probe.save(changes)
            },
            Check("deleting a missing row is a conflict on request, and nothing is written") { probe in
                try probe.insert("Owner", [(1, ["code": .string("a")])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [
                    .init(id: 1, expectedVersion: 1), .init(id: 77, expectedVersion: 3, allowsMissingRow: false),
                ]
                let conflicts = try probe.store.save(changes)
                probe.expectEqual(conflicts.map(\.id), [77], "the conflicts")
                probe.expectEqual(conflicts.map(\.stored), [nil], "the rows of the conflicts")
                probe.expectEqual(try probe.store.count(StoreRequest("Owner")), 1, "the owners")
            },
            Check("an empty save does nothing") { probe in
                try probe.save(ChangeSet())
                probe.expectEqual(try probe.store.count(StoreRequest("Owner")), 0, "the owners")
            },
            Check("one save can delete a row and insert another with the same identifier") { probe in
                try probe.insert("Owner", [(1, ["code": .string("old")])])
                var changes = ChangeSet()
                changes["Owner"].deletions = [.init(id: 1, expectedVersion: 1)]
                changes["Owner"].insertions = [try probe.insertion("Owner", id: 1, ["code": .string("new")])]
                try probe.save(changes)
                probe.expectEqual(try probe.value("Owner", id: 1, "code"), .string("new"), "the code")
            },
        ]
    }

    /// Checks that a failed save changed no row, for the rows of “a failed save writes nothing”.
    private static func expectUntouched(_ probe: ContractProbe) {
        do {
            probe.expectEqual(try probe.ids("Owner"), [1, 2], "the owners after the failure")
            probe.expectEqual(try probe.value("Owner", id: 1, "rank"), .integer(0), "the rank of 1 after the failure")
            probe.expectEqual(try probe.ids("Part"), [], "the parts after the failure")
        } catch {
            probe.fail("after the failure: \(error)")
        }
    }

    /// The checks of optimistic locking.
    ///
    /// Several contexts change the same rows without locks. A store must:
    ///
    /// - compare the expected version of every update and deletion with the stored version
    /// - report each row with another version as a conflict, with its stored values, or with `nil` if the row does not
    ///   exist
    /// - report all conflicts of the change set, not only the first one
    /// - write nothing if there is a conflict; the save throws no error in that case
    static var conflicts: [Check] {
        [
            Check("a change based on an outdated version is a conflict, and nothing is written") { probe in
                try probe.insert("Owner", (1...4).map { ($0, [:]) })
                var first = ChangeSet()
                first["Owner"].updates = [
                    try probe.update("Owner", id: 1, ["rank": .integer(10)]),
                    try probe.update("Owner", id: 2, ["rank": .integer(20)]),
                ]
                var second = first
                second["Owner"].updates += [try probe.update("Owner", id: 4, ["rank": .integer(44)])]
                second["Owner"].insertions = [try probe.insertion("Owner", id: 9)]
                second["Owner"].deletions = [.init(id: 3, expectedVersion: 1)]
                try probe.save(first)
                let found = try probe.store.save(second)
                probe.expectEqual(found.map(\.id).sorted(), [1, 2], "the rows in conflict")
                probe.expectEqual(Set(found.map(\.entity)), ["Owner"], "their entity")
                let stored = found.first { $0.id == 1 }?.stored
                probe.expectEqual(stored, try probe.row("Owner", 1), "the stored row of the conflict")
                probe.expectEqual(try probe.ids("Owner"), [1, 2, 3, 4], "the rows")
                probe.expectEqual(try probe.value("Owner", id: 4, "rank"), .integer(0), "the rank of 4")
            },
            Check("updating a missing row is a conflict") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:])])
                var changes = ChangeSet()
                changes["Owner"].updates = [
                    try probe.update("Owner", id: 1, ["rank": .integer(1)]),
                    try probe.update("Owner", id: 2, ["code": .string("unique")]),
                ]
                var deletion = ChangeSet()
                deletion["Owner"].deletions = [.init(id: 1, expectedVersion: 1), .init(id: 2, expectedVersion: 1)]
                try probe.save(deletion)
                let found = try probe.store.save(changes)
                probe.expectEqual(found.map(\.id).sorted(), [1, 2], "the rows in conflict")
                probe.expect(found.allSatisfy { $0.stored == nil }, "a missing row has no stored values")
                probe.expectEqual(try probe.ids("Owner"), [], "the rows")
            },
            Check("deleting a changed row is a conflict") { probe in
                try probe.insert("Owner", [(1, [:])])
                var change = ChangeSet()
                change["Owner"].updates = [try probe.update("Owner", id: 1, ["rank": .integer(1)])]
                try probe.save(change)
                var deletion = ChangeSet()
                deletion["Owner"].deletions = [.init(id: 1, expectedVersion: 1)]
                let found = try probe.store.save(deletion)
                probe.expectEqual(found.map(\.id), [1], "the rows in conflict")
                probe.expectEqual(found.first?.stored?.version, 2, "the stored version")
                probe.expectEqual(try probe.ids("Owner"), [1], "the rows")
            },
        ]
    }
}
