#if PostgreSQL
import StrataCore

/// Which server it is that a store is on.
struct PostgreSQLServer: Sendable, Hashable {
    let capabilities: PostgreSQLCapabilities
    /// Whether Citus spreads tables over nodes, each with a number behind its name and its constraints' names.
    let isCitus: Bool

    /// One that can everything.
    static let usual = PostgreSQLServer(capabilities: .all, isCitus: false)

    init(capabilities: PostgreSQLCapabilities, isCitus: Bool) {
        (self.capabilities, self.isCitus) = (capabilities, isCitus)
    }

    /// Asks a server.
    ///
    /// - Throws: ``PersistenceError`` for a server that is too old, and a database that cannot hold every text.
    init(_ connection: PostgreSQLConnection, _ settings: PostgreSQLSettings) throws {
        let answer = try connection.executeAll([
            """
            SELECT current_setting('server_version_num'), current_setting('server_encoding'), version(), \
            (SELECT count(*) FROM pg_extension WHERE extname = 'citus')
            """
        ])
        func text(_ column: Int32) -> String { answer.text(row: 0, column: column) ?? "" }
        if let engine = Self.unsupportedEngine(text(2)) {
            throw PersistenceError(
                .database,
                "the server is \(engine), which Strata does not support; use PostgreSQL 13 or newer, or Citus",
                path: settings.location)
        }
        guard Int(text(0)) ?? 0 >= 130_000 else {
            throw PersistenceError(
                .database, "the server is too old; PostgreSQL 13 or newer is needed", path: settings.location)
        }
        guard text(1) == "UTF8" else {
            throw PersistenceError(
                .database, "the database is not in UTF-8; make one with ENCODING 'UTF8'", path: settings.location)
        }
        isCitus = text(3) != "0"
        capabilities = settings.capabilities ?? (isCitus ? [] : .all)
    }

    /// Returns the name of an engine that speaks PostgreSQL's protocol and lacks statements that a store needs; `nil` for others.
    ///
    /// - Parameter version: The server's answer to `SELECT version()`.
    static func unsupportedEngine(_ version: String) -> String? {
        if version.hasPrefix("CockroachDB") { return "CockroachDB" }
        return version.firstRange(of: "-YB-") == nil ? nil : "YugabyteDB"
    }

    /// A name without the number that Citus puts behind it; numbers of shards have six digits at least.
    func name(of name: String) -> String {
        guard isCitus, let line = name.utf8.lastIndex(of: UInt8(ascii: "_")) else { return name }
        let digits = name.utf8[line...].dropFirst()
        let isNumber = digits.count >= 6 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(name[..<line]) : name
    }
}
#endif
