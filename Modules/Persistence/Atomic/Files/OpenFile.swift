import Foundation
import StrataCore

/// An open file, which is closed when this object is deallocated.
final class OpenFile: Sendable {
    let descriptor: Int32
    /// The path of the file for error messages.
    let path: String

    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // A child process that is being started has a copy of the descriptor until it executes its program, which would
        // extend the lock. The lock is therefore released explicitly.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Opens the file at a path.
    ///
    /// - Returns: The file, or `nil` if the system call failed; `errno` then contains the reason.
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0, named name: String) -> OpenFile? {
        let descriptor = withoutInterruption { Foundation.open(path, flags | O_CLOEXEC | O_NOCTTY, mode) }
        return descriptor < 0 ? nil : OpenFile(descriptor, path: name)
    }

    /// Returns the current status of the file.
    func status() throws -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw PersistenceError.system(errno, "the store cannot be inspected", path: path)
        }
        return FileStatus(status)
    }

    /// Locks the file exclusively, as its writer, if no other writer has locked it.
    ///
    /// - Returns: A Boolean value that indicates whether the file is now locked.
    func lock() throws -> Bool {
        if withoutInterruption({ flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        throw PersistenceError.system(errno, "the store cannot be locked", path: path)
    }

    /// Returns all bytes of the file.
    ///
    /// - Parameter maximum: The maximum size of the file in bytes.
    /// - Returns: The bytes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the file is larger.
    func contents(atMost maximum: Int) throws -> [UInt8] {
        let size = Int(try status().byteCount)
        guard size <= maximum else { throw PersistenceError.tooLarge(size, maximum, path: path) }
        var bytes: [UInt8] = []
        // One additional byte detects a file that grows meanwhile.
        let capacity = size + 1
        while bytes.count <= maximum {
            let offset = bytes.count
            let chunk = try [UInt8](unsafeUninitializedCapacity: max(capacity - offset, 4096)) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                let read = withoutInterruption { pread(descriptor, start, buffer.count, off_t(offset)) }
                guard read >= 0 else { throw PersistenceError.system(errno, "the store cannot be read", path: path) }
                count = read
            }
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
        throw PersistenceError.tooLarge(bytes.count, maximum, path: path)
    }
}

extension PersistenceError {
    /// Returns the error for a file that exceeds the maximum size.
    static func tooLarge(_ count: Int, _ maximum: Int, path: String) -> PersistenceError {
        PersistenceError(
            .invalidRequest,
            "the store has at least \(count) bytes, but an XML or binary store can have at most \(maximum); use a "
                + "SQLite store for so many rows",
            path: path)
    }
}
