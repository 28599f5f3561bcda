import Foundation
import Hummingbird
public import Logging
import Metrics
import NIOCore
import ServiceLifecycle
import StrataPersistence
import UnixSignals

/// The service: the store, the server and their lifecycle.
///
/// Only this file and its folder know the container.
public struct ServiceProgram: Sendable {
    /// The count of contexts for reading.
    private static let readerCount = 4
    /// The maximum duration of the stop after the drain time, after which running requests are canceled.
    private static let stopTime = Duration.seconds(20)

    private let configuration: Configuration
    private let logger: Logger
    private let metrics: PrometheusMetrics
    private let onRunning: @Sendable (Int) -> Void

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - logger: The logger of requests and of the store.
    ///   - onRunning: A closure that receives the port when the server accepts connections.
    public init(
        _ configuration: Configuration, logger: Logger, onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.logger = logger
        self.onRunning = onRunning
        metrics = PrometheusMetrics()
    }

    /// Makes the metrics of the process those of this service.
    ///
    /// A process can do this once.
    public func bootstrapMetrics() { MetricsSystem.bootstrap(metrics) }

    /// Runs the service until SIGTERM or SIGINT.
    ///
    /// - Throws: ``ConfigurationError`` or the error of the store if the service cannot start.
    public func run() async throws {
        let group = try await group(signals: [.sigterm, .sigint])
        try await group.run()
    }

    /// Opens the store, and returns the services in the order in which they start.
    func group(signals: [UnixSignal]) async throws -> ServiceGroup {
        let container = try await open()
        do {
            if let folder = configuration.seedFolder {
                try await Seed(from: folder, into: container, logger: logger).run()
            }
            let (services, probe) = try services(container)
            let feed = FeedService(feed: services.feed)
            // Services stop in reverse order, one after another.
            var group = ServiceGroupConfiguration(
                services: [
                    StoreService(container: container), CleaningService(container: container, logger: logger), feed,
                    try application(services), DrainService(probe: probe, time: configuration.drainTime),
                ], gracefulShutdownSignals: signals, logger: logger)
            group.maximumGracefulShutdownDuration = configuration.drainTime + Self.stopTime
            return ServiceGroup(configuration: group)
        } catch {
            try container.close()
            throw error
        }
    }

    private func open() async throws -> PersistentContainer {
        var description = try storeDescription()
        description.history = .changes
        description.announcesChanges = true
        description.author = "strata-service"
        description.migration.mode = configuration.migrates ? description.migration.mode : .refuse
        description.operationObserver = OperationObservers(observers: [
            StoreMetrics(factory: metrics, logger: logger), StoreTraces(),
        ])
        return try await PersistentContainer.load(model: Resources.model(), description, mainQueue: .private)
    }

    private func storeDescription() throws -> PersistentStoreDescription {
        switch configuration.store {
        case .file(let url): return .sqlite(at: url)
        case .server(let connection):
            #if PostgreSQL
            return .postgreSQL(
                connection, statementTimeout: configuration.limits.transferTime, applicationName: "strata-service")
            #else
            throw ConfigurationError("this program cannot use \(connection.prefix { $0 != ":" }) stores")
            #endif
        }
    }

    private var isOnServer: Bool { file == nil }

    private var file: URL? { if case .file(let url) = configuration.store { url } else { nil } }

    private func services(_ container: PersistentContainer) throws -> (Services, ContainerProbe) {
        let limits = configuration.limits
        let probe = ContainerProbe(container, file: file, metrics: metrics)
        let reads = ContextPool(container, name: "reads", count: Self.readerCount)
        // A file permits one writer at a time, so that several contexts would only wait for each other.
        let writes = ContextPool(container, name: "writes", count: isOnServer ? Self.readerCount : 1)
        let history = StoredHistory(
            container: container, entities: Set(Resources.entities), interval: .milliseconds(isOnServer ? 250 : 2_000))
        let services = Services(
            model: container.model, reads: reads, writes: writes, transfer: ContainerTransfer(container), probe: probe,
            feed: ChangeFeed(history, reads),
            authenticator: try configuration.tokenFile.map { try TokenAuthenticator(file: $0) } ?? OpenAuthenticator(),
            metrics: metrics, pages: try .bundled(),
            texts: try ClientTexts(container.model, maximumBytes: limits.conditionBytes), limits: limits,
            streams: StreamLimiter(maximum: limits.streams, maximumPerClient: limits.streamsPerClient),
            hasSecureCookies: configuration.hasSecureCookies, isOpen: configuration.tokenFile == nil)
        return (services, probe)
    }

    private func application(_ services: Services) throws -> some ApplicationProtocol {
        let (headerBytes, idleTime) = (configuration.limits.headerBytes, configuration.limits.idleTime)
        return Application(
            router: try services.router(),
            server: .http1(
                configuration: .init(
                    idleTimeout: TimeAmount(idleTime),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: headerBytes, maxHeaderListSize: headerBytes, maxHeaderFieldCount: 100))),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { onRunning(port) }
            },
            logger: logger)
    }
}
