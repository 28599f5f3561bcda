import StrataPersistence
import StrataTesting
import XCTest

final class MyStoreTests: XCTestCase {
    func testContract() throws {
        for violation in try StoreContract.violations({ MyStore(model: $0) }) {
            XCTFail("\(violation)")
        }
    }
}
