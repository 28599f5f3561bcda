import CStrataSQLite
import StrataCore

extension SQLiteConnection {
    /// The count of SQLite's virtual machine steps between two checks for cancellation; they take some milliseconds.
    private static let stepsBetween: Int32 = 50_000

    /// Runs `body`, and interrupts a statement of the connection if a closure returns `true`.
    ///
    /// - Throws: `CancellationError` if a statement was interrupted, or the error of `body`.
    func cancelling(if isCancelled: @escaping @Sendable () -> Bool, _ body: () throws -> Void) throws {
        let cancellation = Cancellation(isCancelled: isCancelled)
        // SAFETY: the handler is removed before the object is deallocated. It runs only on this thread, inside a call
        // of `body`.
        sqlite3_progress_handler(
            handle, Self.stepsBetween,
            { $0.map { Unmanaged<Cancellation>.fromOpaque($0).takeUnretainedValue().isCancelled() ? 1 : 0 } ?? 0 },
            Unmanaged.passUnretained(cancellation).toOpaque())
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            withExtendedLifetime(cancellation) {}
        }
        do {
            try body()
        } catch let error as PersistenceError where error.sqliteCode == SQLITE_INTERRUPT {
            throw CancellationError()
        }
    }

    private final class Cancellation {
        let isCancelled: @Sendable () -> Bool

        init(isCancelled: @escaping @Sendable () -> Bool) {
            self.isCancelled = isCancelled
        }
    }
}
