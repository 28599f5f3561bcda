import StrataPersistence
import StrataTesting
import Testing

// The examples of the documentation of custom stores, line by line. `MyStore` represents such a store.

typealias MyStore = InMemoryStore

@Suite("A custom store")
struct StoreExamples {
    @Test(arguments: StoreContract.checks)
    func obeysTheContract(_ check: StoreContract.Check) throws {
        for violation in try check.violations({ MyStore(model: $0) }) {
            Issue.record("\(violation)")
        }
    }
}
