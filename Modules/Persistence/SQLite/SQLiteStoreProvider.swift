public import Foundation
public import StrataCore

/// Opens and removes the SQLite store in a file.
public struct SQLiteStoreProvider: StoreProvider {
    private let file: URL

    /// The store in a file.
    public init(at url: URL) {
        file = url
    }

    /// The kind's name.
    public var kind: String { "SQLite" }

    /// The 2,000 of SQLite (`SQLITE_MAX_COLUMN` unless it was built otherwise) without identifier and version.
    public var maximumColumns: Int? { 1_998 }

    /// The file.
    public var url: URL? { file }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// - Throws: As ``SQLiteStore/open(at:model:isReadOnly:createsFile:busyTimeout:durability:migration:)``.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        try SQLiteStore.open(
            at: file, model: model, isReadOnly: options.isReadOnly, createsFile: options.createsStore,
            busyTimeout: options.busyTimeout, durability: options.durability, migration: options.migration)
    }

    /// What would happen to the store in the file.
    ///
    /// - Throws: As ``SQLiteStore/previewMigration(at:to:options:busyTimeout:)``.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try SQLiteStore.previewMigration(
            at: file, to: model, options: options.migration, busyTimeout: options.busyTimeout)
    }

    /// What the store in the file says of itself.
    ///
    /// - Throws: As ``SQLiteStore/metadata(at:busyTimeout:)``.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        try SQLiteStore.metadata(at: file, busyTimeout: options.busyTimeout)
    }

    /// Makes the store in the file: of another SQLite store page by page, of others row by row, in one transaction either way.
    ///
    /// Rows are taken as they are, also those that break rules which the model has tightened; what no two rows may have, and references, are checked.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` for a file that is there and not to be replaced,
    ///   ``PersistenceError/Code/locked`` for a store that somebody has open, ``PersistenceError/Code/danglingReference``,
    ///   ``PersistenceError/Code/uniqueness``, or what hinders reading or writing; `CancellationError`.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        try SQLiteStore.checkVersion()
        try SQLiteCreation(at: file, from: copy, busyTimeout: options.busyTimeout).run()
    }

    /// Removes the file and what stands beside it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody has the store open.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        try SQLiteStore.destroy(at: file, onlyIfEmpty: onlyIfEmpty, busyTimeout: options.busyTimeout)
    }
}
