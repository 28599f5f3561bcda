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
        var bytes: Int64
        var sha256: String
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
        let (bytes, sha256) = digest.finish()
        return (Written(name: name, bytes: bytes, sha256: sha256), rows)
    }

    mutating func addManifest(_ bytes: [UInt8]) throws {
        let file = try AtomicFile(path: path + "/" + DatasetManifest.fileName)
        files.append(file)
        try file.output.append(bytes)
        try file.synchronize()
    }

    /// Puts all files in their places, in the order in which they were written.
    ///
    /// Of several that write the same directory one after the other does that, so that all files are one's. A file system that knows no
    /// locks does without.
    func commit() throws {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if directory >= 0 { close(directory) } }
        if directory >= 0 { while flock(directory, LOCK_EX) != 0, errno == EINTR {} }
        for file in files { try file.commit() }
    }

    /// Gives up what is not in its place yet.
    func discard() { for file in files { file.discard() } }
}
