public import Foundation
public import StrataCore
import StrataInMemory
public import StrataStoreKit

/// A provider that opens, creates and removes a store in one file.
///
/// The whole store is in memory, and every save writes the whole file. The page “Stores that are one file” of
/// StrataPersistence describes the contents of the file, and when to use which kind of store.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: model, PersistentStoreDescription(AtomicStoreProvider(.xml, at: url)), mainQueue: .private)
/// ```
///
/// A save writes a new file and moves it to the location of the old one. Therefore the file is always complete, also
/// after a crash, and a reader of the file never sees a part of a save. The time of a save grows with the whole store,
/// not with the changes: put many changes into one save.
///
/// Only one process or container at a time can have the store open for writing. Any number of them can read it.
///
/// A value may be used from any thread.
///
/// ## Topics
///
/// ### Creating a provider
///
/// - ``init(_:at:)``
/// - ``FileFormat``
/// - ``url``
/// - ``kind``
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
public struct AtomicStoreProvider: StoreProvider {
    /// The format of the store's file.
    public enum FileFormat: Sendable, Hashable, CaseIterable {
        /// XML, for small documents that people read, compare and keep under version control.
        ///
        /// The same rows always result in the same bytes.
        case xml
        /// A binary format, for stores that must be opened quickly.
        ///
        /// An example is data that is delivered with a program.
        case binary

        var format: any AtomicFormat {
            switch self {
            case .xml: XMLFormat()
            case .binary: BinaryFormat()
            }
        }
    }

    private let format: any AtomicFormat
    private let file: URL
    private let environment: AtomicEnvironment

    /// Creates a provider for the store in a file; a store can have at most 256 MiB, and the name of an XML or binary
    /// store usually ends in `.stxml` or `.stbin`.
    ///
    /// The name has no effect on the format. Creating a provider does not access the file.
    ///
    /// - Parameters:
    ///   - format: The format of the file; a file in another format is rejected when the store is opened.
    ///   - url: The file, which may be missing. A symbolic link to the file is followed.
    public init(_ format: FileFormat, at url: URL) { self.init(format, at: url, AtomicEnvironment()) }

    /// Creates a provider for the store in a file, with replaced system calls and limits, for tests.
    package init(_ format: FileFormat, at url: URL, _ environment: AtomicEnvironment) {
        (self.format, file, self.environment) = (format.format, url, environment)
    }

    private func opening(_ model: ManagedObjectModel, _ options: StoreOptions) -> AtomicOpening {
        AtomicOpening(format, at: file, model: model, options: options, environment: environment)
    }

    /// The name of the store kind.
    public var kind: String { format.kind }

    /// The file.
    public var url: URL? { file }

    /// Opens the store, and creates it if it is missing and `options` allow that.
    ///
    /// If the store is opened for writing, the file is locked until the store is closed. If the store is opened for
    /// reading only, the file is not locked, and the store contains the rows of the moment of the opening. If this
    /// process may not write the file or its folder, the store is opened for reading only.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another process or container has
    ///   the store open for writing for longer than the busy timeout; ``PersistenceError/Code/corrupt`` with the
    ///   location if the file is damaged; ``PersistenceError/Code/newerFormat``, ``PersistenceError/Code/foreignStore``
    ///   and ``PersistenceError/Code/notADatabase`` if the file is not a store of this kind or of a supported version;
    ///   ``PersistenceError/Code/incompatibleModel``, ``PersistenceError/Code/dataLoss`` and
    ///   ``PersistenceError/Code/validation`` if the store cannot be migrated to the model; `CancellationError`. The
    ///   file is unchanged in these cases, byte for byte.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows, all of which are in memory afterward.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        try opening(model, options).open()
    }

    /// Returns a preview of the migration that opening the store with a model would perform; does not change the file.
    ///
    /// - Throws: The same errors as ``open(_:options:)`` if the file cannot be read.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try opening(model, options).preview()
    }

    /// Removes the file unless another process has it open for writing; does nothing if there is no file.
    ///
    /// A symbolic link to the file remains.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another process or container has
    ///   the store open for writing; the errors of ``open(_:options:)`` if the file is not a store of this kind, which
    ///   remains.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        let location = StoreLocation(self.file.path)
        let lock = StoreLock(location: location, busyTimeout: options.busyTimeout)
        guard case .taken(let open) = try lock.take(needsWriting: false) else { return }
        let file = try AtomicFile(open, at: location, durability: options.durability, environment)
        if file.byteCount ?? 0 > 0 {
            let bytes = try file.contents()
            let head = try format.naming(location.name, bytes) { try format.head(of: bytes) }
            if onlyIfEmpty {
                let rows = try format.naming(location.name, bytes) {
                    let loader = ContentsLoader(try head.model(comparedWith: nil))
                    try format.read(bytes, after: head, into: loader)
                    return try loader.contents(metadata: [:]).rowCount
                }
                if rows > 0 { return }
            }
        }
        try file.remove()
    }

    // MARK: Stores that are not open

    /// Returns the metadata of the store; does not change the file, which may be in use.
    ///
    /// - Throws: The same errors as ``open(_:options:)`` if the file cannot be read; ``PersistenceError`` with code
    ///   ``PersistenceError/Code/storeNotFound`` if there is no store.
    /// - Complexity: O(*n*) in the size of the file.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        let opening = opening(try ManagedObjectModel([]), options)
        let bytes = try opening.bytesToRead()
        return try format.naming(opening.location.name, bytes) {
            let head = try format.head(of: bytes)
            let model = try head.model(comparedWith: nil)
            return StoreMetadata(
                information: StoreInformation(
                    kind: format.kind, identifier: head.identifier, formatVersion: format.version,
                    byteCount: Int64(bytes.count)),
                modelImage: try model.json(), modelFile: head.modelFile, model: model, texts: head.metadata)
        }
    }

    /// Creates the store with the contents of a snapshot of another store; the file is replaced only when the new one
    /// is complete.
    ///
    /// - Throws: The errors of ``StoreProvider/create(from:options:)``. An existing file is replaced only if it is a
    ///   store of this kind, even a damaged one.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows, all of which are in memory meanwhile.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        try AtomicCreation(
            format: format, location: StoreLocation(file.path), copy: copy, options: options, environment: environment
        ).run()
    }

    /// Checks the whole store; does not change the file, which may be in use.
    ///
    /// Each fault contains its location in the file. If the file is damaged, one fault reports the location from which
    /// the file cannot be read.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be checked; ``PersistenceError`` with code
    ///   ``PersistenceError/Code/invalidRequest`` if a repair is requested and the model has no record type that
    ///   computes or changes values, because no other content can be rebuilt; `CancellationError`; or an error that
    ///   `report` throws.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        // The computed values of records were written when the store was open.
        guard !checking.repairs || model.entities.contains(where: { model.form(of: $0.name) != nil }) else {
            throw PersistenceError(
                .invalidRequest,
                "stores of the kind “\(format.kind)” cannot be repaired: nothing in the file can be rebuilt from the "
                    + "rest; restore a backup",
                path: file.path)
        }
        return try withoutActuallyEscaping(report) { report in
            try AtomicCheck(opening(model, options), checking, report: report).run()
        }
    }
}
