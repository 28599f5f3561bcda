import Foundation

/// A new file in the folder of the target that it will replace.
///
/// The file is locked while it is open, so that other processes do not remove it as the file of a killed process. The
/// target is unchanged until ``replaceTarget()`` or ``linkToTarget()``. Unless the file has replaced the target, it is
/// removed when this object is deallocated.
package final class TemporaryFile {
    /// The file, open for reading and writing.
    package let file: OpenFile
    private let names: TemporaryNames
    /// The path of the file; `nil` if it has no name.
    private var path: String?

    /// The maximum count of names that are tried if names exist already.
    private static let attempts = 100

    /// Creates an empty temporary file.
    ///
    /// - Parameters:
    ///   - names: The target and the names of its temporary files.
    ///   - old: The status of the target, whose permissions the new file gets; `nil` if there is no target.
    ///   - isUnnamed: A Boolean value that indicates whether the file has no name if the file system supports that. The
    ///     system removes such a file if the process is killed.
    /// - Throws: ``FileError`` if the file cannot be created.
    package init(_ names: TemporaryNames, replacing old: FileStatus?, isUnnamed: Bool = false) throws(FileError) {
        self.names = names
        // For a new target, the system applies the umask. Otherwise no other user may open the file before it has the
        // permissions of the target.
        let mode: mode_t = old == nil ? 0o666 : 0o600
        if isUnnamed, let unnamed = Self.createUnnamed(in: names.folder, mode) {
            (file, path) = (unnamed, nil)
        } else {
            (file, path) = try Self.createNamed(names, mode)
        }
        if let old { try takePermissions(of: old) }
    }

    deinit { removeName() }

    /// The path of the target.
    package var target: String { names.target }

    private func takePermissions(of old: FileStatus) throws(FileError) {
        let own = try file.status()
        if own.owner != old.owner || own.group != old.group {
            // Only the administrator may change the owner of a file; other users preserve the group if they may.
            if fchown(file.descriptor, old.owner, old.group) != 0 { _ = fchown(file.descriptor, uid_t.max, old.group) }
        }
        guard fchmod(file.descriptor, old.permissions) == 0 else {
            throw FileError("the new file cannot get the permissions of the old file")
        }
    }

    /// Creates a file without a name; returns `nil` if that is not supported, or if the file could not be given a name
    /// later.
    private static func createUnnamed(in folder: String, _ mode: mode_t) -> OpenFile? {
        #if os(Linux)
        // O_TMPFILE, a macro that Swift does not import. The bit is the same on all processors that Swift runs on.
        let unnamed = 0o20000000 | O_DIRECTORY
        guard let file = OpenFile(path: folder, O_RDWR | unnamed, mode: mode),
            access(link(file), F_OK) == 0, file.lock()
        else { return nil }
        return file
        #else
        return nil
        #endif
    }

    private static func createNamed(_ names: TemporaryNames, _ mode: mode_t) throws(FileError) -> (OpenFile, String) {
        var number = EEXIST
        for _ in 0..<attempts where number == EEXIST {
            let path = names.randomPath()
            guard let file = OpenFile(path: path, O_RDWR | O_CREAT | O_EXCL, mode: mode) else {
                number = errno
                continue
            }
            // A file system without locks is accepted. Before the lock, another process may have removed the file as a
            // leftover.
            file.lock()
            if FileStatus(descriptor: file.descriptor)?.linkCount != 0 { return (file, path) }
        }
        throw FileError("no file can be created in the directory \(names.folder)", number: number)
    }

    // MARK: Replacing the target

    /// The path of an open file in `/proc`, by which a file without a name can be linked.
    private static func link(_ file: OpenFile) -> String { "/proc/self/fd/\(file.descriptor)" }

    private func link(to name: String) -> Bool {
        linkat(AT_FDCWD, path ?? Self.link(file), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
    }

    /// Gives the file the name of the target, unless a file has that name already.
    ///
    /// - Returns: `false` if the file could not be linked; `errno` then contains the reason.
    package func linkToTarget() -> Bool {
        guard link(to: target) else { return false }
        removeName()
        return true
    }

    /// Replaces the target with the file.
    ///
    /// - Throws: ``FileError`` if the file cannot replace the target, which is then unchanged.
    package func replaceTarget() throws(FileError) {
        // A file without a name can be linked to a new target, but cannot replace an existing one.
        if path == nil, link(to: target) { return }
        guard let path = path ?? temporaryLink(), rename(path, target) == 0 else {
            throw FileError("the new file cannot replace the old file")
        }
        self.path = nil
    }

    /// Gives a file without a name the name of a temporary file; returns `nil` if this fails.
    private func temporaryLink() -> String? {
        for _ in 0..<Self.attempts {
            let path = names.randomPath()
            if link(to: path) {
                self.path = path
                return path
            }
            guard errno == EEXIST || errno == EINTR else { break }
        }
        return nil
    }

    /// Removes the file if it has not replaced the target, and closes it.
    package func discard() {
        removeName()
        file.close()
    }

    private func removeName() {
        if let path { unlink(path) }
        path = nil
    }
}
