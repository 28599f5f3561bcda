#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files of a directory while they are written: put in their places when all are whole, or not at all.
struct PendingFiles {
    /// What was written of one file.
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

    /// Writes a file, which is counted and digested on the way.
    ///
    /// - Parameters:
    ///   - base: The name without its ending.
    ///   - body: Writes; what it returns is the number of rows.
    /// - Returns: What was written, and the number of rows.
    /// - Throws: What `body` throws, or ``InterchangeError``.
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

    /// Writes the manifest, which is put in its place before the files that it lists.
    ///
    /// Who is killed in between leaves a manifest that lists other files than there are, which every reader notices, and never
    /// files without one, which could be taken for all there are.
    mutating func addManifest(_ name: String, _ bytes: [UInt8]) throws {
        let file = try AtomicFile(path: path + "/" + name)
        files.insert(file, at: 0)
        try file.output.append(bytes)
        try file.synchronize()
    }

    /// Puts all files in their places, the manifest first; what can fail but the renaming has been done before.
    ///
    /// Of several that write the same directory one after the other does that, so that all files are one's. A file system that knows no
    /// locks does without.
    func commit() throws(InterchangeError) {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        if directory >= 0 { while flock(directory, LOCK_EX) != 0, errno == EINTR {} }
        for (count, file) in files.enumerated() {
            do throws(InterchangeError) {
                try file.replaceTarget()
                // Also a power cut must not leave files without a manifest.
                if count == 0 { try Folder.synchronize(directory, path: path) }
            } catch {
                guard count > 0 else { throw error }
                var error = error
                error.message += "; \(count) of \(files.count) files in \(path) are new already, so write it again"
                throw error
            }
        }
        try Folder.synchronize(directory, path: path)
    }

    /// Gives up what is not in its place yet.
    func discard() { for file in files { file.discard() } }
}
