#if PostgreSQL
import CStrataPostgreSQL
import Dispatch
import StrataCore
import StrataStoreKit

/// The location of a PostgreSQL store, and the settings of its connections.
///
/// `PersistentStoreDescription.postgreSQL(_:schema:poolSize:statementTimeout:applicationName:capabilities:)` creates
/// these settings; use the type itself with a ``PostgreSQLStoreProvider``, or to read the settings from one URI.
/// Creating settings does not connect to the server.
///
/// Passwords do not appear in ``location`` and in errors. Put a password into PGPASSFILE or a service file instead of
/// the connection string, so that it is not visible in arguments and logs of other programs.
///
/// ## Topics
///
/// ### Creating settings
///
/// - ``init(_:schema:poolSize:applicationName:)``
/// - ``init(url:)``
/// - ``check()``
///
/// ### Locating the store
///
/// - ``connection``
/// - ``schema``
/// - ``location``
/// - ``hasPassword``
///
/// ### Configuring connections
///
/// - ``poolSize``
/// - ``statementTimeout``
/// - ``applicationName``
/// - ``capabilities``
public struct PostgreSQLSettings: Sendable {
    /// The connection string of libpq: a URI (`postgresql://host/database`) or keywords (`host=… dbname=…`).
    ///
    /// If the string lacks a value, libpq uses its environment variables and files: PGHOST, PGPASSWORD, PGPASSFILE,
    /// PGSERVICE (postgresql.org/docs/15/libpq-envars.html).
    public var connection: String
    /// The name of the database schema that contains the store; the schema is created if it is missing.
    ///
    /// The name has 1 to 63 bytes. It must not begin with `pg_`, and must not be `information_schema` or `$user`. Upper
    /// and lower case are different. One schema contains at most one store; use a schema for each tenant.
    public var schema: String
    /// The maximum count of simultaneous connections of the store; at least 2, so that one can write while another one
    /// reads.
    ///
    /// Each running call, cursor and snapshot uses one connection. If all of them are in use, a call waits up to the
    /// busy timeout, and then throws ``PersistenceError/Code/locked``. A subscription to the changes of other processes
    /// uses one more connection. The server limits the count of all clients together (`max_connections`).
    public var poolSize: Int
    /// The capabilities of the server; if `nil`, the store reads them from the server when it is opened.
    ///
    /// All containers of a store must use the same capabilities. Set the property only to use fewer features than the
    /// server has.
    public var capabilities: PostgreSQLCapabilities?
    /// The kind and capabilities of the server, after the first connection has determined them.
    var server = PostgreSQLServer.usual
    /// The names of the tables of the store's model, once they are known; if a server's error does not contain the
    /// table, the table is derived from these names.
    var tables: [String] = []
    /// A Boolean value that indicates whether the store announces its changes and can observe the changes of other
    /// stores.
    var announcesChanges = false
    /// A Boolean value that indicates whether the store is opened for reading only.
    var isReadOnly = false
    /// The maximum time to wait for a free connection or a lock, from the store options.
    var busyTimeout: Duration = .seconds(5)
    /// The guarantee for committed changes if the server crashes, from the store options.
    var durability = Durability.normal
    /// The name of the connections in the server's statistics views.
    ///
    /// A name in the connection string or in PGAPPNAME precedes this one.
    public var applicationName: String
    /// The maximum duration of one statement, or `nil` for no limit (default).
    ///
    /// If a statement takes longer, the server ends it with an error, whose code is ``PersistenceError/Code/locked``.
    /// The limit also applies to the statements of migrations and checks, which can take long.
    public var statementTimeout: Duration?

    /// Creates the settings of a store on a server.
    ///
    /// - Parameters:
    ///   - connection: The connection string of libpq.
    ///   - schema: The name of the database schema that contains the store.
    ///   - poolSize: The maximum count of simultaneous connections; a number less than 2 is replaced by 2.
    ///   - applicationName: The name of the connections in the server's statistics views.
    public init(
        _ connection: String, schema: String = "public", poolSize: Int = 10, applicationName: String = "strata"
    ) {
        (self.connection, self.schema, self.poolSize) = (connection, schema, max(2, poolSize))
        self.applicationName = applicationName
    }

    /// Creates the settings of a store from one URI, such as `postgresql://host/database?schema=tenant`.
    ///
    /// The URI has the form of libpq's URIs, with the additional parameter `schema`, whose default is `public`. All
    /// other parameters remain in ``connection``, and libpq checks them when the store is opened.
    ///
    /// - Parameter url: The URI.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the URI contains two
    ///   schemas, or if the percent-encoding of the schema is invalid.
    public init(url: String) throws {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.dropFirst().first?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        let schemas = parameters.filter { $0.hasPrefix("schema=") }.map { $0.dropFirst("schema=".count) }
        let others = parameters.filter { !$0.hasPrefix("schema=") }.joined(separator: "&")
        self.init((parts.first.map(String.init) ?? "") + (others.isEmpty ? "" : "?" + others))
        guard let schema = schemas.first else { return }
        guard schemas.count == 1, let name = Self.decoded(schema) else {
            throw PersistenceError(
                .invalidRequest,
                "exactly one schema must be named; write characters other than letters and digits as %20 and so on",
                path: location)
        }
        self.schema = name
    }

