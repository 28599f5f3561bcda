import DictionaryStore
import StrataTesting
import Testing

/// Tests that a store of another package satisfies all checks of the contract.
@Suite("The store contract for a store over dictionaries")
struct ContractTests {
    @Test("the store obeys", arguments: StoreContract.checks)
    func obeys(_ check: StoreContract.Check) throws {
        for violation in try check.violations({ DictionaryStore(model: $0) }) {
            Issue.record(Comment(rawValue: "\(violation)"))
        }
    }
}
