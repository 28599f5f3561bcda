import Foundation
import StrataCore

/// A value that can be accessed only while its lock is held.
///
/// The lock is a pthread mutex and not `Synchronization.Mutex`, which passes itself to the thread that has waited
/// longest. If more threads than cores use such a mutex alternately, each thread waits until another one is woken:
/// eight clients of one store did less than half of the work that they do now (Swift 6.3 on Linux). The thread
/// sanitizer also supports the pthread mutex. `NSLock` is equivalent, but makes a statically linked program 44 MB
/// larger.
@usableFromInline package struct Guarded<Value>: ~Copyable, Sendable {
    // The lock is a separate object whose class is not generic. If one generic object had the lock and the value, code
    // would read the object's class to find the lock. The thread sanitizer reports that as a read of the value without
    // the lock.
    @usableFromInline let mutex: ThreadMutex
    @usableFromInline let storage: Storage

    // SAFETY: the value is read and written only while the lock is locked.
    @usableFromInline final class Storage: @unchecked Sendable {
        @usableFromInline nonisolated(unsafe) var value: Value

        @usableFromInline init(_ value: consuming sending Value) { self.value = value }
    }

    /// Creates a lock that protects a value.
    @inlinable package init(_ value: consuming sending Value) {
        mutex = ThreadMutex()
        storage = Storage(value)
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&storage.value)
    }
}

/// A pthread mutex at a memory address that does not change.
@usableFromInline final class ThreadMutex: Sendable {
    // SAFETY: the pointer is passed only to pthread functions, which any thread may call.
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
