#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A new file in the folder of the target that it will replace; it is locked while it is open.
///
/// If the file system supports unnamed files, the file has no name. The lock indicates to other processes that the file
/// is in use. A temporary file without a lock was left by a killed process and may be removed.
struct TemporaryFile {
    /// The descriptor of the file, open for writing.
    let descriptor: Int32
    /// The name of the file in its folder; `nil` if the file has no name.
    let name: String?

    /// Creates a temporary file, and removes temporary files of the same target that killed processes left.
    ///
    /// - Parameters:
    ///   - target: The path of the target file that will be replaced.
    ///   - permissions: The permission bits for the file; `nil` for those that new files have by default.
    ///   - path: The path that the error contains.
    /// - Throws: ``InterchangeError`` if the file cannot be created.
    init(nextTo target: String, _ permissions: mode_t?, for path: String) throws(InterchangeError) {
        Self.removeLeftovers(of: target)
        // For a new file, the system applies the umask. Otherwise no other user may open the file before the target's
        // own permissions are set.
        let mode: mode_t = permissions == nil ? 0o666 : 0o600
        if let unnamed = Self.createUnnamed(in: Folder.path(of: target), mode) {
            (descriptor, name) = (unnamed, nil)
        } else {
            (descriptor, name) = try Self.createNamed(nextTo: target, mode, for: path)
        }
        guard let permissions, fchmod(descriptor, permissions) != 0 else { return }
        let number = errno
        if let name { _ = unlink(name) }
        _ = close(descriptor)
        throw InterchangeError.creation(of: path, failedWith: number)
    }

    // MARK: Without a name

    /// Creates a file without a name; returns `nil` if that is not supported, or if the file could not be given a name
    /// later.
    private static func createUnnamed(in folder: String, _ mode: mode_t) -> Int32? {
        #if os(Linux)
        // O_TMPFILE, a macro that Swift does not import. The bit is the same on all processors that Swift runs on.
        let unnamed = 0o20000000 | O_DIRECTORY
        let descriptor = open(folder, O_WRONLY | O_CLOEXEC | unnamed, mode)
        guard descriptor >= 0 else { return nil }
        guard access(link(descriptor), F_OK) == 0, flock(descriptor, LOCK_EX) == 0 else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
        #else
        return nil
        #endif
    }

    private static func link(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Gives an unnamed file a name; returns `false` if the name exists already or the link fails.
    static func link(_ descriptor: Int32, to name: String) -> Bool {
        linkat(AT_FDCWD, link(descriptor), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Gives an unnamed file the name of a temporary file and returns the name, because an unnamed file cannot replace
    /// a target.
    static func link(
        _ descriptor: Int32, nextTo target: String, for path: String
    ) throws(InterchangeError) -> String {
        for _ in 0..<attempts {
            let name = "\(prefix(target))\(randomSuffix())"
            if link(descriptor, to: name) { return name }
            guard errno == EEXIST || errno == EINTR else { break }
        }
        throw InterchangeError.creation(of: path, failedWith: errno)
    }

    // MARK: With a name

    /// The maximum count of names that are tried if names exist already; there are a billion possible names.
    private static let attempts = 100
    private static let suffixLength = 6
    private static let letters = "abcdefghijkmnpqrstuvwxyz23456789"

    private static func createNamed(
        nextTo target: String, _ mode: mode_t, for path: String
    ) throws(InterchangeError) -> (Int32, String?) {
        for _ in 0..<attempts {
            let name = "\(prefix(target))\(randomSuffix())"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            if descriptor < 0 {
                guard errno == EEXIST || errno == EINTR else {
                    throw InterchangeError.creation(of: path, failedWith: errno)
                }
                continue
            }
            // A file system without locks is accepted. Before the lock, another process may have removed the file as a
            // leftover, so check that it still has a link.
            while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, name) }
            _ = close(descriptor)
        }
        throw InterchangeError.creation(of: path, failedWith: EEXIST)
    }

    /// Returns the common beginning of the paths of a target's temporary files, including the folder.
    private static func prefix(_ target: String) -> String {
        let slash = target.lastIndex(of: "/")
        return (slash.map { String(target[...$0]) } ?? "") + namePrefix(target)
    }

    private static func namePrefix(_ target: String) -> String {
        let name = target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
        // A file name has at most 255 bytes.
        return ".\(String(decoding: name.utf8.prefix(200), as: UTF8.self)).strata-"
    }

    private static func randomSuffix() -> String {
        String((0..<suffixLength).compactMap { _ in letters.randomElement() })
    }

    // MARK: Leftovers

    /// Removes temporary files of the target that no process has locked; files that cannot be opened are not removed.
    private static func removeLeftovers(of target: String) {
        guard let folder = opendir(Folder.path(of: target)) else { return }
        defer { closedir(folder) }
        let prefix = namePrefix(target)
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + suffixLength,
                name.suffix(suffixLength).allSatisfy(letters.contains)
            else { continue }
            remove(Folder.path(of: target) + "/" + name)
        }
    }

    private static func remove(_ leftover: String) {
        let descriptor = open(leftover, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        _ = unlink(leftover)
    }
}
