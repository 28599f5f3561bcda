import Logging
import Metrics
import StrataPersistence
import Synchronization

/// The metrics and logs of the operations on the store.
final class StoreMetrics: OperationObserver {
    /// The timers of one kind of operation, which are looked up once.
    private struct Timers {
        let duration: Timer
        let wait: Timer
    }

    /// The duration from which an operation is logged with its plan.
    private static let slow = Duration.milliseconds(250)

    private let factory: any MetricsFactory
    private let logger: Logger
    private let timers = Mutex<[StoreOperation: Timers]>([:])

    init(factory: any MetricsFactory, logger: Logger) { (self.factory, self.logger) = (factory, logger) }

    func operationDidBegin(_ operation: StoreOperation) -> UInt64 { 0 }

    func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
        let operation = outcome.operation
        let timers = timers(of: operation)
        timers.duration.recordNanoseconds(outcome.duration.nanoseconds)
        timers.wait.recordNanoseconds(outcome.wait.nanoseconds)
        if let error = outcome.error as? PersistenceError {
            Counter(
                label: "db.client.operation.errors",
                dimensions: Self.dimensions(operation) + [("error.type", error.code.rawValue)], factory: factory
            ).increment()
        }
        guard outcome.duration > Self.slow else { return }
        // The plan has placeholders instead of values. An operation without a plan is logged without it.
        let plan = (try? outcome.explanation())?.plan
        logger.warning(
            "slow operation",
            metadata: [
                "db.operation.name": "\(operation.kind)", "db.collection.name": "\(operation.entity ?? "")",
                "duration": "\(outcome.duration)", "rows": "\(outcome.rows)", "plan": "\(plan ?? "")",
            ])
    }

    private func timers(of operation: StoreOperation) -> Timers {
        timers.withLock { timers in
            if let known = timers[operation] { return known }
            let dimensions = Self.dimensions(operation)
            let made = Timers(
                duration: Timer(label: "db.client.operation.duration", dimensions: dimensions, factory: factory),
                wait: Timer(label: "db.client.operation.wait", dimensions: dimensions, factory: factory))
            timers[operation] = made
            return made
        }
    }

    private static func dimensions(_ operation: StoreOperation) -> [(String, String)] {
        [
            ("db.system.name", operation.system), ("db.operation.name", operation.kind.rawValue),
            ("db.collection.name", operation.entity ?? ""),
        ]
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
