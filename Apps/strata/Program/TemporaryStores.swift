import Foundation
import StrataFiles
import StrataInterchange
import StrataPersistence

/// Stores that a single command uses, in the system's folder for temporary files.
enum TemporaryStores {
    /// A folder that the command keeps locked; an unlocked folder was left by a command that was killed.
    struct Folder {
        /// The location of the folder.
        let url: URL
        fileprivate let lock: OpenFile?
    }

    private static let prefix = "strata-copy-"

    /// Creates a folder, and removes the folders of killed commands.
    static func folder() throws -> Folder {
        let parent = FileManager.default.temporaryDirectory
        removeLeftovers(in: parent)
        let url = parent.appendingPathComponent(prefix + UUID().uuidString)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        } catch {
            throw InterchangeError(
                .cannotCreate, source: url.path,
                message: "a directory for a temporary store cannot be created; set TMPDIR to another directory")
        }
        // A file system without locks is used without a lock.
        let lock = OpenFile(folder: url.path)
        lock?.lock()
        // Before the lock was acquired, another process may have removed the folder as a leftover.
        guard FileStatus(path: url.path) != nil else { return try folder() }
        return Folder(url: url, lock: lock)
    }

    /// Runs a closure that fills a store in a folder, or copies a database to it.
    ///
    /// - Throws: The errors of the closure; an error about the disk names the directory instead of the temporary store.
    static func filling(_ folder: Folder, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as PersistenceError
            where error.code == .diskFull
            || (error.code == .inputOutput && error.path?.hasPrefix(folder.url.path) == true)
        {
            error.path = folder.url.deletingLastPathComponent().path
            error.message =
                "a temporary store cannot be written: \(error.message); set TMPDIR to a directory with more space"
            throw error
        }
    }

    /// Removes a folder; errors are ignored, because remaining files cause no harm.
    static func remove(_ folder: Folder) {
        try? FileManager.default.removeItem(at: folder.url)
        folder.lock?.close()
    }

    /// Removes this user's unlocked folders; folders that cannot be opened are not removed.
    private static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            let leftover = parent.appendingPathComponent(name)
            guard let folder = OpenFile(folder: leftover.path, O_NOFOLLOW),
                FileStatus(descriptor: folder.descriptor)?.owner == geteuid(), (try? folder.tryLock()) == true
            else { continue }
            defer { folder.close() }
            try? FileManager.default.removeItem(at: leftover)
        }
    }
}
