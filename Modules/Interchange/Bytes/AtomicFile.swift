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
/// Without ``commit()`` the target stays as it was, and the temporary file, `.colors.csv.strata-…` in the same directory, is
/// removed. A target that exists keeps its permission bits; a symbolic link is followed. A target that is no regular file
/// (a FIFO, `/dev/stdout`) is written straight into. Not to be used from several threads at once.
public final class AtomicFile {
    /// Where to write.
    public let output: ByteOutput

    private let path: String
    let descriptor: Int32
    private let names: (temporary: String, target: String)?
    private var state = State.open

    private enum State {
        case open
        /// On the disk whole, closed, and still beside its target.
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
            names = nil
        case .descriptor(let number):
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
            names = nil
        case .beside(let target, let permissions):
            let (descriptor, temporary) = try Self.createTemporary(beside: target, permissions, for: path)
            self.descriptor = descriptor
            names = (temporary, target)
        }
        output = ByteOutput(descriptor: descriptor, name: path)
    }

    deinit { discard() }

    /// Whether it is a regular file, and not a pipe or a device that is written straight into.
    var isRegular: Bool { names != nil }

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
            if names != nil { try check(fsync(descriptor)) }
            state = .whole
            try check(close(descriptor))
        } catch {
            discard()
            throw error
        }
    }

    /// Puts a file that was synchronised in the target's place, without having the disk keep that.
    func replaceTarget() throws(InterchangeError) {
        state = .ended
        if let names, rename(names.temporary, names.target) != 0 {
            let number = errno
            removeTemporary()
            throw InterchangeError.creation(of: path, failedWith: number)
        }
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
        if let names { try Folder.synchronize(holding: names.target) }
    }

    /// Gives the new content up and removes the temporary file.
    ///
    /// Harmless when repeated, and after a commit.
    public func discard() {
        guard state != .ended else { return }
        if state == .open { _ = close(descriptor) }
        state = .ended
        removeTemporary()
    }

    private func removeTemporary() {
        if let names { _ = unlink(names.temporary) }
    }

    private func check(_ result: Int32) throws(InterchangeError) {
        guard result == 0 else { throw InterchangeError.output(path, failedWith: errno) }
    }

    /// How often a name that is taken already is tried again; six letters of 32 make a billion names.
    private static let attempts = 100

    private static func createTemporary(
        beside target: String, _ permissions: mode_t?, for path: String
    ) throws(InterchangeError) -> (Int32, String) {
        let slash = target.lastIndex(of: "/")
        let directory = slash.map { target[...$0] } ?? ""
        let name = slash.map { target[target.index(after: $0)...] } ?? target[...]
        // A file name has at most 255 bytes.
        let shortName = String(decoding: name.utf8.prefix(200), as: UTF8.self)
        for _ in 0..<attempts {
            let temporary = "\(directory).\(shortName).strata-\(randomSuffix())"
            // With nothing to keep, the system applies the umask. Otherwise nobody else may look in before the
            // target's own permissions are set.
            let descriptor = open(
                temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions == nil ? 0o666 : 0o600)
            if descriptor < 0 {
                guard errno == EEXIST || errno == EINTR else {
                    throw InterchangeError.creation(of: path, failedWith: errno)
                }
                continue
            }
            if let permissions, fchmod(descriptor, permissions) != 0 {
                let number = errno
                _ = close(descriptor)
                _ = unlink(temporary)
                throw InterchangeError.creation(of: path, failedWith: number)
            }
            return (descriptor, temporary)
        }
        throw InterchangeError.creation(of: path, failedWith: EEXIST)
    }

    private static func randomSuffix() -> String {
        String((0..<6).compactMap { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() })
    }
}
