import Logging
import Metrics
import StrataPersistence

/// The metrics and logs of the operations on the store.
struct StoreMetrics: OperationObserver {
    /// The duration from which an operation is logged with its plan.
    private static let slow = Duration.milliseconds(250)

    let factory: any MetricsFactory
    let logger: Logger

    func operationDidBegin(_ operation: StoreOperation) -> UInt64 { 0 }

    func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
        let operation = outcome.operation
        let dimensions = [
            ("db.system.name", operation.system), ("db.operation.name", operation.kind.rawValue),
            ("db.collection.name", operation.entity ?? ""),
        ]
        record("db.client.operation.duration", outcome.duration, dimensions: dimensions)
        record("db.client.operation.wait", outcome.wait, dimensions: dimensions)
        if let error = outcome.error as? PersistenceError {
            Counter(
                label: "db.client.operation.errors",
                dimensions: dimensions + [("error.type", error.code.rawValue)], factory: factory
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

    private func record(_ label: String, _ duration: Duration, dimensions: [(String, String)]) {
        let (seconds, attoseconds) = duration.components
        Timer(label: label, dimensions: dimensions, factory: factory)
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
