import StrataStoreKit

/// The signals of the values that are observed in a tree of contexts.
///
/// The list references the signals weakly, so that a value is observed only as long as an iterator retains it.
final class ContextSignals: Sendable {
    private struct Entry {
        weak var signal: ChangeSignal?
    }

    private let entries = Guarded<[Entry]>([])

    func add(_ signal: ChangeSignal) {
        entries.withLock { entries in
            entries.removeAll { $0.signal == nil }
            entries.append(Entry(signal: signal))
        }
    }

    /// Counts the end of a closure of a context, and resumes the waiting observers.
    func touch() {
        for entry in entries.withLock({ $0 }) { entry.signal?.touch() }
    }
}
