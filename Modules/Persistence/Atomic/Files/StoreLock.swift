import Foundation
import StrataCore
import StrataFiles

/// The lock of a store's file, which a writer has as long as the store is open.
///
/// The lock belongs to the open file (`flock`), so that it also excludes other stores of the same process. A writer
/// locks each new file before the new file replaces the old one. Therefore the store is locked without interruption.
struct StoreLock {
    let location: StoreLocation
    let busyTimeout: Duration

    /// The pause between two attempts to lock the file, in microseconds.
    private static let pause: UInt32 = 5_000

    /// The result of an attempt to lock the file.
    enum Outcome {
        /// The file was locked.
        case taken(OpenFile)
        /// No file exists at the store's location.
        case nothing
        /// The system does not allow this process to write the file or its folder.
        case readOnly
    }

    /// Locks the file; if another writer has locked it, waits at most for the busy timeout.
    ///
    /// - Parameter needsWriting: A Boolean value that indicates whether a file without write permission results in
    ///   ``Outcome/readOnly``.
    /// - Returns: The locked file, or the reason why there is no locked file.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another process or container has
    ///   locked the file for longer than the busy timeout.
    func take(needsWriting: Bool = true) throws -> Outcome {
        let clock = ContinuousClock()
        let deadline = clock.now + busyTimeout
        while true {
            guard try location.status() != nil else { return .nothing }
            if needsWriting, access(location.folder, W_OK) != 0 { return .readOnly }
            // O_NONBLOCK prevents a wait if another kind of file has replaced the file meanwhile.
            var file = OpenFile(path: location.path, O_RDWR | O_NONBLOCK)
            if file == nil, [EACCES, EPERM, EROFS].contains(errno) {
                if needsWriting { return .readOnly }
                file = OpenFile(path: location.path, O_RDONLY | O_NONBLOCK)
            }
            guard let file else {
                if errno == ENOENT { continue }
                throw PersistenceError.system(errno, "the store cannot be opened", path: location.name)
            }
            if try location.reporting(file.tryLock) {
                // Another file may have replaced this one meanwhile.
                let now = try location.status()
                if try location.reporting(file.status).identity == now?.identity { return .taken(file) }
                continue
            }
            guard clock.now < deadline else {
                throw PersistenceError(
                    .locked,
                    "another process, or another container of this one, has the store open for writing; close it there, open the store for reading only, or raise the busy timeout",
                    path: location.name)
            }
            usleep(Self.pause)
        }
    }
}
