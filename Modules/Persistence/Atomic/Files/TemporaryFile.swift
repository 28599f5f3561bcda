import Foundation
import StrataCore

/// The new file of a store, which is in the folder of the old file and will replace it.
///
/// Its name is hidden and unique. The file is locked when it is created, so that other processes do not remove it as
/// the file of an interrupted writer.
final class TemporaryFile: AtomicOutput {
    let location: StoreLocation
    let path: String
    let file: OpenFile
    private let environment: AtomicEnvironment
    private(set) var byteCount = 0
    private var isPlaced = false

    /// Creates an empty temporary file in the folder of a store.
    ///
    /// - Parameters:
    ///   - location: The location of the store's file.
    ///   - old: The status of the file that will be replaced, whose permissions the new file gets; `nil` if there is
    ///     none.
    ///   - environment: The system calls and limits.
    /// - Throws: ``PersistenceError`` if the file cannot be created.
    init(for location: StoreLocation, replacing old: FileStatus?, _ environment: AtomicEnvironment) throws {
        self.location = location
        self.environment = environment
        path = location.temporaryPath()
        // Other users cannot read the file before it has the permissions of the old one.
        let mode: mode_t = old == nil ? 0o666 : 0o600
        guard let file = OpenFile.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode, named: location.name) else {
            throw PersistenceError.system(
                errno, "no file can be created in the directory \(location.folder)", path: location.name)
        }
        self.file = file
        do {
            guard try file.lock() else {
                throw PersistenceError(
                    .locked, "another process removed the new file as a leftover; retry", path: location.name)
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
            // Only the administrator may change the owner of a file; other users preserve the group if they may.
            if fchown(file.descriptor, old.owner, old.group) != 0 { _ = fchown(file.descriptor, uid_t.max, old.group) }
        }
        guard fchmod(file.descriptor, old.permissions) == 0 else {
            throw PersistenceError.system(
                errno, "the new file cannot get the permissions of the old file", path: location.name)
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

    /// Waits until the disk has stored the contents of the file.
    func synchronize() throws {
        environment.step(.written)
        guard withoutInterruption({ fsync(file.descriptor) }) == 0 else {
            throw PersistenceError.system(errno, "the store cannot be written to the disk", path: location.name)
        }
        environment.step(.synchronized)
    }

    // MARK: Replacing the store's file

    /// Gives the file the name of the store's file, which it replaces.
    func replace() throws {
        guard rename(path, location.path) == 0 else {
            throw PersistenceError.system(errno, "the new file cannot replace the old file", path: location.name)
        }
        isPlaced = true
        environment.step(.renamed)
    }

    /// Gives the file the name of the store's file, unless a file has that name already.
    ///
    /// - Returns: `true` if the file now has that name; `false` if another process created or opened the store before.
    func placeIfFree() throws -> Bool {
        if link(path, location.path) == 0 {
            unlink(path)
            isPlaced = true
            environment.step(.renamed)
            return true
        }
        switch errno {
        // If the temporary file is missing, a process that opened the store meanwhile has removed it as a leftover.
        case EEXIST, ENOENT: return false
        case EPERM, EOPNOTSUPP, EMLINK: return try renameIfFree()
        default:
            throw PersistenceError.system(errno, "the store cannot be created", path: location.name)
        }
    }

    /// Gives the file the name of the store's file on a file system without hard links, where an empty file first
    /// reserves the name.
    private func renameIfFree() throws -> Bool {
        guard let empty = OpenFile.open(location.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600, named: location.name)
        else {
            if errno == EEXIST { return false }
            throw PersistenceError.system(errno, "the store cannot be created", path: location.name)
        }
        // A process that finds the empty file before it is locked creates the store in it.
        guard try empty.lock() else { return false }
        try replace()
        return true
    }

    /// Waits until the disk has stored the entry of the store's file in its folder.
    static func synchronizeFolder(of location: StoreLocation) throws {
        guard let folder = OpenFile.open(location.folder, O_RDONLY, named: location.name),
            withoutInterruption({ fsync(folder.descriptor) }) == 0
        else {
            throw PersistenceError.system(errno, "the folder cannot be written to the disk", path: location.name)
        }
    }
}
