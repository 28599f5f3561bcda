import Foundation
import HTTPTypes
import Testing

@testable import Service

@Suite("Configuration")
struct ConfigurationTests {
    @Test("options take precedence over the environment")
    func precedence() throws {
        let configuration = try Configuration(
            arguments: ["--port", "0"], environment: ["STRATA_PORT": "99", "STRATA_STORE": "a.sqlite"])
        #expect(configuration.port == 0)
        #expect(configuration.store == .file(URL(fileURLWithPath: "a.sqlite")))
        #expect(configuration.tokenFile == nil)
    }

    @Test(
        "an invalid setting states what to do",
        arguments: [
            (["--host", "0.0.0.0"], "STRATA_TOKEN_FILE"), (["--port", "x"], "digits"), (["--port", "70000"], "65535"),
            (["--nothing", "x"], "--help"), (["--port"], "append"), (["--log-level", "loud"], "info"),
            (["--migrate", "yes"], "true"), (["--store", "postgres://a:b@host/c"], "PGPASSFILE"),
        ])
    func invalid(arguments: [String], remedy: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration(arguments: arguments, environment: [:])
        }
        #expect(error?.description.contains(remedy) == true)
    }
}
