#if PostgreSQL
import StrataCore
import StrataSQL
import StrataStoreKit

extension PostgreSQLStore {
    /// Calls a closure after each change that another store has committed.
    ///
    /// The closure is called on a thread that waits on its own connection, in addition to the connections of the pool.
    /// If this connection is lost before the store is closed, a new one replaces it, and the closure then receives all
    /// entities.
    public func observeRemoteChanges(_ handler: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        try pool.connections.checkOpen()
        guard let changeFeed else {
            throw PersistenceError(
                .invalidRequest,
                "the store was not opened with announcesChanges, and cannot report changes of other processes",
                path: pool.settings.location)
        }
        let listener = try PostgreSQLListener(
            to: changeFeed, pool.settings, entities: Set(model.entities.map(\.name)), handler: handler)
        let isFirst = listening.withLock { listening in
            guard listening == nil else { return false }
            listening = listener
            return true
        }
        do {
            guard isFirst else {
                throw PersistenceError(
                    .invalidRequest,
                    "changes of other processes are observed already; a store can have only one observer",
                    path: pool.settings.location)
            }
            // A call of ``close()`` from now on finds the listener.
            try pool.connections.checkOpen()
        } catch {
            listener.end()
            throw error
        }
    }

    /// Ends the subscription to the changes of other stores, if there is one.
    func endListening() { listening.withLock { $0 }?.end() }
}
#endif
