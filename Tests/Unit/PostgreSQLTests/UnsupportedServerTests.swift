#if PostgreSQL
import Testing

@testable import StrataPostgreSQL

@Suite("Servers that use PostgreSQL's protocol")
struct UnsupportedServerTests {
    @Test(
        "an unsupported engine is recognized by its version text",
        arguments: [
            ("CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu, built 2024/05/15)", "CockroachDB"),
            ("PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64-pc-linux-gnu, compiled by clang version 16", "YugabyteDB"),
            ("PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu", "YugabyteDB"),
        ])
    func named(_ version: String, _ engine: String) {
        #expect(PostgreSQLServer.unsupportedEngine(version) == engine)
    }

    @Test("PostgreSQL is supported", arguments: ["PostgreSQL 13.0", "PostgreSQL 17.2 (Debian 17.2-1) on x86_64"])
    func supported(_ version: String) { #expect(PostgreSQLServer.unsupportedEngine(version) == nil) }
}
#endif
