import Dispatch
import Foundation
import StrataCore
import StrataStoreKit

extension SQLiteStore {
    /// Subscribes a closure to commits of other store objects and other programs.
    ///
    /// SQLite counts for each connection the commits of all other ones, so that the others need no option. The count is
    /// read ten times a second. It does not contain what was committed, so that the closure receives the names of all
    /// entities. A checkpoint is no commit.
    ///
    /// - Parameter handler: A closure that receives the names of the entities. It runs on a queue of the store, one
    ///   call at a time.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if another closure is already
    ///   subscribed, or with code ``PersistenceError/Code/permissionDenied`` if this process may not lock the file.
    public func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        guard !pool.isImmutable else {
            throw PersistenceError(
                .permissionDenied,
                "this process may not lock the store, so it cannot detect the commits of others; give it permission to "
                    + "write the folder of the store", path: url.path)
        }
        let entities = Set(model.entities.map(\.name))
        let read: @Sendable () throws -> SQLiteFollower.Mark? = { [weak self] in try self?.commitsOfOthers() }
        let follower = SQLiteFollower(try commitsOfOthers(), read, report: { handler(entities) })
        try subscription.take(follower)
        follower.start()
    }

    /// Returns the count of commits of other connections than the writing one, by which this store commits.
    ///
    /// A store that is open for reading only uses a connection of its own, because it commits nothing.
    private func commitsOfOthers() throws -> SQLiteFollower.Mark {
        func mark(_ connection: SQLiteConnection) throws -> SQLiteFollower.Mark {
            SQLiteFollower.Mark(
                connection: ObjectIdentifier(connection), count: try connection.number("PRAGMA data_version") ?? 0)
        }
        guard isReadOnly else { return try withWriter(mark) }
        return try mark(try subscription.connection { try pool.separateConnection() })
    }
}

/// The subscription of a store to commits of others, and the connection by which a read-only store detects them.
final class SQLiteSubscription: Sendable {
    private let follower = Guarded<SQLiteFollower?>(nil)
    private let reader = Guarded<SQLiteConnection?>(nil)

    fileprivate func take(_ new: SQLiteFollower) throws {
        try follower.withLock { follower in
            guard follower == nil else {
                throw PersistenceError(.invalidRequest, "the changes of other processes are already observed")
            }
            follower = new
        }
    }

    fileprivate func connection(_ make: () throws -> SQLiteConnection) throws -> SQLiteConnection {
        try reader.withLock { reader in
            if let reader { return reader }
            let made = try make()
            reader = made
            return made
        }
    }

    /// Ends the subscription; a call that has begun is finished first.
    func end() {
        follower.withLock { $0 }?.stop()
        reader.withLock { reader in
            reader?.close()
            reader = nil
        }
    }
}

/// A repeated check whether other connections have committed.
final class SQLiteFollower: Sendable {
    /// The count of other connections' commits that a connection reports; counts of two connections are not comparable.
    struct Mark: Sendable, Equatable {
        let connection: ObjectIdentifier
        let count: Int64
    }

    /// The time between two checks; a check takes a few microseconds.
    private static let interval = DispatchTimeInterval.milliseconds(100)

    private static let isOnQueue = DispatchSpecificKey<Bool>()

    private let queue = DispatchQueue(label: "strata.follower")
    private let isOver = Guarded(false)
    private let last: Guarded<Mark>
    private let read: @Sendable () throws -> Mark?
    private let report: @Sendable () -> Void

    init(
        _ first: Mark, _ read: @escaping @Sendable () throws -> Mark?, report: @escaping @Sendable () -> Void
    ) {
        (self.read, self.report) = (read, report)
        last = Guarded(first)
        queue.setSpecific(key: Self.isOnQueue, value: true)
    }

    func start() { queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in self?.check() } }

    /// Ends the checks, and waits for the running one unless it calls this method.
    func stop() {
        isOver.withLock { $0 = true }
        if DispatchQueue.getSpecific(key: Self.isOnQueue) != true { queue.sync {} }
    }

    private func check() {
        guard !isOver.withLock({ $0 }) else { return }
        do {
            guard let mark = try read() else { return }
            let isNew = last.withLock { last in
                defer { last = mark }
                return last != mark
            }
            if isNew { report() }
        } catch let error as PersistenceError where error.code == .closed {
            return
        } catch {
            // A file that is locked for a moment is read at the next check.
        }
        start()
    }
}
