import Foundation
public import StrataCore
import StrataFiles
public import StrataStoreKit

/// An export of all rows of a store, or of generated rows, into a directory: a file for each entity and each
/// many-to-many relationship, and a manifest.
///
/// ```swift
/// let exporter = try DirectoryExporter(store: store, options: ExportOptions(format: .csv))
/// let manifest = try exporter.run(to: "backup")
/// ```
///
/// All files contain the same state of the store. They are written next to their targets. When all files are complete,
/// they replace the targets, beginning with the manifest. If the export is interrupted during the replacement, the
/// files differ from those in the manifest, and readers reject the directory. Other files in the directory are
/// unchanged.
///
/// Use it for a backup or to move a store to another kind of store. Read the directory with a ``DatasetDirectory``. Two
/// exports of the same state with the same options have the same bytes. An exporter has no state of its own; it can be
/// used several times.
///
/// ## Topics
///
/// ### Creating an exporter
///
/// - ``init(store:datasets:options:)``
/// - ``init(producers:pairs:model:options:)``
///
/// ### Writing a directory
///
/// - ``run(to:willCommit:manifestName:manifestBytes:)``
/// - ``DatasetManifest``
public struct DirectoryExporter {
    /// The source of the exported rows.
    ///
    /// A store and producers of rows are written in the same way, so an export of generated rows equals an export of a
    /// store that contains them.
    private enum Source {
        case store(any PersistentStore, datasets: Set<String>?)
        case producers([any RowProducer], pairs: [any PairProducer], hashes: [String: String])
    }

    private let source: Source
    private let options: ExportOptions

    /// Creates an export of the rows of a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - datasets: The names of the entities and join tables to export; `nil` for all.
    ///   - options: The export options. They must have a header and no selected columns, so that the files can be
    ///     imported again.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format, or the export of a directory, does
    ///   not support.
    public init(
        store: any PersistentStore, datasets: Set<String>? = nil, options: ExportOptions
    ) throws(InterchangeError) {
        try self.init(.store(store, datasets: datasets), options)
    }

    /// Creates an export of generated rows.
    ///
    /// - Parameters:
    ///   - producers: The producers of the rows of each entity, in the order of the manifest.
    ///   - pairs: The producers of the join rows of many-to-many relationships.
    ///   - model: The model that contains the entities.
    ///   - options: The export options. They must have a header and no selected columns, so that the files can be
    ///     imported again.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format, or the export of a directory, does
    ///   not support; the errors of a model that cannot be hashed.
    public init(
        producers: [any RowProducer], pairs: [any PairProducer] = [], model: ManagedObjectModel, options: ExportOptions
    ) throws {
        try self.init(.producers(producers, pairs: pairs, hashes: try model.entityHashes()), options)
    }

    private init(_ source: Source, _ options: ExportOptions) throws(InterchangeError) {
        try options.check()
        guard options.columns == nil else {
            throw InterchangeError(
                .unsupported,
                message: "columns can be chosen only for one entity, not for a directory")
        }
        guard options.hasHeader else {
            throw InterchangeError(
                .unsupported,
                message: "files of a directory must have a header, because an import reads columns by name")
        }
        self.source = source
        self.options = options
    }

