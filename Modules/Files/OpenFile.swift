package import Foundation
import Synchronization

/// An open file or folder, which is closed when this object is deallocated.
package final class OpenFile: Sendable {
    /// The descriptor of the file, which is valid until the file is closed.
    package let descriptor: Int32
    private let isLocked = Atomic(false)
    private let isClosed = Atomic(false)

    /// Creates an object that closes an open descriptor.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens the file at a path; if this fails, the result is `nil` and `errno` contains the reason.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - flags: The flags of `open(2)`. Other processes never inherit the descriptor.
    ///   - mode: The permission bits of a file that is created.
    package convenience init?(path: String, _ flags: Int32, mode: mode_t = 0) {
        let descriptor = withoutInterruption { open(path, flags | O_CLOEXEC | O_NOCTTY, mode) }
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    /// Opens a folder; if this fails, the result is `nil` and `errno` contains the reason.
    package convenience init?(folder path: String, _ flags: Int32 = 0) {
        self.init(path: path, O_RDONLY | O_DIRECTORY | flags)
    }

    deinit { close() }

    /// Closes the file and releases its lock; further calls do nothing.
    ///
    /// - Returns: `false` if the system reports an error; `errno` then contains the reason.
    @discardableResult
    package func close() -> Bool {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return true }
        // A child process that is being started has a copy of the descriptor until it executes its program, which would
        // extend the lock. The lock is therefore released explicitly.
        if isLocked.load(ordering: .relaxed) { flock(descriptor, LOCK_UN) }
        return Foundation.close(descriptor) == 0
    }

    /// Returns the current status of the file.
    package func status() throws(FileError) -> FileStatus {
        guard let status = FileStatus(descriptor: descriptor) else { throw FileError("the file cannot be inspected") }
        return status
    }

    // MARK: Locks

    /// Locks the file exclusively, after waiting for the current owner of the lock.
    ///
    /// The lock belongs to the open file (`flock`), so that it also excludes other users of the file in this process.
    ///
    /// - Returns: `false` if the file system does not support locks.
    @discardableResult
    package func lock() -> Bool { lock(LOCK_EX) }

    /// Locks the file exclusively if no other open file has the lock.
    ///
    /// - Returns: A Boolean value that indicates whether the file is now locked.
    /// - Throws: ``FileError`` if the file system does not support locks.
    package func tryLock() throws(FileError) -> Bool {
        if lock(LOCK_EX | LOCK_NB) { return true }
        guard errno == EWOULDBLOCK else { throw FileError("the file cannot be locked") }
        return false
    }

    private func lock(_ operation: Int32) -> Bool {
        guard withoutInterruption({ flock(descriptor, operation) }) == 0 else { return false }
        isLocked.store(true, ordering: .relaxed)
        return true
    }

    // MARK: Contents

    /// The least size in bytes of the blocks in which ``contents(atMost:)`` reads a file.
    private static let blockSize = 64 << 10

    /// Returns bytes of the file.
    ///
    /// - Parameters:
    ///   - count: The maximum count of bytes.
    ///   - offset: The offset of the first byte.
    /// - Returns: The bytes, which are fewer than `count` at the end of the file.
    /// - Throws: ``FileError`` if the file cannot be read.
    package func bytes(_ count: Int, at offset: Int = 0) throws(FileError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            result = withoutInterruption { pread(descriptor, buffer.baseAddress, count, off_t(offset)) }
            initialized = max(0, result)
        }
        guard result >= 0 else { throw FileError("the file cannot be read") }
        return bytes
    }

    /// Returns all bytes of the file.
    ///
    /// - Parameter maximum: The count of bytes after which the reading ends (default: no limit).
    /// - Returns: The bytes, which are more than `maximum` if the file is larger.
    /// - Throws: ``FileError`` if the file cannot be read.
    package func contents(atMost maximum: Int = .max) throws(FileError) -> [UInt8] {
        // The system reports no size for a file in `/proc`. One additional byte detects a file that grows meanwhile.
        let capacity = Int(try status().byteCount) + 1
        var bytes: [UInt8] = []
        while bytes.count <= maximum {
            let block = try self.bytes(max(capacity - bytes.count, Self.blockSize), at: bytes.count)
            if block.isEmpty { break }
            if bytes.isEmpty { bytes = block } else { bytes += block }
        }
        return bytes
    }

    /// Waits until the disk has stored the contents of the file, or the entries of the folder.
    package func synchronize() throws(FileError) {
        guard withoutInterruption({ fsync(descriptor) }) == 0 else {
            throw FileError("the file cannot be written to the disk")
        }
    }
}
