import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Store contract")
struct StoreContractTests {
    /// AtomicStoresTests contains the contract of files, and Tests/Packages that of a server.
    @Test(
        "every store fulfills every rule of the contract", arguments: [StoreKind.sqlite, .inMemory],
        StoreContract.checks)
    func obeys(_ kind: StoreKind, _ check: StoreContract.Check) throws {
        let folder = try TemporaryFolder()
        for violation in try check.violations({ try kind.open($0, in: folder) }) {
            Issue.record("\(violation)")
        }
    }

    @Test("the rules of the contract have distinct names")
    func names() {
        #expect(Set(StoreContract.checks.map(\.rule)).count == StoreContract.checks.count)
    }
}
