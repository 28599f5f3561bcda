import StrataPersistence
import Tracing

/// The spans of the operations on the store, as children of the span of the request.
///
/// Without a tracer of the process, nothing is recorded: a program sets one by `InstrumentationSystem.bootstrap(_:)`.
struct StoreTraces: OperationObserver {
    func operationDidBegin(_ operation: StoreOperation) -> UInt64 { 0 }

    func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
        let operation = outcome.operation
        let name = [operation.kind.rawValue, operation.entity].compactMap(\.self).joined(separator: " ")
        let end = DefaultTracerClock.now
        let (seconds, attoseconds) = outcome.duration.components
        let nanoseconds = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
        let begin = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - nanoseconds)
        let span = startSpan(name, at: begin, context: ServiceContext.current ?? .topLevel, ofKind: .client)
        span.attributes["db.system.name"] = operation.system
        span.attributes["db.operation.name"] = operation.kind.rawValue
        span.attributes["db.collection.name"] = operation.entity
        span.attributes["db.response.returned_rows"] = outcome.rows
        if let error = outcome.error {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
        }
        span.end(at: end)
    }
}

/// Several observers of the same store.
struct OperationObservers: OperationObserver {
    let observers: [any OperationObserver]

    func operationDidBegin(_ operation: StoreOperation) -> UInt64 {
        for observer in observers { _ = observer.operationDidBegin(operation) }
        return 0
    }

    func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
        for observer in observers { observer.operationDidEnd(token, outcome) }
    }
}
