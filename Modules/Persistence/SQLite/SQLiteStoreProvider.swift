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

    /// Removes the file and what stands beside it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody has the store open.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        try SQLiteStore.destroy(at: file, onlyIfEmpty: onlyIfEmpty, busyTimeout: options.busyTimeout)
    }
}
