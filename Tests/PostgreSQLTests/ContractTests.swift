#if PostgreSQL
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

    /// What the server's own program says to a statement; asked again until it says what is waited for.
    static func psql(_ statement: String, until wanted: String? = nil) throws -> String {
        while true {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["psql", "--no-psqlrc", "-qAt", "-d", connection ?? "", "-c", statement]
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            let answer = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if wanted == nil || answer == wanted { return answer }
        }
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
#endif
