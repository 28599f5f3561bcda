import Foundation
import StrataCore

/// The store files that this process has open.
///
/// If a process closes any descriptor of a file, it loses all its POSIX locks on the file, including SQLite's
/// (sqlite.org/howtocorrupt.html, section 2.2). Therefore the first bytes of a file are read only while no store of
/// this process has the file open, and stores are opened one after the other.
final class SQLiteOpenFiles: Sendable {
    static let shared = SQLiteOpenFiles()

    /// The identity of a file, which does not depend on its name.
    fileprivate struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    private let counts = Guarded<[Identity: Int]>([:])
    /// The lock that is held while a file is inspected or opened.
    private let opening = Guarded(())

    /// A registration of an open file, which ends when it is released.
    final class Registration: Sendable {
        private let identity: Identity

        fileprivate init(_ identity: Identity) {
            self.identity = identity
        }

        deinit {
            let identity = identity
            SQLiteOpenFiles.shared.counts.withLock { counts in
                let left = (counts[identity] ?? 1) - 1
                counts[identity] = left > 0 ? left : nil
            }
        }
    }

    /// Runs `body` while no other thread of this process inspects or opens a file.
    func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
        try opening.withLock { _ in try body() }
    }

    /// Returns a Boolean value that indicates whether a store of this process has the file open.
    func contains(_ path: String) -> Bool {
        guard let identity = identity(path) else { return false }
        return counts.withLock { $0[identity] != nil }
    }

    /// Records that a store has the file open; returns `nil` if the file does not exist.
    func register(_ path: String) -> Registration? {
        guard let identity = identity(path) else { return nil }
        counts.withLock { $0[identity, default: 0] += 1 }
        return Registration(identity)
    }

    private func identity(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    }
}
