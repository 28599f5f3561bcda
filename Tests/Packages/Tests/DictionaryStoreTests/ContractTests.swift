import DictionaryStore
import StrataTesting
import Testing

/// The store of a stranger is done when no check of the contract finds anything.
@Suite("The contract, by a store over dictionaries")
struct ContractTests {
    @Test("the store obeys", arguments: StoreContract.checks)
    func obeys(_ check: StoreContract.Check) throws {
        for violation in try check.violations({ DictionaryStore(model: $0) }) {
            Issue.record(Comment(rawValue: "\(violation)"))
        }
    }
}
