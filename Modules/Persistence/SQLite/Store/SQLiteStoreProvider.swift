public import Foundation
public import StrataCore
public import StrataStoreKit

/// A provider that opens and removes the SQLite store in a file.
///
/// `PersistentStoreDescription.sqlite(at:)` uses such a provider. Creating a provider does not access the file. Any
/// thread may use a provider; each method blocks until it is done.
///
/// ## Topics
///
/// ### Creating a provider
///
/// - ``init(at:)``
/// - ``url``
/// - ``kind``
/// - ``maximumColumns``
///
/// ### Opening and creating the store
///
/// - ``open(_:options:)``
/// - ``create(from:options:)``
/// - ``previewMigration(to:options:)``
///
/// ### Examining and removing the store
///
/// - ``metadata(options:)``
/// - ``check(_:options:_:report:)``
/// - ``destroy(onlyIfEmpty:options:)``
public struct SQLiteStoreProvider: StoreProvider {
    private let file: URL

    /// Creates a provider for the store in a file.
    ///
    /// - Parameter url: The file, which may be missing; its folder must exist when the store is created.
    public init(at url: URL) {
        file = url
    }

    /// The name of the store kind.
    public var kind: String { "SQLite" }

    /// True: SQLite counts the commits of other connections.
    public var canAnnounceChanges: Bool { true }

    /// The maximum count of columns: SQLite's limit of 2,000 minus the identifier and the version.
    ///
    /// `SQLITE_MAX_COLUMN` defines the limit when SQLite is built.
    public var maximumColumns: Int? { 1_998 }

    /// The file.
    public var url: URL? { file }

    /// Opens the store, or creates a missing store if `options` allow it.
    ///
    /// - Parameters:
    ///   - model: The model; a store of another model is migrated as the options define.
    ///   - options: The options. ``StoreOptions/announcesChanges`` has no effect, because SQLite itself counts commits.
    /// - Returns: A ``SQLiteStore``.
    /// - Throws: The errors of ``SQLiteStore/open(at:model:isReadOnly:createsFile:busyTimeout:durability:migration:)``.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        try SQLiteStore.open(
            at: file, model: model, isReadOnly: options.isReadOnly, createsFile: options.createsStore,
            busyTimeout: options.busyTimeout, durability: options.durability, migration: options.migration)
    }

    /// Returns the steps of a migration of the store in the file.
    ///
    /// - Throws: The errors of ``SQLiteStore/previewMigration(at:to:options:busyTimeout:)``.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try SQLiteStore.previewMigration(
            at: file, to: model, options: options.migration, busyTimeout: options.busyTimeout)
    }

    /// Returns the metadata of the store in the file.
    ///
    /// - Throws: The errors of ``SQLiteStore/metadata(at:busyTimeout:)``.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        try SQLiteStore.metadata(at: file, busyTimeout: options.busyTimeout)
    }

    /// Creates the store in the file as a copy, in one transaction.
    ///
    /// The method copies another SQLite store page by page, and other stores row by row. It copies rows unchanged,
    /// including rows that break rules which the model has tightened. It checks unique values and references.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/cannotCreate`` for an existing file that must
    ///   not be replaced, ``PersistenceError/Code/locked`` for a store that another process or connection has open,
    ///   ``PersistenceError/Code/danglingReference``, ``PersistenceError/Code/uniqueness``, or another code if reading
    ///   or writing fails; `CancellationError`.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        try SQLiteStore.checkVersion()
        try SQLiteCreation(at: file, from: copy, busyTimeout: options.busyTimeout).run()
    }

    /// Removes the file and its companion files.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another process or connection has
    ///   the store open.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        try SQLiteStore.destroy(at: file, onlyIfEmpty: onlyIfEmpty, busyTimeout: options.busyTimeout)
    }
}
