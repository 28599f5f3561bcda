import Foundation
import StrataCore
import Synchronization

/// A lock for one writer of a store at a time, which detects that a thread would wait for itself.
///
/// A caller's closure runs while its store is written. A save, a reservation of identifiers or a close inside the
/// closure would otherwise wait forever. Code that holds the lock may call callers' closures and take other locks.
public final class WriterLock: Sendable {
    /// Creates an unlocked lock.
    public init() {}

    private let lock = ThreadMutex()
    /// The number of the thread that writes; 0 if no thread writes.
    private let owner = Atomic<UInt>(0)

    /// Runs `body` while no other thread writes.
    ///
    /// The call blocks without a time limit while another thread writes.
    ///
    /// - Parameter body: A closure that writes; it may read the store.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` with code
    ///   ``PersistenceError/Code/invalidRequest`` if this thread already writes.
    public func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
        let thread = Self.currentThreadNumber
        guard owner.load(ordering: .relaxed) != thread else {
            throw PersistenceError(
                .invalidRequest,
                "the store is being written on this thread; save, create identifiers and close the store before or "
                    + "after the write")
        }
        ConnectionWait.during { lock.lock() }
        defer { lock.unlock() }
        owner.store(thread, ordering: .relaxed)
        defer { owner.store(0, ordering: .relaxed) }
        return try body()
    }

    /// A number that identifies the current thread, never 0: the address of its `errno`.
    package static var currentThreadNumber: UInt { UInt(bitPattern: currentThread) }

    private static var currentThread: UnsafeMutablePointer<Int32> {
        #if canImport(Darwin)
        __error()
        #else
        __errno_location()
        #endif
    }
}
