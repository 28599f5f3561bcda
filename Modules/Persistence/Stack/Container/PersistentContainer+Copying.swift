import Foundation
import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Copies the current state of the container's store to another location, possibly as another kind of store.
    ///
    /// ```swift
    /// try container.copyPersistentStore(to: .sqlite(at: backup))
    /// ```
    ///
    /// The copy contains everything in the store: rows with their identifiers and versions, join rows with their
    /// positions, the identifiers for the next inserted rows, the custom metadata texts, the model, and the store's
    /// identifier. It does not contain unsaved changes of contexts. Other readers and writers may continue to use the
    /// store. A SQLite store is copied to a new file page by page with SQLite's backup API.
    ///
    /// - Parameters:
    ///   - destination: The location of the copy.
    ///   - options: The options for replacing an existing store, progress and cancellation.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` if a file exists at the
    ///   destination and may not be replaced, ``PersistenceError/Code/locked`` if the store to be replaced is open
    ///   elsewhere, or another code if the copy fails; `CancellationError` if it is canceled. If the method throws, an
    ///   existing store at the destination is unchanged.
    /// - Complexity: O(*n*) in the number of rows and join rows. An XML or binary store is completely in memory.
    public func copyPersistentStore(to destination: PersistentStoreDescription, options: CopyOptions = CopyOptions())
        throws
    {
        try destination.checkOptions()
        try destination.checkColumns(of: coordinator.model)
        let snapshots = try coordinator.store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        let copy = try options.copy(snapshots[0], of: coordinator.store)
        try destination.provider.create(from: copy, options: destination.options)
    }

    /// Moves the container to another location or kind of store.
    ///
    /// The method copies the store, closes this container, and opens the copy. The original store is unchanged, and
    /// ``destroyPersistentStore(_:onlyIfEmpty:)`` can delete it. The copy does not contain data that other writers save
    /// to the original store after the copy.
    ///
    /// - Parameters:
    ///   - destination: The new location of the store.
    ///   - options: The options for replacing an existing store, progress and cancellation.
    /// - Returns: A container that has opened the copy.
    /// - Throws: The errors of ``copyPersistentStore(to:options:)``, after which this container stays open; or the
    ///   errors of ``close()`` and ``init(model:_:mainQueue:)``, after which the copy exists.
    public func migratePersistentStore(
        to destination: PersistentStoreDescription, options: CopyOptions = CopyOptions()
    ) throws -> PersistentContainer {
        try copyPersistentStore(to: destination, options: options)
        try close()
        return try PersistentContainer(model: model, destination, mainQueue: mainQueue)
    }

    /// Copies a store that is not open in this process; see ``copyPersistentStore(to:options:)``.
    ///
    /// - Parameters:
    ///   - source: The store, which is only read and may be in use.
    ///   - destination: The location of the copy.
    ///   - model: The model of the source store; `nil` uses the model that is saved in the store, which lacks rules of
    ///     Swift types.
    ///   - options: The options for replacing an existing store, progress and cancellation.
    /// - Throws: The errors of ``copyPersistentStore(to:options:)``; ``PersistenceError`` with code
    ///   ``PersistenceError/Code/incompatibleModel`` if the source store has another model, or if `model` is `nil` and
    ///   the store does not contain its model.
    public static func copyPersistentStore(
        _ source: PersistentStoreDescription, to destination: PersistentStoreDescription,
        model: ManagedObjectModel? = nil, options: CopyOptions = CopyOptions()
    ) throws {
        guard let model = try model ?? metadata(of: source).model else {
            throw PersistenceError(
                .incompatibleModel,
                "the store was created by an early version that did not store the model; open it with its model",
                path: source.url?.path)
        }
        let container = try PersistentContainer(model: model, source.readOnly, mainQueue: .private)
        do { try container.copyPersistentStore(to: destination, options: options) } catch {
            // The caller gets the error of the copy, not the error of closing.
            try? container.close()
            throw error
        }
        try container.close()
    }

    /// Replaces a store, or creates it if it does not exist, with a copy of another store, for example to restore a
    /// backup.
    ///
    /// - Parameters:
    ///   - destination: The store to replace, which must not be open.
    ///   - source: The store to copy, which is only read and remains unchanged.
    ///   - model: The model of the source store; `nil` uses the model that is saved in that store.
    ///   - options: The options for progress and cancellation.
    /// - Throws: The errors of ``copyPersistentStore(_:to:model:options:)``. If the method throws, an existing
    ///   destination store is unchanged.
    public static func replacePersistentStore(
        _ destination: PersistentStoreDescription, with source: PersistentStoreDescription,
        model: ManagedObjectModel? = nil, options: CopyOptions = CopyOptions()
    ) throws {
        var options = options
        options.replacesStore = true
        try copyPersistentStore(source, to: destination, model: model, options: options)
    }
}
