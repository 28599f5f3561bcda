import Foundation
import StrataCore
import StrataFiles
import StrataStoreKit

/// The locked file of a store that is open for writing; every write replaces the whole file.
final class AtomicFile: Sendable {
    let location: StoreLocation
    let durability: Durability
    let environment: AtomicEnvironment

    private struct Held: Sendable {
        let file: OpenFile
        let status: FileStatus
    }

    private let held: Guarded<Held?>

    /// Creates an object for a file that is already locked.
    init(_ file: OpenFile, at location: StoreLocation, durability: Durability, _ environment: AtomicEnvironment) throws
    {
        self.location = location
        self.durability = durability
        self.environment = environment
        held = Guarded(Held(file: file, status: try location.reporting { try file.status() }))
    }

    /// The size of the file in bytes; `nil` after the file was closed.
    var byteCount: Int64? { held.withLock { $0?.status.byteCount } }

    /// Returns all bytes of the file.
    func contents() throws -> [UInt8] {
        try current().file.contents(atMost: environment.maximumByteCount, of: location)
    }

    private func current() throws -> Held {
        guard let current = held.withLock({ $0 }) else {
            throw PersistenceError(.closed, "the store was closed", path: location.name)
        }
        return current
    }

    /// Replaces the file by a new file; if this fails, the old file is unchanged.
    ///
    /// Only one caller at a time may use this method.
    ///
    /// - Parameters:
    ///   - encode: A closure that writes the whole store to the new file.
    ///   - willReplace: A closure that is called when the new file is complete and has not replaced the old one yet.
    /// - Throws: ``PersistenceError`` if the file cannot be written; with code ``PersistenceError/Code/inputOutput`` if
    ///   another program has changed or replaced the file; with code ``PersistenceError/Code/unknownOutcome`` if the
    ///   new file has replaced the old one, but the disk does not confirm that it has stored this; or an error that a
    ///   closure throws.
    func replace(_ encode: (any AtomicOutput) throws -> Void, willReplace: () throws -> Void = {}) throws {
        let old = try current()
        let now = try checkUnchanged(old)
        let replacement = try location.reporting {
            let new = try NewStoreFile(for: location, replacing: now, environment)
            try encode(new)
            try new.synchronize()
            try willReplace()
            try checkUnchanged(old)
            let status = try new.file.status()
            try new.replace()
            return Held(file: new.file, status: status)
        }
        held.withLock { $0 = replacement }
        guard durability == .full else { return }
        do { try location.synchronizeFolder() } catch let error as PersistenceError {
            throw PersistenceError(
                .unknownOutcome,
                "the store's file is written, but \(error.message); the change may not survive a power failure",
                path: location.name)
        }
    }

    /// Throws an error if another program has changed the file since it was last read or written, so that its changes
    /// are not lost.
    ///
    /// For example, version control changes a file when the user changes the branch.
    ///
    /// - Returns: The current status of the file; its permissions may have changed.
    @discardableResult
    private func checkUnchanged(_ old: Held) throws -> FileStatus {
        guard let now = try location.status() else {
            throw PersistenceError(
                .storeNotFound, "another program has removed the store's file since it was opened; nothing was written",
                path: location.name)
        }
        guard now.stamp == old.status.stamp else {
            throw PersistenceError(
                .inputOutput,
                "another program has changed the store's file since it was opened, and nothing was written; open the store again",
                path: location.name)
        }
        return now
    }

    /// Removes the temporary files that interrupted writers of this store have left.
    ///
    /// The caller must have locked the store. Errors are ignored, because remaining files cause no harm.
    func removeLeftovers() {
        guard let own = held.withLock({ $0?.status.identity }) else { return }
        location.temporaryNames.removeLeftovers(of: own)
    }

    /// Removes the file, which also ends its lock.
    func remove() throws {
        let current = try current()
        try checkUnchanged(current)
        guard unlink(location.path) == 0 || errno == ENOENT else {
            throw PersistenceError.system(errno, "the file cannot be removed", path: location.name)
        }
        removeLeftovers()
        close()
    }

    /// Closes the file, which ends its lock; further calls do nothing.
    func close() { held.withLock { $0 = nil } }
}
