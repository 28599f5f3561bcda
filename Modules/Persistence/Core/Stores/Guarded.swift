import Foundation

/// A value behind a lock.
///
/// The lock is a mutex of pthreads, and not `Synchronization.Mutex`, which gives itself to the thread that has waited longest: where more threads than
/// cores take it in turn each waits for another to be woken, and eight clients of one store did less than half of what they do now (Swift 6.3 on
/// Linux). The thread sanitizer understands it too. `NSLock` is the same, and makes a program that is linked statically 44 MB larger.
@usableFromInline package struct Guarded<Value>: ~Copyable, Sendable {
    // The lock is an object of its own, which is the same for all values: of one with a value the class is looked at to find the lock in it, and
    // the thread sanitizer takes that for a look at the value, without the lock.
    @usableFromInline let mutex: ThreadMutex
    @usableFromInline let storage: Storage

    // SAFETY: the value is read and written while the lock is held.
    @usableFromInline final class Storage: @unchecked Sendable {
        @usableFromInline nonisolated(unsafe) var value: Value

        @usableFromInline init(_ value: consuming sending Value) { self.value = value }
    }

    /// Guards a value.
    @inlinable package init(_ value: consuming sending Value) {
        mutex = ThreadMutex()
        storage = Storage(value)
    }

    /// Runs `body` with the value, alone.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&storage.value)
    }
}

/// A mutex of pthreads, in memory that does not move.
@usableFromInline final class ThreadMutex: Sendable {
    // SAFETY: it is given to pthreads' functions only, which any thread may call.
    private nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    @usableFromInline init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @usableFromInline func lock() { pthread_mutex_lock(mutex) }
    @usableFromInline func unlock() { pthread_mutex_unlock(mutex) }
}
