import Foundation
import Synchronization

/// Lets one writer in at a time, and tells a writer that waits for itself.
///
/// A caller's block runs while its store is being written; a save, a new identifier or closing from inside it would wait for ever.
/// No leaf lock: whoever holds it may call the caller's code, and take other locks.
public final class WriterLock: Sendable {
    /// A lock that nobody holds.
    public init() {}

    private let lock = Guarded(())
    /// The thread that writes; 0 when none does.
    private let owner = Atomic<UInt>(0)

    /// Runs `body` as the only writer.
    ///
    /// - Throws: What `body` throws, or ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when this thread writes already.
    public func withLock<Result: Sendable>(_ body: () throws -> Result) throws -> Result {
        let thread = Self.currentThreadNumber
        guard owner.load(ordering: .relaxed) != thread else {
            throw PersistenceError(
                .invalidRequest,
                "the store is being written on this thread; save, make identifiers and close it before or after that")
        }
        return try lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            return try body()
        }
    }

    /// A number of the thread's own, never 0: the address of its `errno`.
    package static var currentThreadNumber: UInt { UInt(bitPattern: currentThread) }

    private static var currentThread: UnsafeMutablePointer<Int32> {
        #if canImport(Darwin)
        __error()
        #else
        __errno_location()
        #endif
    }
}