    /// Writes all files and the manifest to a directory, which is created if it does not exist.
    ///
    /// The call blocks the calling thread. The free disk space must be sufficient for a second copy of the files,
    /// because existing files are replaced only at the end. The files are not compressed. If the export fails, a
    /// directory that the call created is removed again if it is empty.
    ///
    /// The renames are the last step. If one of them fails, the error states how many files were already replaced;
    /// write the directory again in this case.
    ///
    /// - Parameters:
    ///   - path: The path of the directory.
    ///   - willCommit: A closure that is called once after all files are written and before the first file replaces its
    ///     target. If it throws an error, the export fails and the directory is unchanged.
    ///   - manifestName: The name of the manifest file in the directory.
    ///   - manifestBytes: A closure that returns the bytes of the manifest file (default: the manifest as JSON).
    /// - Returns: The manifest of the written files.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`, and
    ///   the errors of `willCommit` and `manifestBytes`.
    /// - Complexity: O(*n*) in the rows of all entities, in constant memory.
    public func run(
        to path: String, willCommit: () throws -> Void = {},
        manifestName: String = DatasetManifest.fileName,
        manifestBytes: (DatasetManifest) throws -> [UInt8] = { Array(try $0.json()) }
    ) throws -> DatasetManifest {
        let isNew = try makeDirectory(path)
        var files = PendingFiles(in: path, options.format)
        do {
            let manifest: DatasetManifest
            switch source {
            case .store(let store, let datasets): manifest = try write(store, datasets, &files)
            case .producers(let producers, let pairs, let hashes):
                manifest = try write(producers, pairs, hashes: hashes, files: &files)
            }
            try files.addManifest(manifestName, try manifestBytes(manifest))
            try willCommit()
            try files.commit()
            return manifest
        } catch {
            files.discard()
            // Only an empty directory can be removed: it stays if some files already replaced their targets.
            if isNew { _ = rmdir(path) }
            throw error
        }
    }

    private func write(
        _ store: any PersistentStore, _ datasets: Set<String>?, _ files: inout PendingFiles
    ) throws -> DatasetManifest {
        let snapshots = try store.openSnapshots(max(1, min(options.readers, store.concurrentReaders)))
        defer { for snapshot in snapshots { snapshot.close() } }
        let hashes = try store.model.entityHashes()
        let exporter = try DatasetExporter(store: store, options: options)
        var manifest = DatasetManifest(options)
        for entity in store.model.entities where datasets?.contains(entity.name) ?? true {
            let (written, count) = try files.write(ExternalForm.fileName(entity.external.name, otherwise: entity.name))
            {
                try exporter.run(StoreRequest(entity.name), snapshots, to: $0)
            }
            manifest.datasets.append(
                .init(
                    entity: entity.name, file: written.name, rows: count, bytes: written.digest.bytes,
                    sha256: written.digest.sha256,
                    modelHash: hashes[entity.name] ?? ""))
        }
        for join in store.model.joins where join.hasDataset && datasets?.contains(join.name) ?? true {
            let (written, count) = try files.write(ExternalForm.fileName(join.linkTable?.name, otherwise: join.name)) {
                try JoinExport(join, options).run(snapshots[0], to: $0)
            }
            manifest.joins.append(.init(join, file: written.name, rows: count, digest: written.digest))
        }
        return manifest
    }

    private func write(
        _ producers: [any RowProducer], _ pairs: [any PairProducer], hashes: [String: String],
        files: inout PendingFiles
    ) throws -> DatasetManifest {
        var manifest = DatasetManifest(options)
        for producer in producers {
            let dataset = try ProducedDataset(producer, options: options)
            let (written, count) = try files.write(
                ExternalForm.fileName(producer.entity.external.name, otherwise: producer.entity.name)
            ) { try dataset.write(to: $0) }
            manifest.datasets.append(
                .init(
                    entity: producer.entity.name, file: written.name, rows: count, bytes: written.digest.bytes,
                    sha256: written.digest.sha256, modelHash: hashes[producer.entity.name] ?? ""))
        }
        for pairs in pairs {
            let dataset = ProducedPairs(pairs, options: options)
            let (written, count) = try files.write(
                ExternalForm.fileName(pairs.join.linkTable?.name, otherwise: pairs.join.name)
            ) { try dataset.write(to: $0) }
            manifest.joins.append(.init(pairs.join, file: written.name, rows: count, digest: written.digest))
        }
        return manifest
    }

    /// Creates the directory if it does not exist.
    ///
    /// - Returns: `true` if the directory was created.
    private func makeDirectory(_ path: String) throws(InterchangeError) -> Bool {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw InterchangeError.creation(of: path, failedWith: ENOENT)
        }
        if mkdir(path, 0o777) == 0 { return true }
        let number = errno
        guard number == EEXIST, let status = FileStatus(path: path) else {
            throw InterchangeError.creation(of: path, failedWith: number)
        }
        guard status.isDirectory else {
            throw InterchangeError.creation(of: path, failedWith: ENOTDIR)
        }
        return false
    }
}
