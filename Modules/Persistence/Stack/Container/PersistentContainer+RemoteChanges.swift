import Foundation
import StrataCore

extension PersistentContainer {
    /// Subscribes to the changes that other containers make in the store, in this process and in others.
    ///
    /// ```swift
    /// for await change in try container.remoteChanges() where change.entities.contains("Order") {
    ///     try await container.mainContext.perform { try $0.refreshAllObjects() }
    /// }
    /// ```
    ///
    /// This method corresponds to Core Data's `NSPersistentStoreRemoteChange`. It reports only the commits of
    /// containers whose description sets ``PersistentStoreDescription/announcesChanges``, and never the changes of this
    /// container.
    ///
    /// Before the subscriber is notified, the rows are removed from the container's cache. Later fetches, faults and
    /// references therefore show the change, independent of ``PersistentStoreDescription/stalenessInterval``. The
    /// objects in contexts are unchanged until they are fetched, or refreshed by
    /// ``ConfinedContext/refreshAllObjects()`` or ``ConfinedContext/refresh(_:mergeChanges:)``. A save that is based on
    /// the old values is a conflict, as without this subscription.
    ///
    /// - Returns: The changes for one subscriber; each call returns a new subscription. The sequence ends when the
    ///   container is closed.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the description does not
    ///   set ``PersistentStoreDescription/announcesChanges``, and ``PersistenceError/Code/closed``.
    public func remoteChanges() throws -> RemoteChanges {
        guard description.announcesChanges else {
            throw PersistenceError(
                .invalidRequest,
                "the container cannot report changes of other processes; set announcesChanges in the store's description",
                path: description.url?.path)
        }
        return try coordinator.remoteChanges.subscribe()
    }

    /// Subscribes to the changes of other writers, and closes the store on failure.
    func beginListening() throws {
        do { try coordinator.observeRemoteChanges() } catch {
            // The caller gets the error of the subscription, not the error of closing.
            try? coordinator.store.close()
            throw error
        }
    }
}
