import Foundation
import StrataCore

/// The file of a store that is open for writing: locked, and replaced as a whole by every write.
final class AtomicFile: Sendable {
    let location: StoreLocation
    let durability: Durability
    let environment: AtomicEnvironment

    private struct Held: Sendable {
        let file: OpenFile
        let status: FileStatus
    }

    private let held: Guarded<Held?>

    /// A file that is locked.
    init(_ file: OpenFile, at location: StoreLocation, durability: Durability, _ environment: AtomicEnvironment) throws
    {
        self.location = location
        self.durability = durability
        self.environment = environment
        held = Guarded(Held(file: file, status: try file.status()))
    }

    /// The size in bytes; `nil` when it was closed.
    var byteCount: Int64? { held.withLock { $0?.status.byteCount } }

    /// All bytes.
    func contents() throws -> [UInt8] { try current().file.contents(atMost: environment.maximumByteCount) }

    private func current() throws -> Held {
        guard let current = held.withLock({ $0 }) else {
            throw PersistenceError(.closed, "the store was closed", path: location.name)
        }
        return current
    }

    /// Puts a new file in the place of the old one, which stays as it is where that fails.
    ///
    /// One caller at a time.
    ///
    /// - Parameters:
    ///   - encode: Writes all of the store.
    ///   - willReplace: Called when the new file is whole, before anybody sees it.
    /// - Throws: ``PersistenceError`` for what hinders writing, with code ``PersistenceError/Code/inputOutput`` where another program has changed or replaced the
    ///   file; with code ``PersistenceError/Code/unknownOutcome`` where the new file has its name, and the disk does not say that it keeps that; what the
    ///   closures throw.
    func replace(_ encode: (any AtomicOutput) throws -> Void, willReplace: () throws -> Void = {}) throws {
        let old = try current()
        let now = try checkUnchanged(old)
        let new = try TemporaryFile(for: location, replacing: now, environment)
        try encode(new)
        try new.synchronize()
        try willReplace()
        try checkUnchanged(old)
        let status = try new.file.status()
        try new.replace()
        held.withLock { $0 = Held(file: new.file, status: status) }
        guard durability == .full else { return }
        do { try TemporaryFile.synchronizeFolder(of: location) } catch let error as PersistenceError {
            throw PersistenceError(
                .unknownOutcome,
                "the store's file is written, but \(error.message): whether that survives a power failure is not known",
                path: location.name)
        }
    }

    /// What another program wrote meanwhile is not written over: a file under version control changes with the branch.
    ///
    /// - Returns: What the file is now: its permissions may be others.
    @discardableResult
    private func checkUnchanged(_ old: Held) throws -> FileStatus {
        guard let now = try FileStatus.ofStore(at: location.path, named: location.name) else {
            throw PersistenceError(
                .storeNotFound, "another program has removed the store's file since it was opened; nothing was written",
                path: location.name)
        }
        guard now.isUnchanged(since: old.status) else {
            throw PersistenceError(
                .inputOutput,
                "another program has changed the store's file since it was opened, and nothing was written; open the store again",
                path: location.name)
        }
        return now
    }

    /// Removes new files beside the store whose writers were stopped.
    ///
    /// Called by whoever has the store's lock. What cannot be removed does no harm.
    func removeLeftovers() {
        guard let own = held.withLock({ $0?.status.identity }) else { return }
        for path in location.temporaryPaths() {
            guard let file = OpenFile.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, named: path) else { continue }
            do {
                // A writer that was stopped between the two names of a new store left the store's own file.
                if try file.status().identity == own {
                    unlink(path)
                } else if try file.lock() {
                    unlink(path)
                }
            } catch {
                continue
            }
        }
    }

    /// Removes the file; the lock goes with it.
    func remove() throws {
        let current = try current()
        try checkUnchanged(current)
        guard unlink(location.path) == 0 || errno == ENOENT else {
            throw PersistenceError.system(errno, "the file cannot be removed", path: location.name)
        }
        removeLeftovers()
        close()
    }

    /// Gives the lock back; calling it again does nothing.
    func close() { held.withLock { $0 = nil } }
}
