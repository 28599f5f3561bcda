import Foundation
import StrataCore
import StrataInMemory
import StrataStoreKit

/// A writer of a store's file, which writes the whole store at each change.
final class StoreKeeper: Sendable {
    let file: AtomicFile
    let format: any AtomicFormat
    let title: StoreTitle
    /// The migration that the first write stores in the file; `nil` if there is none.
    private let following: Guarded<AtomicMigration?>

    init(_ file: AtomicFile, format: any AtomicFormat, title: StoreTitle, following: AtomicMigration? = nil) {
        (self.file, self.format, self.title) = (file, format, title)
        self.following = Guarded(following)
    }

    /// A Boolean value that indicates whether the file still contains the model before the migration.
    var isFollowing: Bool { following.withLock { $0 != nil } }

    /// Writes the contents of the store to the file; if an error other than ``PersistenceError/Code/unknownOutcome`` is
    /// thrown, the file is unchanged.
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
