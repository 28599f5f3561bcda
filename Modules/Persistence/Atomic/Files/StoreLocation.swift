import Foundation
import StrataCore
import StrataFiles

/// The location of a store's file with symbolic links resolved, so that replacing the file does not replace a link.
struct StoreLocation: Sendable {
    /// The path that the caller passed, for error messages.
    let name: String
    /// The path of the store's file after symbolic links were resolved.
    let path: String
    /// The path of the folder that contains the store's file.
    let folder: String

    init(_ name: String) {
        self.name = name
        let target = FilePath.followingLinks(name) ?? name
        folder = FilePath.resolved(FilePath.folder(of: target))
        path = (folder == "/" ? "" : folder) + "/" + FilePath.name(of: target)
    }

    /// The names of the store's temporary files.
    var temporaryNames: TemporaryNames {
        TemporaryNames(of: path, separator: ".", letters: "0123456789abcdef", lengths: 1...16, ending: ".strata-new")
    }

    /// Returns the status of the store's file, or `nil` if there is no file.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/notADatabase`` if the path is not a regular
    ///   file.
    func status() throws -> FileStatus? {
        guard let found = FileStatus(path: path) else {
            if errno == ENOENT { return nil }
            if errno == ENOTDIR { throw PersistenceError(.storeNotFound, "there is no such folder", path: name) }
            throw PersistenceError.system(errno, "the store cannot be opened", path: name)
        }
        guard !found.isDirectory else {
            throw PersistenceError(.notADatabase, "this is a folder, not a store", path: name)
        }
        guard found.isRegular else {
            throw PersistenceError(.notADatabase, "this is not a regular file and therefore not a store", path: name)
        }
        return found
    }

    /// Waits until the disk has stored the entry of the store's file in its folder.
    func synchronizeFolder() throws {
        guard let folder = OpenFile(folder: folder), withoutInterruption({ fsync(folder.descriptor) }) == 0 else {
            throw PersistenceError.system(errno, "the folder cannot be written to the disk", path: name)
        }
    }

    // MARK: Errors

    /// Runs a closure, and throws the failures of system calls in it as errors of the store.
    func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as FileError {
            throw PersistenceError.system(error.number, error.operation, path: name)
        }
    }
}

extension OpenFile {
    /// Returns all bytes of a store's file.
    ///
    /// - Parameters:
    ///   - maximum: The maximum size of the file in bytes.
    ///   - location: The location of the file.
    /// - Returns: The bytes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the file is larger.
    func contents(atMost maximum: Int, of location: StoreLocation) throws -> [UInt8] {
        try location.reporting {
            let size = Int(try status().byteCount)
            let bytes = size > maximum ? [] : try contents(atMost: maximum)
            guard max(size, bytes.count) <= maximum else {
                throw PersistenceError.tooLarge(max(size, bytes.count), maximum, path: location.name)
            }
            return bytes
        }
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
