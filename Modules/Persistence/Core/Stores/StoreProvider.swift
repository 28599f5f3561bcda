public import Foundation

/// One place where a store may be, and how it is opened and removed: a kind of store is a type that conforms.
///
/// ```swift
/// try PersistentContainer(
///     model: try ManagedObjectModel(records: [Note.self]), PersistentStoreDescription(DictionaryStoreProvider()),
///     mainQueue: .private)
/// ```
public protocol StoreProvider: Sendable {
    /// The kind's name, for messages.
    var kind: String { get }

    /// The store's file, where it has one.
    var url: URL? { get }

    /// Whether a store of this kind can tell what others have written; see ``StoreOptions/announcesChanges``.
    var canAnnounceChanges: Bool { get }

    /// The most columns that the table of an entity has; `nil` if there is no limit.
    var maximumColumns: Int? { get }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// Blocks until it is done; may be called from any thread.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: How it is opened. What a kind cannot obey it refuses.
    /// - Returns: The store.
    /// - Throws: ``PersistenceError`` that says why it cannot be opened; nothing is left open, and what was there is as before.
    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore

    /// Removes the store, which nobody has open; where there is none, nothing happens.
    ///
    /// - Parameters:
    ///   - onlyIfEmpty: Whether a store that holds any row is left as it is.
    ///   - options: How it would be opened.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody has it open.
    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws

    /// Looks at all of a store that is there, and at every row, and repairs it where that is asked for.
    ///
    /// Blocks until it is done; may be called from any thread.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: How the store is opened; without a repair for reading only.
    ///   - checking: What is done.
    ///   - report: Gets the faults one by one, as many as there are; after a repair those that are left.
    /// - Returns: How many there are.
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` for a kind of store
    ///   that has nothing to look at, and what `report` throws; nothing is changed then.
    func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary

    /// What would happen if the store, which is there, were opened with a model.
    ///
    /// Blocks until it is done; may be called from any thread.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - options: How it would be opened.
    /// - Returns: What would happen; no step where the store is the model's.
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` for a kind of store
    ///   that cannot tell.
    func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview

    /// What the store, which is there, says of itself; it is only read, and may be in use.
    ///
    /// Blocks until it is done; may be called from any thread.
    ///
    /// - Parameter options: How it would be opened.
    /// - Returns: What it says.
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` for a kind of store
    ///   that is nowhere before it is opened.
    func metadata(options: StoreOptions) throws -> StoreMetadata

    /// Makes the store, with all that one state of another one has.
    ///
    /// Blocks until it is done; may be called from any thread. A process killed at any moment leaves what was there, or all of the new store.
    ///
    /// - Parameters:
    ///   - copy: The state, and what is done about a store that is there.
    ///   - options: How the store would be opened.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/cannotCreate`` where there is a store, or another file, that is not to be replaced,
    ///   ``PersistenceError/Code/locked`` for one that somebody has open, ``PersistenceError/Code/validation`` or
    ///   ``PersistenceError/Code/danglingReference`` for a row that breaks a rule which this kind of store holds rows to,
    ///   ``PersistenceError/Code/invalidRequest`` for a kind of store that is nowhere before it is opened; `CancellationError`. What was there is as before.
    func create(from copy: StoreCopy, options: StoreOptions) throws
}

extension StoreProvider {
    /// There is no file.
    public var url: URL? { nil }

    /// No limit.
    public var maximumColumns: Int? { nil }

    /// It cannot.
    public var canAnnounceChanges: Bool { false }

    /// Cannot be told.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” does not say what would happen if it followed another model"
        )
    }

    /// Is nowhere before it is opened.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        throw PersistenceError(
            .invalidRequest, "a store of the kind “\(kind)” says nothing of itself before it is opened")
    }

    /// Is nowhere before it is opened.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” cannot be made of another one")
    }

    /// There is nothing to look at.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        throw PersistenceError(.invalidRequest, "a store of the kind “\(kind)” cannot be checked; stores in files can")
    }
}

/// How a store is opened, whatever its kind.
public struct StoreOptions: Sendable {
    /// Whether nothing will be written.
    public var isReadOnly = false
    /// Whether a store is made where there is none.
    public var createsStore = true
    /// How long to wait while another process or connection holds the store.
    public var busyTimeout: Duration = .seconds(5)
    /// What a power failure may take.
    public var durability: Durability = .normal
    /// What is done where the store was made with another model.
    public var migration = MigrationOptions()
    /// Whether others are told which entities are written here, and it is told here what they write; see ``PersistentStore/observeRemoteChanges(_:)``.
    ///
    /// A store that is opened for reading only listens.
    public var announcesChanges = false

    /// For reading and writing; a store that does not exist is made.
    public init() {}
}

/// What of the saves that were acknowledged is there after a power failure or a crash of the system.
///
/// The end of the process, by whatever signal, takes nothing in either case, and half of a save is never there.
public enum Durability: Sendable, Hashable {
    /// The newest saves may be missing, those of the last seconds or since the log was written back; what is there is whole and in order.
    ///
    /// A commit does not wait for the disk: right for what can be done again, such as imports, caches, tests, and for most services.
    case normal
    /// A save that returned survives, as far as the disk keeps what it says it has written.
    ///
    /// A commit waits for the disk, some milliseconds on most: right where somebody else relies on the answer, such as orders and payments.
    case full
}

extension PersistenceError {
    /// A kind of store that cannot be opened for reading only.
    ///
    /// - Parameter subject: What cannot, as a sentence begins.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notReadOnly(_ subject: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "\(subject) cannot be opened for reading only; only stores in files can")
    }

    /// A kind of store that cannot tell what others have written.
    ///
    /// - Parameter subject: What cannot, as a sentence begins.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notAnnouncing(_ subject: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "\(subject) cannot tell what others have written; a store on a PostgreSQL server can")
    }

    /// A kind of store that cannot promise ``Durability/full``.
    ///
    /// - Parameter subject: What cannot, as a sentence begins.
    /// - Returns: An error with code ``Code/invalidRequest``.
    public static func notDurable(_ subject: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "\(subject) cannot promise that saves survive a power failure; stores in files can")
    }
}
