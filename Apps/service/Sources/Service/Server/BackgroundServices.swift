import Foundation
import Logging
import ServiceLifecycle
import StrataPersistence

/// Closes the store after all other services have stopped.
struct StoreService: ServiceLifecycle.Service {
    let container: PersistentContainer

    func run() async throws {
        // Waiting fails only if the task is canceled, and the store is closed then too.
        try? await gracefulShutdown()
        try container.close()
    }
}

/// Reads the history for the event streams, and ends the streams.
struct FeedService: ServiceLifecycle.Service {
    /// The interval of comments, which is shorter than the timeouts of proxies.
    private static let tickInterval = Duration.seconds(15)

    let feed: ChangeFeed

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await feed.run() }
                group.addTask {
                    // A sleep fails only if the task is canceled.
                    while (try? await Task.sleep(for: Self.tickInterval)) != nil { await feed.tick() }
                }
            }
        }
        await feed.finish()
    }
}

/// Makes the process not ready, and waits until balancers have noticed it.
///
/// It stops before the server.
struct DrainService: ServiceLifecycle.Service {
    let probe: ContainerProbe
    let time: Duration

    func run() async throws {
        // Waiting fails only if the task is canceled, which ends the service too.
        try? await gracefulShutdown()
        probe.beginStop()
        try? await Task.sleep(for: time)
    }
}

/// Deletes responses and history that are older than a day.
struct CleaningService: ServiceLifecycle.Service {
    private static let interval = Duration.seconds(60 * 60)
    private static let hoursOfHistory = 24

    let container: PersistentContainer
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var tokens: [HistoryToken] = []
            repeat {
                do {
                    let oldest = Date() - Idempotency.storageTime
                    _ = try await container.performBatchDelete(
                        StoredResponse.self, where: .matching(#Predicate { $0.created < oldest }))
                    tokens.append(try container.historyToken())
                    if tokens.count > Self.hoursOfHistory { try container.deleteHistory(before: tokens.removeFirst()) }
                } catch {
                    logger.warning("cleaning failed", metadata: ["error": "\(error)"])
                }
                // A sleep fails only if the task is canceled.
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
