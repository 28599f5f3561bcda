#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that grows while others rely on what is in it already: what was appended is on the disk after ``synchronize()``.
///
/// Where its name says so it is compressed, what comes between two synchronisations by itself: gzip and zstd read such parts as one.
final class AppendedFile {
    /// Whether there was nothing in it.
    let isEmpty: Bool

    private let path: String
    private let descriptor: Int32
    private let compression: Compression?
    private let plain: ByteOutput
    private var tool: CompressingTool?
    private var isListed = false

    /// Opens the file, or makes it.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - isReplacing: Whether what is there is thrown away.
    /// - Throws: What creating a file throws.
    init(path: String, isReplacing: Bool) throws(InterchangeError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (isReplacing ? O_TRUNC : 0), 0o666)
        guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
        isEmpty = lseek(descriptor, 0, SEEK_END) <= 0
        compression = Compression(fileName: path)
        plain = ByteOutput(descriptor: descriptor, name: path)
    }

    deinit { _ = close(descriptor) }

    /// Where to write what comes before the next synchronisation.
    func output() throws(InterchangeError) -> ByteOutput {
        guard let compression else { return plain }
        if let tool { return tool.output }
        let started = try CompressingTool(compression, into: descriptor, path: path)
        tool = started
        return started.output
    }

    /// Makes sure that what was appended is on the disk, and that its folder lists the file.
    func synchronize() throws(InterchangeError) {
        try tool?.finish()
        tool = nil
        try plain.flush()
        guard fsync(descriptor) == 0 else {
            // A pipe or a terminal cannot be synchronised, and need not be.
            if errno == EINVAL || errno == EROFS { return }
            throw InterchangeError.output(path, failedWith: errno)
        }
        if !isListed { try Folder.synchronize(holding: path) }
        isListed = true
    }
}
