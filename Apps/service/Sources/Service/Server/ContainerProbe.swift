import StrataPersistence
import StrataStoreKit
import Synchronization

/// The readiness of the process: the store answers, and the process is not stopping.
final class ContainerProbe: StoreProbe {
    private let container: PersistentContainer
    private let isStopping = Mutex(false)

    init(_ container: PersistentContainer) { self.container = container }

    /// Makes the process not ready, so that balancers send no more requests.
    func beginStop() { isStopping.withLock { $0 = true } }

    func check() async throws {
        if isStopping.withLock({ $0 }) { throw Problem.unavailable("stopping", "the service is stopping", seconds: 5) }
        _ = try container.coordinator.store.information()
        // A store that another process migrated rejects this read.
        _ = try await container.backgroundContext.count(FetchRequest<StoredResponse>(limit: 1))
    }
}
