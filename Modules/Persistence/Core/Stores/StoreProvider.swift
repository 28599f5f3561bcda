public import Foundation

/// A location of a store, with the operations to open and remove it; each kind of store is a conforming type.
///
/// ```swift
/// try PersistentContainer(
///     model: try ManagedObjectModel(records: [Note.self]), PersistentStoreDescription(DictionaryStoreProvider()),
///     mainQueue: .private)
/// ```
public protocol StoreProvider: Sendable {
    /// The kind's name, for messages.
    var kind: String { get }

    /// The store's file, if it has one.
    var url: URL? { get }

    /// A Boolean value that indicates whether a store of this kind can announce the changes of other writers.
    ///
    /// See ``StoreOptions/announcesChanges``.
    var canAnnounceChanges: Bool { get }

    /// The maximum count of columns in an entity's table; `nil` if there is no limit.
    var maximumColumns: Int? { get }

    /// Opens the store, and creates it if it does not exist and `options` permit it.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: The options; the provider rejects options that its kind cannot respect.
    /// - Returns: The store.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be opened. Nothing remains open then, and an
    ///     existing store is unchanged.
    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore

    /// Removes the store, which must not be open; does nothing if it does not exist.
    ///
    /// - Parameters:
    ///   - onlyIfEmpty: Whether a store that has any row is left unchanged.
    ///   - options: The options with which the store would be opened.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if the store is open in a process or
    ///     connection.
    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws

    /// Checks an existing store and each of its rows, and repairs it if `checking` requests a repair.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: The options with which the store is opened; without a repair, it is opened for reading only.
    ///   - checking: The options of the check.
    ///   - report: Receives all faults one by one; after a repair, the faults that remain.
    /// - Returns: A summary of the check.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be checked, with code
    ///     ``PersistenceError/Code/invalidRequest`` for a kind of store that has nothing to check; the error that
    ///     `report` throws. Nothing is changed then.
    func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary

    /// Returns the effects of opening the existing store with a model.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: The options with which the store would be opened.
    /// - Returns: The effects; no steps if the store has the same model.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be read, with code
    ///     ``PersistenceError/Code/invalidRequest`` for a kind of store without previews.
    func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview

    /// Reads the metadata of the existing store; it is opened for reading only, and may be in use.
    ///
    /// The method blocks until it is done. Any thread may call it.
    ///
    /// - Parameter options: The options with which the store would be opened.
    /// - Returns: The metadata.
    /// - Throws: ``PersistenceError`` with the reason why the store cannot be read, with code
    ///     ``PersistenceError/Code/invalidRequest`` for a kind of store that does not exist before it is opened.
    func metadata(options: StoreOptions) throws -> StoreMetadata

    /// Creates the store with the content of one state of another store.
    ///
    /// The method blocks until it is done. Any thread may call it. If the process is killed at any moment, the location
    /// has the earlier store or the complete new store.
    ///
    /// - Parameters:
    ///   - copy: The state, and the action for an existing store.
    ///   - options: The options with which the store would be opened.
    /// - Throws: ``PersistenceError`` or `CancellationError`; an existing store is unchanged then. The code is
    ///     ``PersistenceError/Code/cannotCreate`` if a store or another file exists that is not to be replaced. It is
    ///     ``PersistenceError/Code/locked`` for a store that is open in a process or connection. It is
    ///     ``PersistenceError/Code/validation`` or ``PersistenceError/Code/danglingReference`` for a row that breaks a
    ///     rule that this kind of store enforces. It is ``PersistenceError/Code/invalidRequest`` for a kind of store
    ///     that does not exist before it is opened.
    func create(from copy: StoreCopy, options: StoreOptions) throws
}

extension StoreProvider {
    /// No file.
    public var url: URL? { nil }

    /// No limit.
    public var maximumColumns: Int? { nil }

    /// `false`.
    public var canAnnounceChanges: Bool { false }

    /// Throws, because this kind of store has no previews.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” cannot preview a migration to another model"
        )
    }

    /// Throws, because this kind of store does not exist before it is opened.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” provides no information before it is opened")
    }

    /// Throws, because this kind of store does not exist before it is opened.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        throw PersistenceError(
            .invalidRequest,
            "a store of the kind “\(kind)” cannot be created as a copy of another store")
    }

    /// Throws, because this kind of store has nothing to check.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” cannot be checked; stores in files can")
    }
}

/// The options for opening a store of any kind.
public struct StoreOptions: Sendable {
    /// A Boolean value that indicates whether the store is opened for reading only.
    public var isReadOnly = false
    /// A Boolean value that indicates whether the store is created if it does not exist.
    public var createsStore = true
    /// The maximum time to wait while another process or connection locks the store.
    public var busyTimeout: Duration = .seconds(5)
    /// The saves that a power failure may lose.
    public var durability: Durability = .normal
    /// The options if the store was created with another model.
    public var migration = MigrationOptions()
    /// A Boolean value that indicates whether the store announces its changes and receives those of others.
    ///
    /// See ``PersistentStore/observeRemoteChanges(_:)``. A store that is opened for reading receives changes, and
    /// announces none.
    public var announcesChanges = false

    /// Creates options for reading and writing; a store that does not exist is created.
    public init() {}
}

/// The guarantee for acknowledged saves after a power failure or a crash of the system.
///
/// The end of the process, by any signal, loses no save in either case, and a save is never stored in part.
public enum Durability: Sendable, Hashable {
    /// The newest saves may be lost: those of the last seconds, or those since the log was last written back.
    ///
    /// The remaining saves are complete and in order. A commit does not wait for the disk. This is right for work that
    /// can be repeated, such as imports, caches and tests, and for most services.
    case normal
    /// A save that returned survives, if the disk keeps the data that it has confirmed.
    ///
    /// A commit waits for the disk, some milliseconds on most disks. This is right if another system relies on the
    /// answer, such as for orders and payments.
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
            .invalidRequest, "\(subject) cannot report changes of other processes; a store on a PostgreSQL server can")
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
