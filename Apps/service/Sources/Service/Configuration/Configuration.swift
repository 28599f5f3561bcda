public import Foundation
public import Logging

/// The settings of the service.
public struct Configuration: Sendable {
    /// The store of the service.
    public enum Store: Sendable, Equatable {
        /// A SQLite file.
        case file(URL)
        /// A PostgreSQL server, with its connection string.
        case server(String)
    }

    /// The limits of requests and streams.
    public struct Limits: Sendable {
        /// The maximum size of the body of a record, in bytes.
        public var bodyBytes = 256 * 1024
        /// The maximum size of the body of an import, in bytes.
        public var importBytes = 256 * 1024 * 1024
        /// The maximum size of all header fields of a request, in bytes.
        public var headerBytes = 16 * 1024
        /// The maximum length of a condition, in bytes.
        public var conditionBytes = 2_000
        /// The maximum count of event streams of all clients.
        public var streams = 200
        /// The maximum count of event streams of one client.
        public var streamsPerClient = 20
        /// The maximum duration of a request, without event streams, imports and exports.
        public var requestTime = Duration.seconds(15)
        /// The maximum duration of an import or export.
        public var transferTime = Duration.seconds(300)
        /// The time in which a client must read a block of a stream.
        public var writeTime = Duration.seconds(10)
        /// The time after which an idle connection is closed.
        public var idleTime = Duration.seconds(75)

        /// Creates the default limits.
        public init() {}
    }

    /// The store.
    public var store = Store.file(URL(fileURLWithPath: "service.sqlite"))
    /// The address on which the service accepts connections.
    public var host = "127.0.0.1"
    /// The port; 0 selects a free port.
    public var port = 8080
    /// The file of tokens; `nil` permits all requests, which is possible on loopback only.
    public var tokenFile: URL?
    /// The lowest level of messages that are logged.
    public var logLevel = Logger.Level.info
    /// The time between the request to stop and the last accepted request, in which balancers notice the state.
    public var drainTime = Duration.zero
    /// The folder with the data for an empty store.
    public var seedFolder: URL?
    /// A Boolean value that indicates whether cookies require HTTPS.
    public var hasSecureCookies = false
    /// A Boolean value that indicates whether a store of an earlier model is migrated at the start.
    public var migrates = false
    /// The limits.
    public var limits = Limits()

    /// Creates the default settings.
    public init() {}

    /// A Boolean value that indicates whether only this machine can connect.
    public var isLoopback: Bool { Self.loopbackHosts.contains(host) }

    static let loopbackHosts: Set<String> = ["127.0.0.1", "localhost", "::1", "[::1]"]
}

/// An error of the settings, which names the setting and the remedy.
public struct ConfigurationError: Error, CustomStringConvertible {
    /// The message for the operator.
    public let description: String

    init(_ description: String) { self.description = description }
}
