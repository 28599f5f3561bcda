import StrataCore
import StrataStoreKit

/// The identity of a request, by which its observers share one fetch.
struct ObservedRequest: Hashable, Sendable {
    private let record: ObjectIdentifier
    private let entity: String
    private let condition: FetchCondition?
    private let sort: [StoreRequest.Sort]
    private let limit: Int?
    private let offset: Int

    init(_ request: StoreRequest, of record: Any.Type) {
        self.record = ObjectIdentifier(record)
        (entity, condition, sort) = (request.entity, request.condition, request.sort)
        (limit, offset) = (request.limit, request.offset)
    }
}

/// A value that depends on committed rows.
protocol Observed: AnyObject, Sendable {
    /// The signal by which the value's observers are notified of commits.
    var signal: ChangeSignal { get }
}

/// The observed values of a container, which are notified of the commits of all writers.
///
/// The list references the values weakly: a value is observed as long as a sequence or an iterator retains it.
final class ChangeObservers: Sendable {
    private struct Observer {
        weak var signal: ChangeSignal?
    }

    private struct Shared {
        weak var value: (any AnyObject & Sendable)?
    }

    private struct State {
        var isOver = false
        var observers: [Observer] = []
        /// The observed values by their requests, so that equal requests are fetched once.
        var shared: [ObservedRequest: Shared] = [:]
    }

    private let state = Guarded(State())

    deinit { finish() }

    /// Returns the observed value of a request, or creates and adds it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed`` if the container is closed.
    func value<Value: Observed>(_ key: ObservedRequest?, orMake make: () -> Value) throws -> Value {
        try state.withLock { state in
            if state.isOver { throw PersistenceError.storeClosed }
            state.observers.removeAll { $0.signal == nil }
            state.shared = state.shared.filter { $0.value.value != nil }
            if let key, let known = state.shared[key]?.value as? Value { return known }
            let value = make()
            state.observers.append(Observer(signal: value.signal))
            if let key { state.shared[key] = Shared(value: value) }
            return value
        }
    }

    /// Notifies the values that a change may have changed, without waiting for their observers.
    func announce(_ change: StoreChange) {
        let signals = state.withLock { $0.observers.compactMap(\.signal) }
        for signal in signals where signal.region.isTouched(by: change) { signal.touch() }
    }

    /// Ends all observations.
    func finish() {
        let signals = state.withLock { state in
            state.isOver = true
            return state.observers.compactMap(\.signal)
        }
        for signal in signals { signal.finish() }
    }
}
