#if PostgreSQL
import StrataCore

/// The kind and capabilities of the server of a store.
struct PostgreSQLServer: Sendable, Hashable {
    let capabilities: PostgreSQLCapabilities
    /// A Boolean value that indicates whether the server uses Citus, which distributes the tables over nodes.
    ///
    /// On its nodes, Citus appends a number to the names of tables and constraints.
    let isCitus: Bool

    /// A PostgreSQL server with all capabilities.
    static let usual = PostgreSQLServer(capabilities: .all, isCitus: false)

    init(capabilities: PostgreSQLCapabilities, isCitus: Bool) {
        (self.capabilities, self.isCitus) = (capabilities, isCitus)
    }

    /// Reads the properties of a server, and checks that it supports stores.
    ///
    /// - Throws: ``PersistenceError`` if the server is too old, or if the database's encoding cannot represent every
    ///   text.
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

    /// Returns the name of an engine that stores do not support, or `nil` if the engine is supported.
    ///
    /// An unsupported engine uses PostgreSQL's protocol, but lacks statements that a store needs.
    ///
    /// - Parameter version: The server's answer to `SELECT version()`.
    /// - Returns: The name of the unsupported engine, or `nil`.
    static func unsupportedEngine(_ version: String) -> String? {
        if version.hasPrefix("CockroachDB") { return "CockroachDB" }
        return version.firstRange(of: "-YB-") == nil ? nil : "YugabyteDB"
    }

    /// Returns the name of a table or constraint without the number that Citus appends, which has at least six digits.
    func name(of name: String) -> String {
        guard isCitus, let line = name.utf8.lastIndex(of: UInt8(ascii: "_")) else { return name }
        let digits = name.utf8[line...].dropFirst()
        let isNumber = digits.count >= 6 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? String(name[..<line]) : name
    }
}

/// The features of a PostgreSQL server that Citus lacks, and for which the store has substitutes.
///
/// The store reads them from the server when it is opened; see <doc:OutgrowingOneMachine>. A set with fewer features
/// than the server has is valid, but slower.
///
/// ## Topics
///
/// ### Features
///
/// - ``immediateChecks``
/// - ``exportedSnapshots``
/// - ``notifications``
/// - ``all``
///
/// ### Creating a set
///
/// - ``init(rawValue:)``
/// - ``rawValue``
public struct PostgreSQLCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set, one for each feature.
    public let rawValue: Int

    /// Creates a set from the bits of its features.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The server checks references immediately after `SET CONSTRAINTS … IMMEDIATE`, so that the error names the row.
    ///
    /// Without this feature, batch operations search for rows with dangling references.
    public static let immediateChecks = PostgreSQLCapabilities(rawValue: 1)
    /// Several connections can read the same snapshot.
    ///
    /// Without this feature, several readers of a snapshot use one connection alternately.
    public static let exportedSnapshots = PostgreSQLCapabilities(rawValue: 2)
    /// The server reports a commit immediately to other connections by `LISTEN` and `NOTIFY`.
    ///
    /// If the server lacks this feature and ``StoreOptions/announcesChanges`` is true, each commit inserts a row into a
    /// table that other processes read once per second.
    public static let notifications = PostgreSQLCapabilities(rawValue: 4)
    /// All features of PostgreSQL.
    public static let all: PostgreSQLCapabilities = [.immediateChecks, .exportedSnapshots, .notifications]
}
#endif
