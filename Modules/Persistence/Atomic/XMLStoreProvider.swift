public import Foundation
public import StrataCore

/// Opens, makes and removes the XML store in a file: all of it is in memory, and every save writes all of it.
///
/// For small documents that people read, compare and keep under version control: the same rows give the same file, byte for byte. What stands where in the file, and when another
/// kind of store is better, is on the page “Stores that are one file” of StrataPersistence.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: model, PersistentStoreDescription(XMLStoreProvider(at: url)), mainQueue: .private)
/// ```
///
/// A value may be used from any thread.
public struct XMLStoreProvider: StoreProvider {
    private let store: AtomicStoreProvider

    /// The store in a file, which has at most 256 MiB; its name usually ends in `.stxml`.
    public init(at url: URL) {
        store = AtomicStoreProvider(format: XMLFormat(), url: url)
    }

    /// The store in a file, with another system.
    package init(at url: URL, _ environment: AtomicEnvironment) {
        store = AtomicStoreProvider(format: XMLFormat(), url: url, environment: environment)
    }

    /// The kind's name.
    public var kind: String { store.format.kind }

    /// The file.
    public var url: URL? { store.url }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// A writing opening takes the file's lock until the store is closed; one for reading takes none, and has the state of the moment. A file that this process may
    /// not write, or whose folder it may not, is opened for reading only.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody else has the store open for writing for longer than the busy timeout;
    ///   ``PersistenceError/Code/corrupt`` for a file that is damaged, with the place; ``PersistenceError/Code/newerFormat``,
    ///   ``PersistenceError/Code/foreignStore`` and ``PersistenceError/Code/notADatabase`` for what is no store of this kind, or of this version;
    ///   ``PersistenceError/Code/incompatibleModel``, ``PersistenceError/Code/dataLoss`` and ``PersistenceError/Code/validation`` where it cannot follow the
    ///   model; `CancellationError`. The file is then as it was, byte for byte.
    /// - Complexity: O(*n* log *n*) in the rows and pairs, all of which are in memory afterwards.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        try store.opening(model, options).open()
    }

    /// What would happen if the store were opened with a model; the file is only read.
    ///
    /// - Throws: As ``open(_:options:)`` where the file cannot be read.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try store.opening(model, options).preview()
    }

    /// Removes the file, which nobody has open for writing; where there is none, nothing happens.
    ///
    /// A symbolic link stays.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody has it open for writing, and as ``open(_:options:)`` for what is no
    ///   store of this kind, which stays.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        try store.destroy(onlyIfEmpty: onlyIfEmpty, options)
    }

    // MARK: Without opening it

    /// What the store says of itself; the file is only read, and may be in use.
    ///
    /// - Throws: As ``open(_:options:)`` where the file cannot be read; ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` where there is
    ///   none.
    /// - Complexity: O(*n*) in the bytes of the file.
    public func metadata(options: StoreOptions) throws -> StoreMetadata { try store.metadata() }

    /// Makes the store, with all that one state of another one has; nobody sees a part of it.
    ///
    /// - Throws: As ``StoreProvider/create(from:options:)``; what is to be replaced has to be a store of this kind, damaged or not.
    /// - Complexity: O(*n* log *n*) in the rows and pairs, all of which are in memory meanwhile.
    public func create(from copy: StoreCopy, options: StoreOptions) throws { try store.create(from: copy, options) }

    /// Looks at all of the store; the file is only read, and may be in use.
    ///
    /// Faults say where they stand in the file. A file that is damaged is one fault, with the place from which on it cannot be read.
    ///
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` where a repair is asked for:
    ///   nothing in the file can be rebuilt from the rest. `CancellationError`, and what `report` throws.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        try store.check(model, options, checking, report: report)
    }
}
