public import Foundation
public import StrataCore

/// A location of a store, with the operations to open and remove it; each kind of store is a conforming type.
///
/// ```swift
/// try PersistentContainer(
///     model: try ManagedObjectModel(records: [Note.self]), PersistentStoreDescription(DictionaryStoreProvider()),
///     mainQueue: .private)
/// ```
///
/// A provider is a value with the location; nothing is opened before ``open(_:options:)`` is called.
/// ``open(_:options:)`` and ``destroy(onlyIfEmpty:options:)`` are mandatory. The other methods have default
/// implementations that throw, for a kind of store without files.
///
/// A provider must not ignore an option that it does not support: it throws, so that a caller does not rely on a
/// guarantee that does not exist. ``PersistenceError/notReadOnly(_:)``, ``PersistenceError/notDurable(_:)`` and
/// ``PersistenceError/notAnnouncing(_:)`` create these errors.
///
/// ## Topics
///
/// ### Location and abilities
///
/// - ``kind``
/// - ``url``
/// - ``canAnnounceChanges``
/// - ``maximumColumns``
///
/// ### Opening and removing
///
/// - ``open(_:options:)``
/// - ``destroy(onlyIfEmpty:options:)``
/// - ``StoreOptions``
///
/// ### Inspecting
///
/// - ``check(_:options:_:report:)``
/// - ``previewMigration(to:options:)``
/// - ``metadata(options:)``
///
/// ### Copying
///
/// - ``create(from:options:)``
public protocol StoreProvider: Sendable {
    /// The name of the store's kind, for messages.
    var kind: String { get }

    /// The location of the store's file; `nil` if it has none.
    var url: URL? { get }

    /// A Boolean value that indicates whether a store of this kind can announce the changes of other writers.
    ///
    /// See ``StoreOptions/announcesChanges``.
    var canAnnounceChanges: Bool { get }

    /// The maximum count of columns in an entity's table; `nil` if there is no limit.
    var maximumColumns: Int? { get }

    /// Opens the store; if it does not exist and `options` permit it, creates the store.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// The store is migrated if it has another model and the options permit it. If two processes open the same location
    /// at the same time, one of them creates or migrates the store, and the other one waits up to the busy timeout.
    ///
    /// - Parameters:
    ///   - model: The model with which the store is opened.
    ///   - options: The options; an option that this kind of store does not support is an error.
    /// - Returns: The open store.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be opened; an existing store is then
    ///   unchanged.
    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore

    /// Deletes the store, which must not be open; does nothing if it does not exist.
    ///
    /// - Parameters:
    ///   - onlyIfEmpty: A Boolean value that indicates whether a store that has any row is retained.
    ///   - options: The options with which the store would be opened.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if a process or connection has the
    ///   store open.
    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws

    /// Checks an existing store and each of its rows for faults, and repairs the store if `checking` requests it.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameters:
    ///   - model: The model with which the store is opened.
    ///   - options: The options with which the store is opened; without a repair, it is opened for reading only.
    ///   - checking: The options of the check.
    ///   - report: A closure that receives each fault; after a repair, each fault that remains.
    /// - Returns: A summary of the check.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be checked, with code
    ///   ``PersistenceError/Code/invalidRequest`` if this kind of store has nothing to check; or the error that
    ///   `report` throws. The store is then unchanged.
    func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary

    /// Returns a preview of the effects of opening the existing store with a model.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: The options with which the store would be opened.
    /// - Returns: The preview; it has no steps if the store has the same model.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be read, with code
    ///   ``PersistenceError/Code/invalidRequest`` if this kind of store has no previews.
    func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview

    /// Returns the metadata of the existing store, which is opened for reading only and may be in use.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameter options: The options with which the store would be opened.
    /// - Returns: The metadata.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be read, with code
    ///   ``PersistenceError/Code/invalidRequest`` if this kind of store does not exist before it is opened.
    func metadata(options: StoreOptions) throws -> StoreMetadata

    /// Creates the store as a copy of one state of another store.
    ///
    /// The method blocks until it is done. Any thread may call it. If the process is killed, the location has either
    /// the earlier store or the complete new store.
    ///
    /// - Parameters:
    ///   - copy: The state to copy, and whether it replaces an existing store.
    ///   - options: The options with which the store would be opened.
    /// - Throws: ``PersistenceError`` or `CancellationError`; an existing store is then unchanged. The code is
    ///   ``PersistenceError/Code/cannotCreate`` if another file, or a store that must not be replaced, exists. It is
    ///   ``PersistenceError/Code/locked`` if a process or connection has the existing store open. It is
    ///   ``PersistenceError/Code/validation`` or ``PersistenceError/Code/danglingReference`` if a row breaks a rule
    ///   that this kind of store enforces. It is ``PersistenceError/Code/invalidRequest`` if this kind of store does
    ///   not exist before it is opened.
    func create(from copy: StoreCopy, options: StoreOptions) throws
}

