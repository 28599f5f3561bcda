import Foundation
import StrataCore

extension PersistentContainer {
    /// What other containers write in the store, in this process and in others, from now on.
    ///
    /// ```swift
    /// for await change in try container.remoteChanges() where change.entities.contains("Order") {
    ///     try await container.mainContext.perform { try $0.refreshAllObjects() }
    /// }
    /// ```
    ///
    /// Core Data's `NSPersistentStoreRemoteChange`. It is told of what those write whose description says ``PersistentStoreDescription/announcesChanges``,
    /// after it was committed, and never of what this container writes itself. A fetch that begins then shows it, and faults and references do, whatever
    /// ``PersistentStoreDescription/stalenessInterval`` is: the rows have left the container's cache. The objects that contexts hold stay as they are until
    /// they are fetched, or refreshed by ``ConfinedContext/refreshAllObjects()`` or ``ConfinedContext/refresh(_:mergeChanges:)``; a save that is based on what
    /// they were is a conflict, as without this.
    ///
    /// - Returns: The changes, for one listener; each call gives another one. It ends when the container is closed.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` where the description does not ask for it, and
    ///   ``PersistenceError/Code/closed``.
    public func remoteChanges() throws -> RemoteChanges {
        guard description.announcesChanges else {
            throw PersistenceError(
                .invalidRequest,
                "the container is not told what others write; say announcesChanges in the store's description",
                path: description.url?.path)
        }
        return try coordinator.remoteChanges.subscribe()
    }

    /// Listens to what others write, or closes the store.
    func beginListening() throws {
        do { try coordinator.observeRemoteChanges() } catch {
            // Why it cannot listen is what matters.
            try? coordinator.store.close()
            throw error
        }
    }
}
