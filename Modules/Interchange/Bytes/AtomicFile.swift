import Foundation
import StrataFiles

/// A file that is written next to a target file and then atomically replaces the target by renaming.
///
/// ```swift
/// let file = try AtomicFile(path: "colors.csv")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// The target is unchanged until ``commit()``. If the file system supports unnamed files, the new file has no name
/// until then. If the process ends for any reason, nothing of the new file then remains. On other file systems the new
/// file has the name `.colors.csv.strata-…` in the same directory. If a killed process leaves such a file, the next
/// ``AtomicFile`` with the same target removes it. An existing target keeps its permission bits and, if the system
/// allows it, its owner and group; a symbolic link is followed. If the target is not a regular file (a FIFO,
/// `/dev/stdout`), the bytes are written directly into it. Do not use one instance from several threads at once.
public final class AtomicFile {
    /// The output for the new content of the target.
    public let output: ByteOutput

    private let path: String
    private let file: OpenFile
    /// The temporary file that will replace the target; `nil` if the target is not a regular file.
    private let temporary: TemporaryFile?
    private var state = State.open

    private enum State {
        case open
        /// The content is completely on the disk, but the file has not replaced its target yet.
        case whole
        case ended
    }

    /// Creates the temporary file next to the target, or opens a target that is not a regular file.
    ///
    /// - Parameter path: The path of the target.
    /// - Throws: ``InterchangeError/Code/cannotCreate``, ``InterchangeError/Code/permission`` or
    ///   ``InterchangeError/Code/outputFailed`` with the path and the system's error text.
    public init(path: String) throws(InterchangeError) {
        self.path = path
        (file, temporary) = try Self.open(path)
        output = ByteOutput(descriptor: file.descriptor, name: path)
    }

    /// Opens the file to which an output path refers after following symbolic links, including dangling ones.
    ///
    /// - Returns: The file to write, and the same file if it is a temporary file next to a regular file.
    private static func open(_ path: String) throws(InterchangeError) -> (OpenFile, TemporaryFile?) {
        func failure(_ number: Int32 = errno) -> InterchangeError { .creation(of: path, failedWith: number) }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw failure(ENOENT) }
        if let number = descriptor(namedBy: path) {
            // The descriptor is duplicated. Opening the path again would write from the beginning of a redirected file.
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw failure() }
            return (OpenFile(descriptor: copy), nil)
        }
        let old = FileStatus(path: path)
        guard old != nil || errno == ENOENT else { throw failure() }
        guard !(old?.isDirectory ?? path.hasSuffix("/")) else { throw failure(EISDIR) }
        guard old?.isRegular != false else {
            guard let file = OpenFile(path: path, O_WRONLY) else { throw failure() }
            return (file, nil)
        }
        guard let target = FilePath.followingLinks(path) else { throw failure(ELOOP) }
        let names = TemporaryNames(
            of: target, separator: ".strata-", letters: "abcdefghijkmnpqrstuvwxyz23456789", lengths: 6...6)
        names.removeLeftovers()
        do throws(FileError) {
            let temporary = try TemporaryFile(names, replacing: old, isUnnamed: true)
            return (temporary.file, temporary)
        } catch {
            throw failure(error.number)
        }
    }

    /// Returns the open descriptor that a path names, such as `/dev/stdout`; `nil` if it names none.
    private static func descriptor(namedBy path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
            return folder.flatMap { Int32(path.dropFirst($0.count)) }
        }
    }

    /// A Boolean value that indicates whether the target is a regular file and not a pipe or a device.
    var isRegular: Bool { temporary != nil }

    /// The descriptor of the file to write.
    var descriptor: Int32 { file.descriptor }

    /// Writes the buffered bytes and synchronizes the file to the disk, without replacing the target.
    ///
    /// A caller that writes several files together synchronizes all of them first, so that most failures occur before
    /// the first target is replaced. No bytes can be appended after this call.
    func synchronize() throws(InterchangeError) {
        guard state != .whole else { return }
        guard state == .open else {
            throw InterchangeError(.outputFailed, source: path, message: "the file is already committed or discarded")
        }
        do throws(InterchangeError) {
            try output.flush()
            // A regular file stays open: an unnamed file is deleted when it is closed, and an open named file is locked
            // against removal by other processes.
            do throws(FileError) { try temporary?.file.synchronize() } catch {
                throw InterchangeError.output(path, failedWith: error.number)
            }
            guard isRegular || file.close() else { throw InterchangeError.output(path, failedWith: errno) }
            state = .whole
        } catch {
            discard()
            throw error
        }
    }

    /// Replaces the target with the synchronized file, without synchronizing the folder.
    func replaceTarget() throws(InterchangeError) {
        state = .ended
        defer { temporary?.discard() }
        do throws(FileError) { try temporary?.replaceTarget() } catch {
            throw InterchangeError.creation(of: path, failedWith: error.number)
        }
    }

    /// Writes the buffered bytes, synchronizes the file, and replaces the target with it.
    ///
    /// After this method returns, the new content survives a power failure. If the power fails earlier, the target has
    /// either the old or the new content. If this method throws an error, it removes the temporary file.
    ///
    /// - Throws: ``InterchangeError/Code/outputFailed``, ``InterchangeError/Code/closedPipe`` or
    ///   ``InterchangeError/Code/cannotCreate``; one of these also if the file was already committed or discarded.
    public func commit() throws(InterchangeError) {
        try synchronize()
        try replaceTarget()
        if let temporary { try Folder.synchronize(holding: temporary.target) }
    }

    /// Discards the new content and removes the temporary file.
    ///
    /// Repeated calls, and calls after a commit, have no effect.
    public func discard() {
        guard state != .ended else { return }
        state = .ended
        temporary?.discard()
        file.close()
    }
}
