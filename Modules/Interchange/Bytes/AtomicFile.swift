#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is there whole or not at all: written beside its target and renamed over it.
///
/// ```swift
/// let file = try AtomicFile(path: "colors.csv")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// Without ``commit()`` the target stays as it was. Until then the file has no name where the file system has such files, so that nothing
/// is left of it whatever ends the process; elsewhere it is called `.colors.csv.strata-…`, in the same directory, and what a killed process
/// left of such files the next one with the same target removes. A target that exists keeps its permission bits; a symbolic link is
/// followed. A target that is no regular file (a FIFO, `/dev/stdout`) is written straight into. Not to be used from several threads at once.
public final class AtomicFile {
    /// Where to write.
    public let output: ByteOutput

    private let path: String
    let descriptor: Int32
    private let target: String?
    /// The name beside the target; `nil` as long as there is none.
    private var temporary: String?
    private var state = State.open

    private enum State {
        case open
        /// On the disk whole, and not in its target's place yet.
        case whole
        case ended
    }

    /// Creates the temporary file beside the target, or opens a target that is no regular file.
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
        case .beside(let target, let permissions):
            let file = try TemporaryFile(beside: target, permissions, for: path)
            (descriptor, temporary) = (file.descriptor, file.name)
            self.target = target
        }
        output = ByteOutput(descriptor: descriptor, name: path)
    }

    deinit { discard() }

    /// Whether it is a regular file, and not a pipe or a device that is written straight into.
    var isRegular: Bool { target != nil }

    /// Writes what is left and has the disk keep it, without putting the file in its place yet.
    ///
    /// Where several files belong together, what can fail has failed before the first is put in its place. Nothing can be appended
    /// afterwards.
    func synchronize() throws(InterchangeError) {
        guard state != .whole else { return }
        guard state == .open else {
            throw InterchangeError(.outputFailed, source: path, message: "the file is already committed or discarded")
        }
        do throws(InterchangeError) {
            try output.flush()
            if target != nil { try check(fsync(descriptor)) }
            state = .whole
            // What has no name yet is gone once it is closed, and who holds a named one keeps others from removing it.
            if target == nil { try check(close(descriptor)) }
        } catch {
            discard()
            throw error
        }
    }

    /// Puts a file that was synchronised in the target's place, without having the disk keep that.
    func replaceTarget() throws(InterchangeError) {
        state = .ended
        guard let target else { return }
        defer { _ = close(descriptor) }
        guard !nameAsTarget(target) else { return }
        do throws(InterchangeError) {
            if temporary == nil { temporary = try TemporaryFile.link(descriptor, beside: target, for: path) }
            guard let temporary, rename(temporary, target) == 0 else {
                throw InterchangeError.creation(of: path, failedWith: errno)
            }
        } catch {
            removeTemporary()
            throw error
        }
    }

    /// Gives a file without a name that of the target, where there is no such file yet: there is then no moment with another name.
    private func nameAsTarget(_ target: String) -> Bool {
        temporary == nil && TemporaryFile.link(descriptor, to: target)
    }

    /// Writes what is left, and puts the file in the target's place.
    ///
    /// Afterwards the new content is there, also after a power cut; one before that leaves either. The temporary file is removed
    /// when this fails.
    ///
    /// - Throws: ``InterchangeError/Code/outputFailed``, ``InterchangeError/Code/closedPipe`` or
    ///   ``InterchangeError/Code/cannotCreate``; also when the file was committed or discarded before.
    public func commit() throws(InterchangeError) {
        try synchronize()
        try replaceTarget()
        if let target { try Folder.synchronize(holding: target) }
    }

    /// Gives the new content up and removes the temporary file.
    ///
    /// Harmless when repeated, and after a commit.
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
