#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that replaces its target atomically: it is written next to the target and then renamed over it.
///
/// ```swift
/// let file = try AtomicFile(path: "colors.csv")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// The target is unchanged until ``commit()``. If the file system supports unnamed files, the file has no name until
/// then, so nothing of it remains when the process ends for any reason. On other file systems the file is named
/// `.colors.csv.strata-…`, in the same directory. If a killed process leaves such a file, the next ``AtomicFile`` with
/// the same target removes it. An existing target keeps its permission bits; a symbolic link is followed. If the target
/// is not a regular file (a FIFO, `/dev/stdout`), the bytes are written directly into it. Do not use one instance from
/// several threads at once.
public final class AtomicFile {
    /// The output for the new content.
    public let output: ByteOutput

    private let path: String
    let descriptor: Int32
    private let target: String?
    /// The name of the temporary file; `nil` as long as it has none.
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
    /// - Parameter path: The target's path.
    /// - Throws: ``InterchangeError/Code/cannotCreate``, ``InterchangeError/Code/permission`` or
    ///   ``InterchangeError/Code/outputFailed`` with the path and the system's text.
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

    /// Writes the buffered bytes and synchronizes the file without replacing the target yet.
    ///
    /// A caller that writes several files together synchronizes all of them first, so that most failures occur before
    /// the first target is replaced. Nothing can be appended afterwards.
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

    /// Gives an unnamed file the target's name if the target does not exist; no intermediate name is needed then.
    private func nameAsTarget(_ target: String) -> Bool {
        temporary == nil && TemporaryFile.link(descriptor, to: target)
    }

    /// Writes the buffered bytes and replaces the target with the file.
    ///
    /// After this method returns, the new content is stored durably, also after a power failure. After an earlier power
    /// failure the target has either the old or the new content. If this method fails, it removes the temporary file.
    ///
    /// - Throws: ``InterchangeError/Code/outputFailed``, ``InterchangeError/Code/closedPipe`` or
    ///   ``InterchangeError/Code/cannotCreate``; also if the file was already committed or discarded.
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
