public import Foundation

/// A value behind a lock.
///
/// The lock is `NSLock`, a mutex of pthreads, and not `Synchronization.Mutex`, which gives itself to the thread that has waited longest: where more
/// threads than cores take it in turn each waits for another to be woken, and eight clients of one store did a third of what they do now
/// (Swift 6.3 on Linux). The thread sanitizer understands it too.
@usableFromInline package struct Guarded<Value>: ~Copyable, Sendable {
    @usableFromInline let storage: Storage

    // SAFETY: the value is read and written while the lock is held.
    @usableFromInline final class Storage: @unchecked Sendable {
        @usableFromInline let lock = NSLock()
        @usableFromInline nonisolated(unsafe) var value: Value

        @usableFromInline init(_ value: consuming sending Value) { self.value = value }
    }

    /// Guards a value.
    @inlinable package init(_ value: consuming sending Value) {
        storage = Storage(value)
    }

    /// Runs `body` with the value, alone.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.value)
    }

    /// The same where nobody else is with the value; otherwise `nil`, at once.
    package borrowing func withLockIfFree<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.value)
    }
}
