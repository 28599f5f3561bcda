#if PostgreSQL
import CStrataPostgreSQL
import Dispatch
import StrataCore

/// Where a store is, and how its connections are made.
public struct PostgreSQLSettings: Sendable {
    /// A connection string of libpq: a URI (`postgresql://host/database`) or words (`host=… dbname=…`).
    ///
    /// What it does not say comes from libpq's variables and files: PGHOST, PGPASSWORD, PGPASSFILE, PGSERVICE
    /// (postgresql.org/docs/15/libpq-envars.html).
    public var connection: String
    /// The schema that is the store; made where it is missing.
    public var schema: String
    /// The most connections at once, at least 2: one writes while another reads.
    public var poolSize: Int
    /// What the server can; `nil` is what it says when the store is opened.
    public var capabilities: PostgreSQLCapabilities?
    /// Which server it is, once that is known.
    var server = PostgreSQLServer.usual
    /// The tables of the store's model, once that is known: not every server says which one an error is about.
    var tables: [String] = []
    /// Whether others are told what is written, and can be listened to: as the store is opened.
    var announcesChanges = false
    /// Whether nothing is written: as the store is opened.
    var isReadOnly = false
    /// How long to wait for a free connection, and for another's lock: as the store is opened.
    var busyTimeout: Duration = .seconds(5)
    /// What of the commits that were answered a crash of the server may take: as the store is opened.
    var durability = Durability.normal
    /// What the server's own views call the connections.
    public var applicationName: String
    /// How long the server works on one statement before it gives up, with code ``PersistenceError/Code/locked``; `nil` is as long as it takes.
    public var statementTimeout: Duration?

    /// A store on a server.
    public init(
        _ connection: String, schema: String = "public", poolSize: Int = 10, applicationName: String = "strata"
    ) {
        (self.connection, self.schema, self.poolSize) = (connection, schema, max(2, poolSize))
        self.applicationName = applicationName
    }

    /// A store that one text names: a URI of libpq's, in which `schema` is a parameter of ours, as in `postgresql://host/database?schema=tenant`.
    ///
    /// The schema is `public` unless the text names another one.
    ///
    /// - Parameter url: The URI.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` where the schema is named twice, or is no percent-encoded text.
    public init(url: String) throws {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let parameters = parts.dropFirst().first?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        let schemas = parameters.filter { $0.hasPrefix("schema=") }.map { $0.dropFirst("schema=".count) }
        let others = parameters.filter { !$0.hasPrefix("schema=") }.joined(separator: "&")
        self.init((parts.first.map(String.init) ?? "") + (others.isEmpty ? "" : "?" + others))
        guard let schema = schemas.first else { return }
        guard schemas.count == 1, let name = Self.decoded(schema) else {
            throw PersistenceError(
                .invalidRequest, "one schema is named, and what is no letter or digit in it written as %20 and so on",
                path: location)
        }
        self.schema = name
    }

    /// A text without its percent-encoding; `nil` where that is broken, or no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            // A sign is no digit.
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

    /// Whether the connection string has a password in it, which other users of the machine may see where it is an argument.
    public var hasPassword: Bool {
        guard let words else { return false }
        return words["password"] != nil || words["sslpassword"] != nil
    }

    /// Whether no part of a password can stand where a host, a port or a database should, as one does in which an `@` is not written as `%40`.
    private static func isUnmistakable(_ words: [String: String]) -> Bool {
        let ports = words["port"]?.split(separator: ",") ?? []
        return ports.allSatisfy { UInt16($0) != nil }
            && !["host", "hostaddr", "dbname"].contains { words[$0]?.utf8.contains(UInt8(ascii: "@")) ?? false }
    }

    /// Where the store is, without a password: what errors may say.
    ///
    /// A string that is none is not said at all, nor what libpq says of it: a password with an odd character may stand anywhere in it.
    public var location: String {
        guard let found = words, Self.isUnmistakable(found) else { return "postgresql" }
        let host = found["host"] ?? found["hostaddr"] ?? ""
        let port = found["port"].map { ":\($0)" } ?? ""
        return "postgresql://\(host)\(port)/\(found["dbname"] ?? "") schema \(schema)"
    }

    /// What the connection string says, by libpq's words; `nil` for one that is none.
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

    /// Refuses what names no store, without asking a server.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``.
    public func check() throws {
        guard let words, Self.isUnmistakable(words) else {
            throw PersistenceError(
                .invalidRequest,
                "the connection string is none of libpq's; what is no letter or digit in a password is written as %21 and so on, or "
                    + "leave the password to PGPASSWORD or PGPASSFILE", path: location)
        }
        // The server would cut it, and two stores would be one.
        guard schema.utf8.count <= 63, !schema.isEmpty else {
            throw PersistenceError(
                .invalidRequest, "the schema's name has \(schema.utf8.count) bytes; 1 to 63 are possible",
                path: location)
        }
        // The server means another schema by the first, and has the others itself.
        let isTaken =
            ["$user", "information_schema"].contains(schema) || schema.hasPrefix("pg_")
            || schema.firstRange(of: PostgreSQLFunctions.quote) != nil
        guard !isTaken, !schema.utf8.contains(0) else {
            throw PersistenceError(
                .invalidRequest, "the schema's name means something else to the server; take another one",
                path: location)
        }
    }

    /// Makes a connection whose statements mean the schema.
    ///
    /// - Parameters:
    ///   - isOpening: Whether the store is open as long as the connection is, so that nobody removes it.
    ///   - alarm: What calls it off, for a connection that is there for waiting.
    /// - Returns: The connection.
    /// - Throws: ``PersistenceError``.
    func connect(isOpening: Bool = true, unless alarm: PostgreSQLAlarm? = nil) throws -> PostgreSQLConnection {
        try check()
        // What the connection string says comes later, and counts.
        let connection = try PostgreSQLConnection(
            (alarm == nil ? [] : Self.whileWaiting) + [
                ("dbname", connection), ("fallback_application_name", applicationName), ("client_encoding", "UTF8"),
            ], place: location, unless: alarm)
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

    /// A connection on which nothing is sent is asked for life, in seconds, so that who waits notices that a network is gone
    /// (postgresql.org/docs/15/libpq-connect.html).
    private static let whileWaiting = [
        ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
    ]

    /// Makes the first connection, by which is found out which server it is.
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

    /// A name as the standard has it, whatever stands in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.replacing("\"", by: "\"\"") + "\""
    }
}
#endif
