@testable import PersistenceTests
import Testing
import XCTest

/// Runs the tests of both libraries; SwiftPM takes this file for the test program's entry by its name.
///
/// Without it SwiftPM looks for XCTest's cases in an index, which every debug build would have to write: a tenth of its time. Tests of
/// Swift Testing are found as ever; a case of XCTest is run only if it is named here, which `.ci/layering.sh` looks at.
@main
struct AllTests {
    static func main() async {
        // SwiftPM's own entry does the same.
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([testCase(InMemoryStoreContractTests.allTests)]) as Never
    }
}
