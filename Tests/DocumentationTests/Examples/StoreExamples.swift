import StrataPersistence
import StrataTesting
import Testing

// What the documentation says about a store of one's own, line by line. `MyStore` stands for that store.

typealias MyStore = InMemoryStore

@Suite("A store of one's own")
struct StoreExamples {
    @Test(arguments: StoreContract.checks)
    func obeysTheContract(_ check: StoreContract.Check) throws {
        for violation in try check.violations({ MyStore(model: $0) }) {
            Issue.record("\(violation)")
        }
    }
}
