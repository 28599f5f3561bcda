import Foundation
import StrataCore

/// Takes the lock of a store's file, which one writer has for as long as it has the store open.
///
/// The lock is that of the open file (`flock`), so that two stores of one process exclude each other too. Whoever writes puts another file in the place of the
/// old one, and locks it before: the store is never without its lock.
struct StoreLock {
    let location: StoreLocation
    let busyTimeout: Duration

    /// How long to wait between two looks, in microseconds.
    private static let pause: UInt32 = 5_000

    /// What became of the lock.
    enum Outcome {
        /// The file, locked.
        case taken(OpenFile)
        /// There is no file.
        case nothing
        /// The system does not let this process write the file, or its folder.
        case readOnly
    }

    /// Waits for the lock.
    ///
    /// - Parameter needsWriting: Whether a file that may not be written is not to be locked.
    /// - Returns: The file with its lock, or why there is none.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` where somebody has it for longer than the busy timeout.
    func take(needsWriting: Bool = true) throws -> Outcome {
        let clock = ContinuousClock()
        let deadline = clock.now + busyTimeout
        while true {
            guard try FileStatus.ofStore(at: location.path, named: location.name) != nil else { return .nothing }
            if needsWriting, access(location.folder, W_OK) != 0 { return .readOnly }
            // Of another kind of file than was looked at just now the opening is not waited for.
            var file = OpenFile.open(location.path, O_RDWR | O_NONBLOCK, named: location.name)
            if file == nil, [EACCES, EPERM, EROFS].contains(errno) {
                if needsWriting { return .readOnly }
                file = OpenFile.open(location.path, O_RDONLY | O_NONBLOCK, named: location.name)
            }
            guard let file else {
                if errno == ENOENT { continue }
                throw PersistenceError.system(errno, "the store cannot be opened", path: location.name)
            }
            if try file.lock() {
                // Meanwhile another file may have taken its place.
                let now = try FileStatus.ofStore(at: location.path, named: location.name)
                if try file.status().identity == now?.identity { return .taken(file) }
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
