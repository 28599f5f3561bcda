import Foundation
import StrataCore

/// The store files this process has open.
///
/// A process that closes any descriptor of a file loses all its POSIX locks on it, SQLite's too (sqlite.org/howtocorrupt.html, section 2.2). So the
/// first bytes of a file are read only while no store of this process has it open, and stores are opened one after the other.
final class SQLiteOpenFiles: Sendable {
    static let shared = SQLiteOpenFiles()

    /// What a file is, whatever its name.
    fileprivate struct Identity: Hashable {
        let device: UInt64
        let number: UInt64
    }

    private let counts = Guarded<[Identity: Int]>([:])
    /// Held while a file is looked at or opened.
    private let opening = Guarded(())

    /// Notes an open file until it is released.
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

    /// Runs `body` while nobody else in this process looks at a file or opens one.
    func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
        try opening.withLock { _ in try body() }
    }

    /// Whether a store of this process has the file open.
    func contains(_ path: String) -> Bool {
        guard let identity = identity(path) else { return false }
        return counts.withLock { $0[identity] != nil }
    }

    /// Notes that a store has the file open; `nil` when the file is gone.
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
