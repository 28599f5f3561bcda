import StrataPersistence

extension StoreContract {
    /// What tells that rows may have changed; a store that cannot tell gives no marks.
    static var changeMarks: [Check] {
        [
            Check("a change mark is another after every change, and the same without one") { probe in
                guard var last = try probe.store.changeMark(of: "Tag") else { return }
                var earlier: Set<ChangeMark> = []
                func expectChange(_ what: String, _ change: () throws -> Void) throws {
                    earlier.insert(last)
                    try change()
                    guard let next = try probe.store.changeMark(of: "Tag") else {
                        return probe.fail("no mark after \(what)")
                    }
                    probe.expect(!earlier.contains(next), "the mark after \(what) was there before")
                    probe.expectEqual(
                        try probe.store.changeMark(of: "Tag"), next, "the mark without a change after \(what)")
                    last = next
                }
                try expectChange("an insertion") { try probe.insert("Tag", [(1, [:])]) }
                try expectChange("an update") {
                    var changes = ChangeSet()
                    changes["Tag"].updates = [try probe.update("Tag", id: 1, ["word": .string("a")])]
                    try probe.save(changes)
                }
                try expectChange("a transaction") {
                    try probe.store.transaction { transaction in
                        var changes = ChangeSet()
                        changes["Tag"].insertions = [try probe.insertion("Tag", id: 2)]
                        probe.expect(try transaction.save(changes).isEmpty, "the save reported a conflict")
                        return .commit
                    }
                }
                try probe.insert("Article", [(1, [:])])
                last = try probe.store.changeMark(of: "Tag") ?? last
                try expectChange("a pair") { try probe.save(probe.linking("Article_tags", adding: [(1, 1)])) }
                try expectChange("a bulk insert") {
                    try probe.store.writeRows { writer in
                        let inserter = try writer.inserter(of: "Tag", InsertOptions())
                        try inserter.insert(id: 3, values: [.string("c")], location: RowLocation(line: 1, record: 1))
                    }
                }
                try expectChange("a deletion") {
                    var changes = ChangeSet()
                    changes["Tag"].deletions = [.init(id: 2, expectedVersion: 1)]
                    try probe.save(changes)
                }
            }
        ]
    }
}
