import Foundation
import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Returns a subscription to the changes that other containers make in the store, in this process and in others.
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
    /// Before a subscriber is notified, the changed rows are removed from the container's row cache. Later fetches,
    /// faults and references therefore return the new values, regardless of
    /// ``PersistentStoreDescription/stalenessInterval``. Objects in contexts keep their old values until they are
    /// fetched again, or refreshed by ``ConfinedContext/refreshAllObjects()`` or
    /// ``ConfinedContext/refresh(_:mergeChanges:)``. If a save is based on the old values, it has a conflict, as
    /// without a subscription.
    ///
    /// - Returns: The sequence of changes for one subscriber; each call returns a new sequence. The sequence ends when
    ///   the container is closed.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the description does not
    ///   set ``PersistentStoreDescription/announcesChanges``, or ``PersistenceError/Code/closed`` if the container is
    ///   closed.
    public func remoteChanges() throws -> RemoteChanges {
        guard description.announcesChanges else {
            throw PersistenceError(
                .invalidRequest,
                "the container cannot report changes of other processes; set announcesChanges in the store's description",
                path: description.url?.path)
        }
        return try coordinator.remoteChanges.subscribe()
    }

    /// Subscribes to the changes of other containers; if that fails, closes the store and throws the error.
    func beginListening() throws {
        do { try coordinator.observeRemoteChanges() } catch {
            // The caller gets the error of the subscription, not the error of closing.
            try? coordinator.store.close()
            throw error
        }
    }
}
