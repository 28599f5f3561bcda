import StrataCore
import StrataPersistence
import StrataTesting
import Testing

/// What whoever opens a store of an earlier model is asked and told.
@Suite("Calls of a migration")
struct MigrationCallTests {
    @Test(
        "one that is refused before its commit has changed nothing, and one that is committed is told of",
        arguments: StoreKind.allCases)
    func told(_ kind: StoreKind) throws {
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
        // What has followed is asked no more; what is in memory is a copy, of which the next one is made.
        try earlier.open(later, options).close()
        #expect(calls.withLock { $0.count } == (kind == .inMemory ? 4 : 2))
    }
}
