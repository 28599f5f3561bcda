import Foundation
import StrataInterchange

/// Stores that only one command needs, in the system's folder for temporary files.
enum TemporaryStores {
    /// A folder that is locked as long as the command has it: what nobody holds was left by a command that was killed.
    struct Folder {
        /// Where it is.
        let url: URL
        fileprivate let descriptor: Int32
    }

    private static let prefix = "strata-copy-"

    /// A new folder; what killed commands left of such folders is removed.
    static func folder() throws -> Folder {
        let parent = FileManager.default.temporaryDirectory
        removeLeftovers(in: parent)
        let url = parent.appendingPathComponent(prefix + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: url.path,
                message: "a folder for a temporary store cannot be made; TMPDIR names another place")
        }
        let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A file system that knows no locks does without.
        if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
        // Before there was a lock somebody else may have taken the folder for a leftover.
        if access(url.path, F_OK) != 0 {
            if descriptor >= 0 { close(descriptor) }
            return try folder()
        }
        return Folder(url: url, descriptor: descriptor)
    }

    /// Removes a folder; what is left there does no harm.
    static func remove(_ folder: Folder) {
        try? FileManager.default.removeItem(at: folder.url)
        if folder.descriptor >= 0 { close(folder.descriptor) }
    }

    /// Removes folders of this user's that nobody holds; what cannot be looked at stays.
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
