import Persistence
import PersistenceTesting
import XCTest

/// The adapter for XCTest that PersistenceTesting's documentation shows.
final class InMemoryStoreContractTests: XCTestCase {
    func testContract() throws {
        for violation in try StoreContract.violations({ InMemoryStore(model: $0) }) {
            XCTFail("\(violation)")
        }
    }
}
