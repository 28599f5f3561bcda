import Foundation
import Metrics
import StrataPersistence
import StrataStoreKit
import Synchronization

/// The readiness of the process: the store answers, its disk has space, and the process is not stopping.
final class ContainerProbe: StoreProbe {
    /// The free space of the disk below which no requests are accepted, in bytes.
    private static let leastFreeBytes = 32 * 1024 * 1024

    private let container: PersistentContainer
    private let file: URL?
    private let logBytes: Gauge
    private let isStopping = Mutex(false)

    init(_ container: PersistentContainer, file: URL?, metrics: any MetricsFactory) {
        (self.container, self.file) = (container, file)
        logBytes = Gauge(label: "strata.log.bytes", dimensions: [], factory: metrics)
    }

    /// Makes the process not ready, so that balancers send no more requests.
    func beginStop() { isStopping.withLock { $0 = true } }

    func check() async throws {
        if isStopping.withLock({ $0 }) { throw Problem.unavailable("stopping", "the service is stopping", seconds: 5) }
        let information = try container.coordinator.store.information()
        if let log = information.log { logBytes.record(log.byteCount) }
        // A store that another process migrated rejects this read.
        _ = try await container.backgroundContext.count(FetchRequest<StoredResponse>(limit: 1))
        guard let file else { return }
        let folder = file.deletingLastPathComponent().path
        let free = try FileManager.default.attributesOfFileSystem(forPath: folder)[.systemFreeSize] as? NSNumber
        if let free, free.intValue < Self.leastFreeBytes {
            throw Problem.unavailable("diskFull", "the disk of the store has little space", seconds: 60)
        }
    }
}
