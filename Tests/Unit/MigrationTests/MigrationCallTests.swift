import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The callbacks and results for a caller that opens a store of an earlier model.
@Suite("Callbacks of a migration")
struct MigrationCallTests {
    @Test(
        "a migration rejected by willCommit changes nothing, and a committed migration calls didCommit",
        arguments: StoreKind.allCases)
    func reports(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("Item", [attribute("code")])], rows: ["Item": [1: [.string("a")]]])
        let later = [EntityDescription("Item", [attribute("code"), attribute("note")])]
        let calls = Guarded<[String]>([])
        var options = MigrationOptions()
        options.didCommit = { calls.withLock { $0.append("did") } }
        options.willCommit = { throw CancellationError() }
        #expect(throws: CancellationError.self) { _ = try earlier.open(later, options) }
        #expect(calls.withLock { $0 } == [])
        options.willCommit = { calls.withLock { $0.append("will") } }
        let store = try earlier.open(later, options)
        #expect(calls.withLock { $0 } == ["will", "did"])
        #expect(try store.values("Item") == [1: [.string("a"), .null]])
        try store.close()
        // A migrated store causes no further callbacks; an in-memory store is a copy, which is created again from the
        // earlier one.
        try earlier.open(later, options).close()
        #expect(calls.withLock { $0.count } == (kind == .inMemory ? 4 : 2))
    }
}
