#if PostgreSQL
import Foundation
import StrataPostgreSQL
import Testing

/// The server that `make test-postgres` starts.
enum Server {
    /// The server's connection string; `nil` if none was started.
    static let connection = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]

    /// A Boolean value that indicates whether the server is a single one, and not the coordinator of several nodes.
    ///
    /// Tests of a server's internal state need a single one.
    static let isSingle = ProcessInfo.processInfo.environment["STRATA_CITUS"] == nil

    /// Returns a provider of a store in a schema of its own.
    static func provider(
        _ schema: String = "strata \"test\" \(UUID().uuidString)", capabilities: PostgreSQLCapabilities? = nil
    ) -> PostgreSQLStoreProvider {
        var settings = PostgreSQLSettings(connection ?? "", schema: schema)
        settings.capabilities = capabilities
        return PostgreSQLStoreProvider(settings)
    }

    /// Returns the output of `psql` for a statement; repeats the statement until it has the wanted output.
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
#endif
