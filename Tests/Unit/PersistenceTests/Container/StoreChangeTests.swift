import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence
@testable import StrataStoreKit

/// The changes that the coordinator publishes.
@Suite("Store changes")
struct StoreChangeTests {
    private static let limit = ChangedIdentifiers.maximumCount

    @Test(
        "a change lists identifiers up to a maximum number, and covers all rows above the maximum",
        arguments: [(0, false), (1, false), (limit, false), (limit + 1, true)])
    func named(_ count: Int, isEverything: Bool) {
        let ids = Array(1...Int64(Self.limit + 1)).prefix(count)
        var one = ChangedIdentifiers.none
        for id in ids { one.insert(id) }
        #expect(one == ChangedIdentifiers(ids))
        #expect((one == .everything) == isEverything)
        #expect(one.isEmpty == (count == 0))
        #expect(one.contains(Int64(Self.limit) + 5) == isEverything)
    }

    @Test("a union with all rows, or of too many identifiers, contains all rows")
    func union() {
        let half = Int64(Self.limit / 2)
        var ids = ChangedIdentifiers(Array(1...half))
        ids.formUnion(ChangedIdentifiers(Array(half + 1...2 * half)))
        #expect(ids == ChangedIdentifiers(Array(1...2 * half)))
        var more = ids
        more.formUnion(.some([2 * half + 1]))
        #expect(more == .everything)
        ids.formUnion(.everything)
        #expect(ids == .everything)
        ids.insert(1)
        #expect(ids == .everything)
    }

    @Test("the change of a save lists the inserted, updated and deleted rows and names the context")
    func save() {
        var saved = SavedChanges()
        (saved.inserted, saved.updated, saved.deleted) = (["Team": [3]], ["Team": [1, 2]], ["Player": [7]])
        let change = StoreChange(saved, origin: .context("background"))
        #expect(change.origin.context == "background")
        #expect(change.entities["Team"]?.inserted == .some([3]))
        #expect(change.entities["Team"]?.updated == .some([1, 2]))
        #expect(change.entities["Team"]?.deleted.isEmpty == true)
        #expect(change.entities["Player"]?.deleted == .some([7]))
        #expect(!change.isEmpty)
    }

    @Test("the change of a bulk write lists the updated rows and marks any row as possibly new")
    func bulkWrite() {
        var counts = InsertCounts()
        counts.inserted = 5
        let change = StoreChange(counts: ["Team": counts, "Player": InsertCounts()], updated: ["Team": .some([1])])
        #expect(change.origin == .batch)
        #expect(change.entities["Team"]?.inserted == .everything)
        #expect(change.entities["Team"]?.updated == .some([1]))
        #expect(change.entities["Player"] == nil)
    }

    @Test("a context is not notified of new rows, and a child context is")
    func notices() {
        var saved = SavedChanges()
        saved.inserted = ["Team": [3]]
        let change = StoreChange(saved, origin: .context("background"))
        #expect(MergeNotice(change).isEmpty)
        #expect(MergeNotice(change, toChildren: true).touched("Team") == .some([3]))
        #expect(MergeNotice(change, toChildren: true).touched("Player").isEmpty)
    }
}
