#if PostgreSQL
import StrataCore

extension PostgreSQLStore {
    /// Has `told` called whenever others have written rows of the store, on a thread that listens on a connection of its own, beside those of the pool.
    ///
    /// A connection that is lost is made anew until the store is closed; all entities are told then.
    public func observeRemoteChanges(_ told: @escaping @Sendable (_ entities: Set<String>) -> Void) throws {
        try pool.checkOpen()
        guard let changeFeed else {
            throw PersistenceError(
                .invalidRequest, "the store was not opened with announcesChanges, and is not told what others write",
                path: pool.settings.location)
        }
        let listener = try PostgreSQLListener(
            to: changeFeed, pool.settings, entities: Set(model.entities.map(\.name)), told: told)
        let isFirst = listening.withLock { listening in
            guard listening == nil else { return false }
            listening = listener
            return true
        }
        do {
            guard isFirst else {
                throw PersistenceError(
                    .invalidRequest, "it is told to somebody already what others write", path: pool.settings.location)
            }
            // Who closes the store from now on finds the listener.
            try pool.checkOpen()
        } catch {
            listener.end()
            throw error
        }
    }

    /// Listens no longer.
    func endListening() { listening.withLock { $0 }?.end() }
}
#endif
