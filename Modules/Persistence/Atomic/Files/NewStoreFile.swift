import Foundation
import StrataCore
import StrataFiles

/// The new file of a store, which will replace the old file.
final class NewStoreFile: AtomicOutput {
    let location: StoreLocation
    var file: OpenFile { temporary.file }
    private let temporary: TemporaryFile
    private let environment: AtomicEnvironment
    private(set) var byteCount = 0

    /// Creates an empty file in the folder of a store, and locks it.
    ///
    /// - Parameters:
    ///   - location: The location of the store's file.
    ///   - old: The status of the file that will be replaced, whose permissions the new file gets; `nil` if there is
    ///     none.
    ///   - environment: The system calls and limits.
    /// - Throws: `FileError` if the file cannot be created or locked.
    init(for location: StoreLocation, replacing old: FileStatus?, _ environment: AtomicEnvironment) throws {
        (self.location, self.environment) = (location, environment)
        temporary = try TemporaryFile(location.temporaryNames, replacing: old)
        // A store needs a file system with locks, which a temporary file does not need.
        _ = try temporary.file.tryLock()
        environment.step(.created)
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
            guard count > 0 else { throw FileError("the store cannot be written", number: count == 0 ? EIO : errno) }
            rest = rest.dropFirst(count)
        }
        byteCount += bytes.count
        environment.step(.writing)
    }

    func overwriteStart(_ bytes: [UInt8]) throws {
        let count = withoutInterruption { pwrite(file.descriptor, bytes, bytes.count, 0) }
        guard count == bytes.count else {
            throw FileError("the store cannot be written", number: count < 0 ? errno : EIO)
        }
    }

    /// Waits until the disk has stored the contents of the file.
    func synchronize() throws {
        environment.step(.written)
        try file.synchronize()
        environment.step(.synchronized)
    }

    // MARK: Replacing the store's file

    /// Gives the file the name of the store's file, which it replaces.
    func replace() throws {
        try temporary.replaceTarget()
        environment.step(.renamed)
    }

    /// Gives the file the name of the store's file, unless a file has that name already.
    ///
    /// - Returns: `true` if the file now has that name; `false` if another process created or opened the store before.
    func placeIfFree() throws -> Bool {
        if temporary.linkToTarget() {
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
        guard let empty = OpenFile(path: location.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) else {
            if errno == EEXIST { return false }
            throw PersistenceError.system(errno, "the store cannot be created", path: location.name)
        }
        // A process that finds the empty file before it is locked creates the store in it.
        guard try empty.tryLock() else { return false }
        try replace()
        return true
    }
}
