import Foundation
import StrataFiles

/// A file to which bytes are appended, and whose content is on the disk after each call of ``synchronize()``.
///
/// While the file grows, other code can rely on the content that was synchronized.
///
/// If the file name ends with `.gz` or `.zst`, the file is compressed. Each part between two synchronizations is
/// compressed separately; gzip and zstd read the concatenated parts as one stream.
final class AppendedFile {
    /// A Boolean value that indicates whether the file was empty when it was opened.
    let isEmpty: Bool

    private let path: String
    private let file: OpenFile
    private let compression: Compression?
    private let plain: ByteOutput
    private var tool: CompressingTool?
    private var isListed = false

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - isReplacing: A Boolean value that indicates whether existing content is discarded.
    /// - Throws: ``InterchangeError`` if the file cannot be created or opened.
    init(path: String, isReplacing: Bool) throws(InterchangeError) {
        self.path = path
        let flags = O_WRONLY | O_CREAT | O_APPEND | (isReplacing ? O_TRUNC : 0)
        guard let file = OpenFile(path: path, flags, mode: 0o666) else {
            throw InterchangeError.creation(of: path, failedWith: errno)
        }
        self.file = file
        isEmpty = lseek(file.descriptor, 0, SEEK_END) <= 0
        compression = Compression(fileName: path)
        plain = ByteOutput(descriptor: file.descriptor, name: path)
    }

    /// Returns the output for the bytes until the next synchronization.
    func output() throws(InterchangeError) -> ByteOutput {
        guard let compression else { return plain }
        if let tool { return tool.output }
        let started = try CompressingTool(compression, into: file.descriptor, path: path)
        tool = started
        return started.output
    }

    /// Writes the appended bytes of the file and its entry in the folder to the disk.
    func synchronize() throws(InterchangeError) {
        try tool?.finish()
        tool = nil
        try plain.flush()
        do throws(FileError) { try file.synchronize() } catch {
            // A pipe or a terminal cannot be synchronized and need not be.
            if error.number == EINVAL || error.number == EROFS { return }
            throw InterchangeError.output(path, failedWith: error.number)
        }
        if !isListed { try Folder.synchronize(holding: path) }
        isListed = true
    }
}
