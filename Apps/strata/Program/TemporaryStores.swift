import Foundation
import StrataInterchange

/// Stores that a single command uses, in the system's folder for temporary files.
enum TemporaryStores {
    /// A folder that the command keeps locked; an unlocked folder was left by a command that was killed.
    struct Folder {
        /// The location of the folder.
        let url: URL
        fileprivate let descriptor: Int32
    }

    private static let prefix = "strata-copy-"

    /// Creates a folder, and removes the folders of killed commands.
    static func folder() throws -> Folder {
        let parent = FileManager.default.temporaryDirectory
        removeLeftovers(in: parent)
        let url = parent.appendingPathComponent(prefix + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: url.path,
                message: "a directory for a temporary store cannot be created; set TMPDIR to another directory")
        }
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A file system without locks is used without a lock.
        if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
        // Before the lock was acquired, another process may have removed the folder as a leftover.
        if access(url.path, F_OK) != 0 {
            if descriptor >= 0 { close(descriptor) }
            return try folder()
        }
        return Folder(url: url, descriptor: descriptor)
    }

    /// Removes a folder; errors are ignored, because remaining files cause no harm.
    static func remove(_ folder: Folder) {
        try? FileManager.default.removeItem(at: folder.url)
        if folder.descriptor >= 0 { close(folder.descriptor) }
    }

    /// Removes this user's unlocked folders; folders that cannot be opened are not removed.
    private static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            let leftover = parent.appendingPathComponent(name)
            let descriptor = open(leftover.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            try? FileManager.default.removeItem(at: leftover)
        }
    }
}
