import Foundation
import Logging

extension Configuration {
    /// The help text of the program.
    public static let help = """
        usage: strata-service [OPTION VALUE]…

        Each option also has an environment variable; options take precedence.

          --store PATH|URL        STRATA_STORE         SQLite file, or postgres://… (default: service.sqlite)
          --host ADDRESS          STRATA_HOST          address to bind (default: 127.0.0.1)
          --port NUMBER           STRATA_PORT          port; 0 selects a free one (default: 8080)
          --token-file PATH       STRATA_TOKEN_FILE    lines of "NAME TOKEN"; required except on loopback
          --log-level LEVEL       STRATA_LOG_LEVEL     trace, debug, info, notice, warning or error (default: info)
          --drain-seconds NUMBER  STRATA_DRAIN_SECONDS seconds of not being ready before the stop (default: 0)
          --seed FOLDER           STRATA_SEED          import the datasets of Fixtures/ into an empty store
          --secure-cookies BOOL   STRATA_SECURE_COOKIES  true if clients use HTTPS (default: false)
          --migrate BOOL          STRATA_MIGRATE       true to migrate a store of an earlier model (default: false)
        """

    private static let names = [
        "store", "host", "port", "token-file", "log-level", "drain-seconds", "seed", "secure-cookies", "migrate",
    ]

    /// Creates the settings from the arguments and the environment of the program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the name of the program.
    ///   - environment: The environment variables.
    /// - Throws: ``ConfigurationError`` that states what to do.
    public init(arguments: [String], environment: [String: String]) throws {
        var values: [String: String] = [:]
        for name in Self.names {
            let variable = Self.variable(name)
            if let value = environment[variable], !value.isEmpty { values[name] = value }
        }
        var rest = arguments[...]
        while let option = rest.popFirst() {
            let name = String(option.dropFirst(2))
            guard option.hasPrefix("--"), Self.names.contains(name) else {
                throw ConfigurationError("unknown option \(option); --help lists the options")
            }
            guard let value = rest.popFirst() else { throw ConfigurationError("\(option) has no value; append one") }
            if name == "store", Self.isServer(value), URLComponents(string: value)?.password != nil {
                throw ConfigurationError(
                    "--store must not contain a password, which other users can see; set STRATA_STORE or PGPASSFILE")
            }
            values[name] = value
        }
        try apply(values)
        try check()
    }

    private static func variable(_ name: String) -> String {
        "STRATA_" + name.uppercased().replacing("-", with: "_")
    }

    private static func isServer(_ store: String) -> Bool {
        store.hasPrefix("postgres://") || store.hasPrefix("postgresql://")
    }

    private mutating func apply(_ values: [String: String]) throws {
        if let store = values["store"] {
            self.store = Self.isServer(store) ? .server(store) : .file(URL(fileURLWithPath: store))
        }
        host = values["host"] ?? host
        if let port = try Self.number(values, "port") { self.port = port }
        tokenFile = values["token-file"].map { URL(fileURLWithPath: $0) }
        if let name = values["log-level"] {
            guard let level = Logger.Level(rawValue: name) else {
                throw ConfigurationError("--log-level \(name) is unknown; use info, or a level that --help lists")
            }
            logLevel = level
        }
        if let seconds = try Self.number(values, "drain-seconds") { drainTime = .seconds(seconds) }
        seedFolder = values["seed"].map { URL(fileURLWithPath: $0) }
        if let isOn = try Self.boolean(values, "secure-cookies") { hasSecureCookies = isOn }
        if let isOn = try Self.boolean(values, "migrate") { migrates = isOn }
    }

    private func check() throws {
        guard 0...65_535 ~= port else {
            throw ConfigurationError("--port \(port) is not a port; use a number from 0 to 65535")
        }
        guard tokenFile != nil || isLoopback else {
            throw ConfigurationError(
                "--host \(host) accepts connections of other machines, which requires authentication; "
                    + "set STRATA_TOKEN_FILE to a file with lines of \"NAME TOKEN\", or use --host 127.0.0.1")
        }
        #if !PostgreSQL
        if case .server = store {
            throw ConfigurationError(
                "this program was built without PostgreSQL; build it with --traits PostgreSQL, or set STRATA_STORE to "
                    + "a path"
            )
        }
        #endif
    }

    private static func number(_ values: [String: String], _ name: String) throws -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw ConfigurationError("--\(name) \(text) is not a number of at least 0; use digits only")
        }
        return number
    }

    private static func boolean(_ values: [String: String], _ name: String) throws -> Bool? {
        guard let text = values[name] else { return nil }
        guard let value = Bool(text) else { throw ConfigurationError("--\(name) \(text) is neither true nor false") }
        return value
    }
}
