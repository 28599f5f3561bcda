import StrataFiles

/// The files of an export into a directory, which replace their targets only after all of them are complete.
struct PendingFiles {
    /// The name and digest of a file that was written.
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
    ///   - base: The name of the file without its extension.
    ///   - body: A closure that writes the file and returns the number of rows in it.
    /// - Returns: The name and digest of the file, and the number of rows in it.
    /// - Throws: The errors of `body`, or ``InterchangeError`` if writing fails.
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

    /// Writes the manifest, which replaces its target before the files that it lists do.
    ///
    /// If the process is killed during the replacement, the manifest lists files that differ from those in the
    /// directory, which every reader detects. In the reverse order there could be a new set of files without a
    /// manifest, and a reader could not detect that files are missing.
    mutating func addManifest(_ name: String, _ bytes: [UInt8]) throws {
        let file = try AtomicFile(path: path + "/" + name)
        files.insert(file, at: 0)
        try file.output.append(bytes)
        try file.synchronize()
    }

    /// Replaces all targets with the written files, beginning with the manifest; only the renaming can still fail.
    ///
    /// A lock prevents that several processes replace files of the directory at the same time, so that all files are
    /// from one process. If the file system does not support locks, no lock is used.
    func commit() throws(InterchangeError) {
        let directory = OpenFile(folder: path)
        directory?.lock()
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

    /// Discards the files that have not replaced their targets.
    func discard() { for file in files { file.discard() } }
}
