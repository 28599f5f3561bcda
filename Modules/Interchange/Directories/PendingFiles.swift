#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files of a directory that is being written, which replace their targets only when all are complete.
struct PendingFiles {
    /// The name and digest of a written file.
    struct Written {
        var name: String
        var digest: FileDigest
    }

    private let path: String
    private let format: DatasetFormat
    private var files: [AtomicFile] = []

    init(in path: String, _ format: DatasetFormat) {
        self.path = path
        self.format = format
    }

    /// Writes a file and computes its size and digest.
    ///
    /// - Parameters:
    ///   - base: The name without its extension.
    ///   - body: A closure that writes the file and returns the number of rows.
    /// - Returns: The name and digest of the file, and the number of rows.
    /// - Throws: The errors of `body`, or ``InterchangeError``.
    mutating func write(_ base: String, _ body: (ByteOutput) throws -> Int) throws -> (Written, rows: Int) {
        let name = base + "." + format.fileEnding
        let file = try AtomicFile(path: path + "/" + name)
        files.append(file)
        let digest = RunningDigest()
        file.output.didWrite = { digest.update($0) }
        defer { file.output.didWrite = nil }
        let rows = try body(file.output)
        try file.synchronize()
        return (Written(name: name, digest: digest.finish()), rows)
    }

    /// Writes the manifest, which replaces its target before the files that it lists.
    ///
    /// If the process is killed in between, the manifest lists other files than there are, which every reader detects.
    /// In the reverse order there could be files without a manifest, which a reader could take for all files.
    mutating func addManifest(_ name: String, _ bytes: [UInt8]) throws {
        let file = try AtomicFile(path: path + "/" + name)
        files.insert(file, at: 0)
        try file.output.append(bytes)
        try file.synchronize()
    }

    /// Replaces all targets with the files, the manifest first; only the renaming can still fail.
    ///
    /// A lock serializes concurrent writers of the same directory, so that all files come from one writer. A file
    /// system without locks is accepted.
    func commit() throws(InterchangeError) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        if directory >= 0 { while flock(directory, LOCK_EX) != 0, errno == EINTR {} }
        for (count, file) in files.enumerated() {
            do throws(InterchangeError) {
                try file.replaceTarget()
                // Synchronize the manifest first, so that a power failure does not leave files without a manifest.
                if count == 0 { try Folder.synchronize(directory, path: path) }
            } catch {
                guard count > 0 else { throw error }
                var error = error
                error.message +=
                    "; \(count) of \(files.count) files in \(path) were already replaced; write the directory again"
                throw error
            }
        }
        try Folder.synchronize(directory, path: path)
    }

    /// Discards the files that did not replace their targets yet.
    func discard() { for file in files { file.discard() } }
}