extension StoreProvider {
    /// The location of the store's file: `nil`, because this kind of store has no file.
    public var url: URL? { nil }

    /// The maximum count of columns in a table: `nil`, because there is no limit.
    public var maximumColumns: Int? { nil }

    /// The default, `false`: this kind of store cannot announce the changes of other writers.
    public var canAnnounceChanges: Bool { false }

    /// Throws a ``PersistenceError``, because this kind of store has no previews.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” cannot preview a migration to another model"
        )
    }

    /// Throws a ``PersistenceError``, because this kind of store does not exist before it is opened.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” provides no information before it is opened")
    }

    /// Throws a ``PersistenceError``, because this kind of store does not exist before it is opened.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        throw PersistenceError(
            .invalidRequest,
            "a store of the kind “\(kind)” cannot be created as a copy of another store")
    }

    /// Throws a ``PersistenceError``, because this kind of store has nothing to check.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” cannot be checked; stores in files can")
    }
}

/// The options for opening a store of any kind.
///
/// A container gets the options from the description of its store; a caller that opens a store with a provider passes
/// them directly.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init()``
///
/// ### Access
///
/// - ``isReadOnly``
/// - ``createsStore``
/// - ``busyTimeout``
///
/// ### Guarantees
///
/// - ``durability``
/// - ``announcesChanges``
/// - ``Durability``
///
/// ### Migration
///
/// - ``migration``
public struct StoreOptions: Sendable {
    /// A Boolean value that indicates whether the store is opened for reading only.
    ///
    /// Such a store is never created, changed or migrated. A write throws ``PersistenceError/Code/readOnly``.
    public var isReadOnly = false
    /// A Boolean value that indicates whether the store is created if it does not exist.
    ///
    /// If it is `false`, a missing store throws ``PersistenceError/Code/storeNotFound``.
    public var createsStore = true
    /// The maximum time to wait while another process or connection locks the store.
    ///
    /// The default is 5 seconds. After this time, the call throws ``PersistenceError/Code/locked``. Zero does not wait
    /// at all. The wait for another writer of the same store object has no time limit.
    public var busyTimeout: Duration = .seconds(5)
    /// The guarantee that saves survive a power failure.
    public var durability: Durability = .normal
    /// The options for migrating the store if it was created with another model.
    public var migration = MigrationOptions()
    /// A Boolean value that indicates whether the store announces its changes and receives those of other writers.
    ///
    /// See ``PersistentStore/observeRemoteChanges(_:)``. If the store is opened for reading only, it receives changes
    /// but announces none.
    public var announcesChanges = false

    /// Creates options for reading and writing; a store that does not exist is created.
    public init() {}
}

/// The guarantee that completed saves survive a power failure or a crash of the operating system.
///
/// If only the process ends, even by a signal, no completed save is lost. A save is never stored in part.
public enum Durability: Sendable, Hashable {
    /// The newest saves may be lost: those of the last seconds, or those since the log was last moved to the store's
    /// file.
    ///
    /// All earlier saves survive completely and in order. A commit does not wait for the disk. Use this for work that
    /// can be repeated, such as imports, caches and tests, and for most services.
    case normal
    /// Every completed save survives, if the disk keeps the data whose writing it has confirmed.
    ///
    /// A commit waits for the disk, some milliseconds on most disks. Use this if another system relies on a completed
    /// save, such as for orders and payments.
    case full
}

extension PersistenceError {
    /// Returns the error for a kind of store that cannot be opened for reading only.
    ///
    /// - Parameter subject: The name of the store, as the beginning of a sentence.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notReadOnly(_ subject: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "\(subject) cannot be opened for reading only; only stores in files can")
    }

    /// Returns the error for a kind of store that cannot announce the changes of other writers.
    ///
    /// - Parameter subject: The name of the store, as the beginning of a sentence.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notAnnouncing(_ subject: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest,
            "\(subject) cannot report changes of other processes; a SQLite store and a store "
                + "on a PostgreSQL server can")
    }

    /// Returns the error for a kind of store that cannot guarantee ``Durability/full``.
    ///
    /// - Parameter subject: The name of the store, as the beginning of a sentence.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notDurable(_ subject: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "\(subject) cannot guarantee that saves survive a power failure; stores in files can")
    }
}
