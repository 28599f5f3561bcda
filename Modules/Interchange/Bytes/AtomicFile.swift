#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
/// ``AtomicFile`` with the same target removes it. An existing target keeps its permission bits; a symbolic link is
/// followed. If the target is not a regular file (a FIFO, `/dev/stdout`), the bytes are written directly into it. Do
/// not use one instance from several threads at once.
public final class AtomicFile {
    /// The output for the new content of the target.
    public let output: ByteOutput

    private let path: String
    let descriptor: Int32
    private let target: String?
    /// The name of the temporary file; `nil` if it has no name.
    private var temporary: String?
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
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw InterchangeError.creation(of: path, failedWith: ENOENT)
        }
        switch try OutputDestination(path: path) {
        case .direct:
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
            target = nil
        case .descriptor(let number):
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
            target = nil
        case .nextTo(let target, let permissions):
            let file = try TemporaryFile(nextTo: target, permissions, for: path)
            (descriptor, temporary) = (file.descriptor, file.name)
            self.target = target
        }
        output = ByteOutput(descriptor: descriptor, name: path)
    }

    deinit { discard() }

    /// A Boolean value that indicates whether the target is a regular file and not a pipe or a device.
    var isRegular: Bool { target != nil }

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
            if target != nil { try check(fsync(descriptor)) }
            state = .whole
            // Keep the descriptor of a regular file open: an unnamed file is deleted when it is closed, and an open
            // named file is locked against removal by other processes.
            if target == nil { try check(close(descriptor)) }
        } catch {
            discard()
            throw error
        }
    }

    /// Replaces the target with the synchronized file, without synchronizing the folder.
    func replaceTarget() throws(InterchangeError) {
        state = .ended
        guard let target else { return }
        defer { _ = close(descriptor) }
        guard !nameAsTarget(target) else { return }
        do throws(InterchangeError) {
            if temporary == nil { temporary = try TemporaryFile.link(descriptor, nextTo: target, for: path) }
            guard let temporary, rename(temporary, target) == 0 else {
                throw InterchangeError.creation(of: path, failedWith: errno)
            }
        } catch {
            removeTemporary()
            throw error
        }
    }

    /// Gives an unnamed file the name of the target; returns `false` if the target exists or the file cannot be linked.
    private func nameAsTarget(_ target: String) -> Bool {
        temporary == nil && TemporaryFile.link(descriptor, to: target)
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
        if let target { try Folder.synchronize(holding: target) }
    }

    /// Discards the new content and removes the temporary file.
    ///
    /// Repeated calls, and calls after a commit, have no effect.
    public func discard() {
        guard state != .ended else { return }
        let isOpen = state == .open || target != nil
        state = .ended
        removeTemporary()
        if isOpen { _ = close(descriptor) }
    }

    private func removeTemporary() {
        if let temporary { _ = unlink(temporary) }
    }

    private func check(_ result: Int32) throws(InterchangeError) {
        guard result == 0 else { throw InterchangeError.output(path, failedWith: errno) }
    }
}
