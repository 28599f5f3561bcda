import Foundation
import StrataCore

/// The new file of a store, beside the old one until it stands in its place.
///
/// Its name is hidden and nobody else's. It is locked from its beginning, so that nobody takes it for one whose writer was stopped.
final class TemporaryFile: AtomicOutput {
    let location: StoreLocation
    let path: String
    let file: OpenFile
    private let environment: AtomicEnvironment
    private(set) var byteCount = 0
    private var isPlaced = false

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - location: The store.
    ///   - old: The file that it will replace, whose permissions it gets; `nil` where there is none.
    ///   - environment: The system.
    /// - Throws: ``PersistenceError`` for what hinders it.
    init(for location: StoreLocation, replacing old: FileStatus?, _ environment: AtomicEnvironment) throws {
        self.location = location
        self.environment = environment
        path = location.temporaryPath()
        // Nobody else reads it before it has the permissions of the old one.
        let mode: mode_t = old == nil ? 0o666 : 0o600
        guard let file = OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode, named: location.name) else {
            throw PersistenceError.system(
                errno, "no file can be made in the folder \(location.folder)", path: location.name)
        }
        self.file = file
        do {
            guard try file.lock() else {
                throw PersistenceError(
                    .locked, "another process took the new file for one left behind", path: location.name)
            }
            if let old { try takePermissions(old) }
        } catch {
            unlink(path)
            throw error
        }
        environment.step(.created)
    }

    private func takePermissions(_ old: FileStatus) throws {
        let own = try file.status()
        if own.owner != old.owner || own.group != old.group {
            // Only the system's administrator gives files away; others keep the group where they may.
            if fchown(file.descriptor, old.owner, old.group) != 0 { _ = fchown(file.descriptor, uid_t.max, old.group) }
        }
        guard fchmod(file.descriptor, old.permissions) == 0 else {
            throw PersistenceError.system(
                errno, "the new file cannot have the old one's permissions", path: location.name)
        }
    }

    deinit {
        if !isPlaced { unlink(path) }
    }

    // MARK: Writing

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        guard byteCount + bytes.count <= environment.maximumByteCount else {
            throw PersistenceError.tooLarge(
                byteCount + bytes.count, environment.maximumByteCount, path: location.name)
        }
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let count = withoutInterruption { environment.write(file.descriptor, start, rest.count) }
            guard count > 0 else {
                throw PersistenceError.system(
                    count == 0 ? EIO : errno, "the store cannot be written", path: location.name)
            }
            rest = rest.dropFirst(count)
        }
        byteCount += bytes.count
        environment.step(.writing)
    }

    func overwriteStart(_ bytes: [UInt8]) throws {
        let count = withoutInterruption { pwrite(file.descriptor, bytes, bytes.count, 0) }
        guard count == bytes.count else {
            throw PersistenceError.system(count < 0 ? errno : EIO, "the store cannot be written", path: location.name)
        }
    }

    /// Waits until the disk has all of it.
    func synchronize() throws {
        environment.step(.written)
        guard withoutInterruption({ fsync(file.descriptor) }) == 0 else {
            throw PersistenceError.system(errno, "the store cannot be written to the disk", path: location.name)
        }
        environment.step(.synchronized)
    }

    // MARK: Taking its place

    /// Takes the place of the old file.
    func replace() throws {
        guard rename(path, location.path) == 0 else {
            throw PersistenceError.system(errno, "the new file cannot take the old one's place", path: location.name)
        }
        isPlaced = true
        environment.step(.renamed)
    }

    /// Takes the store's place, where nothing stands.
    ///
    /// - Returns: Whether it did; somebody may have been faster.
    func placeIfFree() throws -> Bool {
        if link(path, location.path) == 0 {
            unlink(path)
            isPlaced = true
            environment.step(.renamed)
            return true
        }
        switch errno {
        // Somebody who opened a store made meanwhile has removed it as one left behind.
        case EEXIST, ENOENT: return false
        case EPERM, EOPNOTSUPP, EMLINK: return try renameIfFree()
        default:
            throw PersistenceError.system(errno, "the store cannot be made", path: location.name)
        }
    }

    /// The same on file systems without hard links: an empty file, which is no store, holds the place until then.
    private func renameIfFree() throws -> Bool {
        guard let empty = OpenFile.open(location.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, named: location.name)
        else {
            if errno == EEXIST { return false }
            throw PersistenceError.system(errno, "the store cannot be made", path: location.name)
        }
        // Somebody who finds it before it is locked makes the store of it.
        guard try empty.lock() else { return false }
        try replace()
        return true
    }

    /// Waits until the disk has the folder's entry.
    static func synchronizeFolder(of location: StoreLocation) throws {
        guard let folder = OpenFile.open(location.folder, O_RDONLY, named: location.name),
            withoutInterruption({ fsync(folder.descriptor) }) == 0
        else {
            throw PersistenceError.system(errno, "the folder cannot be written to the disk", path: location.name)
        }
    }
}
