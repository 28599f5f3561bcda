import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import Testing

/// Units of work that nest, fail, are canceled and retried, by eight tasks at once.
///
/// `make test-stress` runs the walk for a given time.
@Suite("A random walk over units of work")
struct LedgerWalkTests {
    @Test(
        "every committed change is visible at every step, and no change that was rolled back",
        arguments: StoreKind.allCases, Seeds.first(2, of: UInt64(1)...12))
    func walk(_ kind: StoreKind, seed: UInt64) async throws {
        let stack = try kind.stack(try Ledger.model())
        let walk = LedgerWalk(
            container: stack.container, seed: seed, units: Seeds.count(25, all: 60), deadline: .now + Stress.duration)
        let (committed, takenBack) = try await walk.run()
        #expect(committed > 50 && takenBack > 20)
        let accounts = try stack.stored(Ledger.Account.self)
        let all = accounts.filter { $0.owner == LedgerWalk.sharedOwner }.map(\.balance)
        #expect(all.count == 4 && all.reduce(0, +) == 4 * LedgerWalk.money)
        #expect(accounts.allSatisfy { $0.key > 0 })
        let entries = try stack.stored(Ledger.Entry.self)
        #expect(Set(entries.map(\.account)).isSubset(of: Set(accounts.map(\.id))))
        try stack.container.close()
    }
}
