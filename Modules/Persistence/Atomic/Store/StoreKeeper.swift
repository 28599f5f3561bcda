import Foundation
import StrataCore
import StrataInMemory

/// The writer of a store's file, which always writes the whole contents.
final class StoreKeeper: Sendable {
    let file: AtomicFile
    let format: any AtomicFormat
    let title: StoreTitle
    /// The migration that the first write completes, or `nil`.
    private let following: Guarded<AtomicMigration?>

    init(_ file: AtomicFile, format: any AtomicFormat, title: StoreTitle, following: AtomicMigration? = nil) {
        (self.file, self.format, self.title) = (file, format, title)
        self.following = Guarded(following)
    }

    /// A Boolean value that indicates whether the file still has the previous model.
    var isFollowing: Bool { following.withLock { $0 != nil } }

    /// Writes the contents; if that fails, the file is unchanged, unless the error reports an unknown outcome.
    ///
    /// Only one caller at a time may use this method.
    func keep(_ contents: InMemoryContents) throws {
        guard let migration = following.withLock({ $0 }) else {
            return try file.replace { try format.write(contents, title, to: $0) }
        }
        try migration.backUp(file)
        do {
            try file.replace {
                try format.write(contents, title, to: $0)
            } willReplace: {
                if migration.options.isCancelled() { throw CancellationError() }
                try migration.options.willCommit()
            }
        } catch let error as PersistenceError where error.code == .unknownOutcome {
            didFollow(migration)
            throw error
        } catch {
            migration.removeBackup()
            throw error
        }
        didFollow(migration)
    }

    private func didFollow(_ migration: AtomicMigration) {
        following.withLock { $0 = nil }
        migration.options.didCommit()
    }
}
