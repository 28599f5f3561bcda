public import Foundation
public import StrataCore
import StrataInMemory

/// Opens, makes and removes a store that is one file: all of it is in memory, and every save writes all of it.
///
/// What stands where in the file, and when which kind of store is better, is on the page “Stores that are one file” of StrataPersistence.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: model, PersistentStoreDescription(AtomicStoreProvider(.xml, at: url)), mainQueue: .private)
/// ```
///
/// A value may be used from any thread.
public struct AtomicStoreProvider: StoreProvider {
    /// How the file is written.
    public enum FileFormat: Sendable, Hashable, CaseIterable {
        /// For small documents that people read, compare and keep under version control: the same rows give the same file, byte for byte.
        case xml
        /// For rows that fit in memory and are read quickly at the beginning, such as what a program is delivered with.
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

    /// The store in a file, which has at most 256 MiB; its name usually ends in `.stxml` or `.stbin`.
    public init(_ format: FileFormat, at url: URL) { self.init(format, at: url, AtomicEnvironment()) }

    /// The store in a file, with another system.
    package init(_ format: FileFormat, at url: URL, _ environment: AtomicEnvironment) {
        (self.format, file, self.environment) = (format.format, url, environment)
    }

    private func opening(_ model: ManagedObjectModel, _ options: StoreOptions) -> AtomicOpening {
        AtomicOpening(format, at: file, model: model, options: options, environment: environment)
    }

    /// The kind's name.
    public var kind: String { format.kind }

    /// The file.
    public var url: URL? { file }

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
        try opening(model, options).open()
    }

    /// What would happen if the store were opened with a model; the file is only read.
    ///
    /// - Throws: As ``open(_:options:)`` where the file cannot be read.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try opening(model, options).preview()
    }

    /// Removes the file, which nobody has open for writing; where there is none, nothing happens.
    ///
    /// A symbolic link stays.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody has it open for writing, and as ``open(_:options:)`` for what is no
    ///   store of this kind, which stays.
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

    // MARK: Without opening it

    /// What the store says of itself; the file is only read, and may be in use.
    ///
    /// - Throws: As ``open(_:options:)`` where the file cannot be read; ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` where there is
    ///   none.
    /// - Complexity: O(*n*) in the bytes of the file.
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

    /// Makes the store, with all that one state of another one has; nobody sees a part of it.
    ///
    /// - Throws: As ``StoreProvider/create(from:options:)``; what is to be replaced has to be a store of this kind, damaged or not.
    /// - Complexity: O(*n* log *n*) in the rows and pairs, all of which are in memory meanwhile.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        try AtomicCreation(
            format: format, location: StoreLocation(file.path), copy: copy, options: options, environment: environment
        ).run()
    }

    /// Looks at all of the store; the file is only read, and may be in use.
    ///
    /// Faults say where they stand in the file. A file that is damaged is one fault, with the place from which on it cannot be read.
    ///
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` for a repair of a model without
    ///   record types that compute or change values: nothing else can be rebuilt. `CancellationError`, and what `report` throws.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func check(
        _ model: ManagedObjectModel, options: StoreOptions, _ checking: StoreCheckOptions,
        report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        // The values of records were written when the store was open.
        guard !checking.repairs || model.entities.contains(where: { model.form(of: $0.name) != nil }) else {
            throw PersistenceError(
                .invalidRequest,
                "the kind “\(format.kind)” of stores cannot be repaired: nothing in the file can be rebuilt from the rest; put a backup back",
                path: file.path)
        }
        return try withoutActuallyEscaping(report) { report in
            try AtomicCheck(opening(model, options), checking, report: report).run()
        }
    }
}
