import Foundation
import StrataCore
import StrataFiles
import StrataStoreKit

/// A registry of the store files that this process has open.
///
/// When a process closes any descriptor of a file, it loses all its POSIX locks on the file, including those of SQLite
/// (sqlite.org/howtocorrupt.html, section 2.2). Therefore this process reads the first bytes of a file only if no store
/// of the process has the file open, and it opens one store at a time.
final class SQLiteOpenFiles: Sendable {
    static let shared = SQLiteOpenFiles()

    private let counts = Guarded<[FileStatus.Identity: Int]>([:])
    /// The lock that a thread has while it inspects or opens a file.
    private let opening = Guarded(())

    /// An object whose lifetime is the time during which a store has a file open.
    final class Registration: Sendable {
        private let identity: FileStatus.Identity

        fileprivate init(_ identity: FileStatus.Identity) {
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
        guard let identity = FileStatus(path: path)?.identity else { return false }
        return counts.withLock { $0[identity] != nil }
    }

    /// Records that a store has the file at a path open; returns `nil` if the file does not exist.
    func register(_ path: String) -> Registration? {
        guard let identity = FileStatus(path: path)?.identity else { return nil }
        counts.withLock { $0[identity, default: 0] += 1 }
        return Registration(identity)
    }
}
