public import Persistence

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes everything that a store has into a directory: a file for each entity and each many-to-many relationship, and a manifest.
///
/// ```swift
/// let exporter = try DirectoryExporter(store: store, options: ExportOptions(format: .csv))
/// let manifest = try exporter.run(to: "backup")
/// ```
///
/// All files show one state of the store. They are written beside their targets, and put in their places when all are whole, the manifest
/// last; what else is in the directory stays.
public struct DirectoryExporter {
    private let store: any PersistentStore
    private let options: ExportOptions

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - store: What is read.
    ///   - options: How; without columns, and with a header, since what is written is to be read back.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format or a whole directory does not have.
    public init(store: any PersistentStore, options: ExportOptions) throws(InterchangeError) {
        try options.check()
        guard options.columns == nil else {
            throw InterchangeError(.unsupported, message: "columns are chosen for one entity; a directory has them all")
        }
        guard options.hasHeader else {
            throw InterchangeError(
                .unsupported, message: "files of a directory have a header, to be read back by their names")
        }
        self.store = store
        self.options = options
    }

    /// Writes the directory, which is made where there is none.
    ///
    /// - Parameters:
    ///   - path: The directory's path.
    ///   - willCommit: Called once when all files are written and before the first is put in its place; what it throws ends the export,
    ///     and everything is as it was.
    /// - Returns: What was written.
    /// - Throws: ``InterchangeError`` when writing fails, `PersistenceError` when reading does, `CancellationError`.
    public func run(to path: String, willCommit: () throws -> Void = {}) throws -> DatasetManifest {
        let isNew = try makeDirectory(path)
        do {
            return try write(to: path, willCommit)
        } catch {
            // Only an empty directory can be removed: where files were put in their places before, it stays.
            if isNew { _ = rmdir(path) }
            throw error
        }
    }

    private func write(to path: String, _ willCommit: () throws -> Void) throws -> DatasetManifest {
        let snapshots = try store.openSnapshots(max(1, options.readers))
        defer { for snapshot in snapshots { snapshot.close() } }
        let hashes = try store.model.entityHashes()
        let exporter = try DatasetExporter(store: store, options: options)
        var manifest = DatasetManifest(options)
        var files: [AtomicFile] = []
        defer { for file in files { file.discard() } }
        for entity in store.model.entities {
            let written = try WrittenFile(entity.name, options.format, in: path)
            files.append(written.file)
            let count = try exporter.run(StoreRequest(entity.name), snapshots, to: written.file.output)
            let (bytes, digest) = try written.finish()
            manifest.datasets.append(
                .init(
                    entity: entity.name, file: written.name, rows: count, bytes: bytes, sha256: digest,
                    modelHash: hashes[entity.name] ?? ""))
        }
        for link in store.model.links {
            let written = try WrittenFile(link.name, options.format, in: path)
            files.append(written.file)
            let count = try LinkExport(link, options).run(snapshots[0], to: written.file.output)
            let (bytes, digest) = try written.finish()
            manifest.links.append(
                .init(
                    link: link.name, sourceEntity: link.sourceEntity, targetEntity: link.targetEntity,
                    file: written.name, rows: count, bytes: bytes, sha256: digest))
        }
        let last = try AtomicFile(path: path + "/" + DatasetManifest.fileName)
        files.append(last)
        try last.output.append(Array(try manifest.json()))
        try last.synchronize()
        try willCommit()
        for file in files { try file.commit() }
        return manifest
    }

    /// Makes the directory unless it is there.
    ///
    /// - Returns: Whether it was made.
    private func makeDirectory(_ path: String) throws(InterchangeError) -> Bool {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw InterchangeError.creation(of: path, failedWith: ENOENT)
        }
        if mkdir(path, 0o777) == 0 { return true }
        let number = errno
        var status = stat()
        guard number == EEXIST, stat(path, &status) == 0 else {
            throw InterchangeError.creation(of: path, failedWith: number)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw InterchangeError.creation(of: path, failedWith: ENOTDIR)
        }
        return false
    }
}

/// A file whose bytes are counted and digested while they are written.
private final class WrittenFile {
    let name: String
    let file: AtomicFile
    private var digest = SHA256()
    private var count: Int64 = 0

    init(_ base: String, _ format: DatasetFormat, in path: String) throws(InterchangeError) {
        name = base + "." + format.fileEnding
        file = try AtomicFile(path: path + "/" + name)
        file.output.didWrite = { [unowned self] bytes in
            digest.update(bytes)
            count += Int64(bytes.count)
        }
    }

    /// Has the disk keep the file; what was written.
    func finish() throws(InterchangeError) -> (bytes: Int64, sha256: String) {
        try file.synchronize()
        file.output.didWrite = nil
        return (count, digest.finish())
    }
}

/// The pairs of one many-to-many relationship.
private struct LinkExport {
    private let link: LinkDescription
    private let options: ExportOptions

    init(_ link: LinkDescription, _ options: ExportOptions) {
        self.link = link
        self.options = options
    }

    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        let columns =
            ["source", "target"] + (link.isSourceOrdered ? ["sourcePosition"] : [])
            + (link.isTargetOrdered ? ["targetPosition"] : [])
        return options.format.isTable
            ? try write(TableEncoding(columns: columns, options), snapshot, output)
            : try write(JSONEncoding(columns: columns, options.layout), snapshot, output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, _ snapshot: any StoreSnapshot, _ output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        try snapshot.links(LinkRequest(link.name)) { row in
            // A symmetric pair is given from both ends.
            if link.isSymmetric, row.link.target < row.link.source { return .next }
            if stream.count % 1024 == 0, options.isCancelled() { throw CancellationError() }
            var values: [Int64?] = [row.link.source, row.link.target]
            if link.isSourceOrdered { values.append(row.sourcePosition) }
            if link.isTargetOrdered { values.append(row.targetPosition) }
            for value in values {
                stream.value { encoding, column, buffer in
                    value.map { encoding.integer($0, column, &buffer) } ?? encoding.null(column, &buffer)
                }
            }
            try stream.endRecord()
            return .next
        }
        try stream.finish()
        return stream.count
    }
}
