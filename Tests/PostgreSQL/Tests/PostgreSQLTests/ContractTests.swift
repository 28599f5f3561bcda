import Foundation
import StrataPersistence
import StrataPostgreSQL
import StrataTesting
import Testing

/// The server that `make test-postgres` starts.
enum Server {
    /// Its connection string; `nil` where none was started.
    static let connection = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]

    /// A store in a schema of its own.
    static func provider(_ schema: String = "strata \"test\" \(UUID().uuidString)") -> PostgreSQLStoreProvider {
        PostgreSQLStoreProvider(PostgreSQLSettings(connection ?? "", schema: schema))
    }
}

@Suite("The contract on PostgreSQL", .enabled(if: Server.connection != nil, "make test-postgres starts a server"))
struct ContractTests {
    @Test("the store obeys", arguments: StoreContract.checks)
    func obeys(_ check: StoreContract.Check) throws {
        for violation in try check.violations({ try Server.provider().open($0, options: StoreOptions()) }) {
            Issue.record("\(violation)")
        }
    }
}
