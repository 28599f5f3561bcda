public import Synchronization

/// A `Mutex` that the thread sanitizer understands.
///
/// A `Mutex` waits inside the standard library, which is not instrumented, so that the sanitizer takes whatever two threads do one after the
/// other under a contended lock for a race (Swift 6.3 on Linux). The atomic number tells it what comes after what; it costs nanoseconds.
@usableFromInline package struct Guarded<Value>: ~Copyable {
    @usableFromInline let mutex: Mutex<Value>
    @usableFromInline let turns = Atomic<UInt>(0)

    /// Guards a value.
    @inlinable package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` with the value, alone.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock { value throws(Failure) in
            _ = turns.load(ordering: .acquiring)
            defer { turns.wrappingAdd(1, ordering: .releasing) }
            return try body(&value)
        }
    }

    /// The same where nobody else is with the value; otherwise `nil`, at once.
    package borrowing func withLockIfFree<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { value throws(Failure) in
            _ = turns.load(ordering: .acquiring)
            defer { turns.wrappingAdd(1, ordering: .releasing) }
            return try body(&value)
        }
    }
}

extension Guarded: Sendable {}