    /// Returns a text with its percent-encoding decoded, or `nil` if the encoding or the decoded UTF-8 is invalid.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // The initializer of integers would accept a sign.
            guard digits.count == 2, !digits.contains(UInt8(ascii: "+")), let code = UInt8(Substring(digits), radix: 16)
            else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return max(1, min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000)
    }

    var poolDeadline: DispatchTime { .now() + .milliseconds(Int(Self.milliseconds(busyTimeout))) }

    /// A Boolean value that indicates whether the connection string contains a password.
    ///
    /// A password in a program's arguments is visible to other users of the machine.
    public var hasPassword: Bool {
        guard let words else { return false }
        return words["password"] != nil || words["sslpassword"] != nil
    }

    /// Returns a Boolean value that indicates whether the parsed host, port and database certainly contain no part of a
    /// password.
    ///
    /// If a password contains an `@` that is not encoded as `%40`, libpq parses a part of the password as the host.
    private static func isUnmistakable(_ words: [String: String]) -> Bool {
        let ports = words["port"]?.split(separator: ",") ?? []
        return ports.allSatisfy { UInt16($0) != nil }
            && !["host", "hostaddr", "dbname"].contains { words[$0]?.utf8.contains(UInt8(ascii: "@")) ?? false }
    }

    /// The location of the store for error messages, without a password.
    ///
    /// If libpq cannot parse the connection string, the location contains neither the string nor libpq's message,
    /// because any part of the string may belong to a password with unusual characters.
    public var location: String {
        guard let found = words, Self.isUnmistakable(found) else { return "postgresql" }
        let host = found["host"] ?? found["hostaddr"] ?? ""
        let port = found["port"].map { ":\($0)" } ?? ""
        return "postgresql://\(host)\(port)/\(found["dbname"] ?? "") schema \(schema)"
    }

    /// The values in the connection string, by libpq's keywords; `nil` if libpq cannot parse the string.
    private var words: [String: String]? {
        guard let options = PQconninfoParse(connection, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var found: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { found[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return found
    }

    /// Throws an error if the settings are invalid; the method does not connect to the server.
    ///
    /// Opening a store calls this method. Call it earlier to report a mistake in a configuration before any work
    /// begins.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if libpq cannot parse the
    ///   connection string, or if the name of the schema is too long or has a special meaning for the server.
    public func check() throws {
        guard let words, Self.isUnmistakable(words) else {
            throw PersistenceError(
                .invalidRequest,
                "the connection string is not valid for libpq; write characters of a password other than letters and "
                    + "digits as %21 and so on, or put the password into PGPASSWORD or PGPASSFILE", path: location)
        }
        // The server would truncate a longer name, and two schemas could become one.
        guard schema.utf8.count <= 63, !schema.isEmpty else {
            throw PersistenceError(
                .invalidRequest, "the schema's name has \(schema.utf8.count) bytes; 1 to 63 are allowed",
                path: location)
        }
        // The server interprets `$user` as another schema and reserves the others.
        let isTaken =
            ["$user", "information_schema"].contains(schema) || schema.hasPrefix("pg_")
            || schema.firstRange(of: PostgreSQLFunctions.quote) != nil
        guard !isTaken, !schema.utf8.contains(0) else {
            throw PersistenceError(
                .invalidRequest, "the schema's name has a special meaning for the server; choose another name",
                path: location)
        }
    }

    /// Creates a connection whose statements use tables of the schema.
    ///
    /// - Parameters:
    ///   - isOpening: A Boolean value that indicates whether the connection marks the store as open, which prevents the
    ///     removal of the store.
    ///   - wakeUp: The pipe whose signal cancels the attempt to connect; if it is not `nil`, the connection is
    ///     configured for long waits.
    /// - Returns: The connection.
    /// - Throws: ``PersistenceError`` if the connection fails.
    func connect(isOpening: Bool = true, unless wakeUp: WakeUpPipe? = nil) throws -> PostgreSQLConnection {
        try check()
        // The connection string follows the keep-alive parameters and overrides them.
        let connection = try PostgreSQLConnection(
            (wakeUp == nil ? [] : Self.whileWaiting) + [
                ("dbname", connection), ("fallback_application_name", applicationName), ("client_encoding", "UTF8"),
            ], place: location, unless: wakeUp)
        (connection.server, connection.tables) = (server, tables)
        do {
            try connection.execute(
                "SET search_path TO \(quotedSchema), pg_temp; SET lock_timeout = \(Self.milliseconds(busyTimeout)); "
                    + (statementTimeout.map { "SET statement_timeout = \(Self.milliseconds($0)); " } ?? "")
                    + "SET extra_float_digits = 1; SET standard_conforming_strings = on")
            if durability == .full { try connection.waitForDisk() }
            if isOpening { try connection.beginUse(schema) }
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// The connection parameters, in seconds, by which a waiting connection detects a network failure.
    ///
    /// Source: postgresql.org/docs/15/libpq-connect.html.
    private static let whileWaiting = [
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ]

    /// Creates the store's first connection, and reads the kind and capabilities of the server.
    mutating func connectFirst() throws -> PostgreSQLConnection {
        let connection = try connect(isOpening: false)
        do {
            server = try PostgreSQLServer(connection, self)
            connection.server = server
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    var quotedSchema: String { PostgreSQLSettings.quoted(schema) }

    /// Returns a name as a quoted identifier of the SQL standard (ISO/IEC 9075); the name may contain any character.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", by: "\"\"") + "\""
    }
}
#endif
