#if PostgreSQL
import Foundation
import StrataPersistence
import StrataPostgreSQL
import StrataStoreKit
import StrataTesting
import Testing

/// The connection string of the server, or `nil` if no server runs.
private let server = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]

/// Tests of the store on a server with the contract, through public API only.
///
/// The tests run on one server and on the nodes of Citus.
@Suite(
    "The store contract on PostgreSQL",
    .enabled(if: server != nil, "STRATA_POSTGRESQL names no server; make test-packages starts one"))
struct ServerContractTests {
    @Test(
        "the store satisfies the contract, with all features of the server and with tables and transactions only",
        arguments: StoreContract.checks, [nil, []] as [PostgreSQLCapabilities?])
    func obeys(_ check: StoreContract.Check, _ capabilities: PostgreSQLCapabilities?) throws {
        let violations = try check.violations { model in
            var settings = PostgreSQLSettings(
                server ?? "", schema: "strata \"contract\" \(UUID().uuidString)")
            settings.capabilities = capabilities
            return try PostgreSQLStoreProvider(settings).open(model, options: StoreOptions())
        }
        for violation in violations { Issue.record("\(violation)") }
    }
}
#endif
