import Foundation
import StrataCore
import StrataInMemory

/// Writes what a store holds to its file, all of it at once.
final class StoreKeeper: Sendable {
    let file: AtomicFile
    let format: any AtomicFormat
    let title: StoreTitle
    /// What is to be done with the first write, where the store follows another model with it.
    private let following: Guarded<AtomicMigration?>

    init(_ file: AtomicFile, format: any AtomicFormat, title: StoreTitle, following: AtomicMigration? = nil) {
        (self.file, self.format, self.title) = (file, format, title)
        self.following = Guarded(following)
    }

    /// Whether the file is still that of another model.
    var isFollowing: Bool { following.withLock { $0 != nil } }

    /// Writes it; the file stays as it is where that fails, unless the error says that it may not keep what was written.
    ///
    /// One caller at a time.
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
