import StrataPersistence
import StrataTesting
import Testing
import XCTest

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

final class MyStoreTests: XCTestCase {
    func testContract() throws {
        for violation in try StoreContract.violations({ MyStore(model: $0) }) {
            XCTFail("\(violation)")
        }
    }
}

@Suite("XCTest's test of a store of one's own")
struct StoreXCTestExample {
    /// XCTest runs it too, where SwiftPM finds it.
    @Test func testContract() throws {
        let suite = XCTestSuite(name: "\(MyStoreTests.self)")
        suite.addTest(MyStoreTests(name: "testContract") { try ($0 as? MyStoreTests)?.testContract() })
        suite.run()
        let run = try #require(suite.testRun)
        #expect(run.executionCount == 1)
        #expect(run.totalFailureCount == 0)
    }
}
