import Foundation
import Synchronization

/// A lock for one writer at a time that detects a writer waiting for itself.
///
/// The caller's block runs while its store is being written. A save, a new identifier or closing inside the block would
/// wait forever. The lock is not a leaf lock: its owner may call the caller's code and take other locks.
public final class WriterLock: Sendable {
    /// Creates an unlocked lock.
    public init() {}

    private let lock = Guarded(())
    /// The thread that writes; 0 if there is none.
    private let owner = Atomic<UInt>(0)

    /// Runs `body` as the only writer.
    ///
    /// - Throws: The error that `body` throws, or ``PersistenceError`` with code
    ///     ``PersistenceError/Code/invalidRequest`` if this thread already writes.
    public func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
        let thread = Self.currentThreadNumber
        guard owner.load(ordering: .relaxed) != thread else {
            throw PersistenceError(
                .invalidRequest,
                "the store is being written on this thread; save, create identifiers and close the store before or "
                    + "after the write")
        }
        return try lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            return try body()
        }
    }

    /// A number of the current thread, never 0: the address of its `errno`.
    package static var currentThreadNumber: UInt { UInt(bitPattern: currentThread) }

    private static var currentThread: UnsafeMutablePointer<Int32> {
        #if canImport(Darwin)
        __error()
        #else
        __errno_location()
        #endif
    }
}
