import Foundation
import Synchronization

/// Lets one writer in at a time, and tells a writer that waits for itself.
///
/// A bulk insert's body runs while its store is being written; a save, or a new identifier, from inside it would wait for ever.
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
        let thread = UInt(bitPattern: Self.currentThread)
        guard owner.load(ordering: .relaxed) != thread else {
            throw PersistenceError(
                .invalidRequest,
                "a batch insert is writing the store on this thread; save and make identifiers before or after it")
        }
        return try lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            return try body()
        }
    }

    /// An address of the thread's own: that of its `errno`.
    package static var currentThread: UnsafeMutablePointer<Int32> {
        #if canImport(Darwin)
        __error()
        #else
        __errno_location()
        #endif
    }
}
