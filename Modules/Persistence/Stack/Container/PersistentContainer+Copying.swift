import Foundation
import StrataCore

extension PersistentContainer {
    /// Makes a copy of the container's store at another place, and of another kind where that is wanted: the state of now.
    ///
    /// ```swift
    /// try container.copyPersistentStore(to: .sqlite(at: backup))
    /// ```
    ///
    /// The copy has all that the store has: rows with identifiers and versions, pairs with positions, the next identifiers, the texts of users, the
    /// model, and the store's identifier. Nothing that contexts have not saved is in it. Everybody may go on reading and writing the store; a SQLite
    /// store is copied to a new file page by page, by SQLite's own backup.
    ///
    /// - Parameters:
    ///   - destination: Where the copy is made.
    ///   - options: What is done about a store that is there, who is told, who may cancel.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` where there is a file that is not to be replaced,
    ///   ``PersistenceError/Code/locked`` for a store to be replaced that somebody has open, or what else hinders it;
    ///   `CancellationError`. What was there is as before.
    /// - Complexity: O(*n*) in the rows and pairs; a store that is one file is in memory as a whole.
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

    /// Goes on with the store at another place, or of another kind: copies it, closes this container, and opens the copy.
    ///
    /// The store that was is left as it is, for ``destroyPersistentStore(_:onlyIfEmpty:)``; what is written to it after the copy, by others, is not in the copy.
    ///
    /// - Parameters:
    ///   - destination: Where the store is from now on.
    ///   - options: What is done about a store that is there, who is told, who may cancel.
    /// - Returns: A container with the copy.
    /// - Throws: As ``copyPersistentStore(to:options:)``; this container is then open as before. As ``close()`` and ``init(model:_:mainQueue:)``, when the copy
    ///   is made.
    public func migratePersistentStore(
        to destination: PersistentStoreDescription, options: CopyOptions = CopyOptions()
    ) throws -> PersistentContainer {
        try copyPersistentStore(to: destination, options: options)
        try close()
        return try PersistentContainer(model: model, destination, mainQueue: mainQueue)
    }

    /// Makes a copy of a store that nobody has to have open; see ``copyPersistentStore(to:options:)``.
    ///
    /// - Parameters:
    ///   - source: The store; it is only read, and may be in use.
    ///   - destination: Where the copy is made.
    ///   - model: The store's model; `nil` takes what the store keeps of it, without the rules of its Swift types.
    ///   - options: What is done about a store that is there, who is told, who may cancel.
    /// - Throws: As ``copyPersistentStore(to:options:)``; ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel`` for a store of
    ///   another model, or one that does not keep its own.
    public static func copyPersistentStore(
        _ source: PersistentStoreDescription, to destination: PersistentStoreDescription,
        model: ManagedObjectModel? = nil, options: CopyOptions = CopyOptions()
    ) throws {
        guard let model = try model ?? metadata(of: source).model else {
            throw PersistenceError(
                .incompatibleModel, "the store was made before stores kept their whole model; give it its model",
                path: source.url?.path)
        }
        let container = try PersistentContainer(model: model, source.readOnly, mainQueue: .private)
        do { try container.copyPersistentStore(to: destination, options: options) } catch {
            // What hindered the copy is what matters.
            try? container.close()
            throw error
        }
        try container.close()
    }

    /// Replaces a store by a copy of another one, be there a store or not: a backup that is put back.
    ///
    /// - Parameters:
    ///   - destination: The store that is replaced; nobody may have it open.
    ///   - source: The store that takes its place; it is only read, and stays.
    ///   - model: The model of the store that takes its place; `nil` takes what that keeps of it.
    ///   - options: Who is told, who may cancel.
    /// - Throws: As ``copyPersistentStore(_:to:model:options:)``; the store that was there is then there as before.
    public static func replacePersistentStore(
        _ destination: PersistentStoreDescription, with source: PersistentStoreDescription,
        model: ManagedObjectModel? = nil, options: CopyOptions = CopyOptions()
    ) throws {
        var options = options
        options.replacesStore = true
        try copyPersistentStore(source, to: destination, model: model, options: options)
    }
}
