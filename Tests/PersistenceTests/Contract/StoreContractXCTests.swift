import StrataPersistence
import StrataTesting
import XCTest

/// The adapter for XCTest that StrataTesting's documentation shows.
final class InMemoryStoreContractTests: XCTestCase {
    func testContract() throws {
        for violation in try StoreContract.violations({ InMemoryStore(model: $0) }) {
            XCTFail("\(violation)")
        }
    }
}
