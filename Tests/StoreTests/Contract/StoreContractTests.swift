import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("Store contract")
struct StoreContractTests {
    /// The contract of files is in AtomicStoresTests, that of a server in Tests/Packages.
    @Test("every store obeys every rule", arguments: [StoreKind.sqlite, .inMemory], StoreContract.checks)
    func obeys(_ kind: StoreKind, _ check: StoreContract.Check) throws {
        let folder = try TemporaryFolder()
        for violation in try check.violations({ try kind.open($0, in: folder) }) {
            Issue.record("\(violation)")
        }
    }

    @Test("the rules have different names")
    func names() {
        #expect(Set(StoreContract.checks.map(\.rule)).count == StoreContract.checks.count)
    }
}
