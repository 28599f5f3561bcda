import StrataCore
import StrataStoreKit

/// The options for copying a store.
public struct CopyOptions: Sendable {
    /// A Boolean value that indicates whether the copy replaces an existing store.
    ///
    /// If the value is `false`, the default, and the destination exists, the copy throws an error. No other process or
    /// container may have the existing store open. The existing store is unchanged until the copy is complete.
    public var replacesStore = false
    /// A Boolean value that indicates whether the copy keeps the history of the store, for a new reader from a new
    /// token.
    ///
    /// The default is `true`. Only a copy from a SQLite file to a SQLite file can keep the history.
    public var keepsHistory = true
    /// A closure that reports the progress of the copy.
    ///
    /// The closure runs on the copying thread every few thousand rows, and once when all rows are copied.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A closure that returns `true` to cancel the copy.
    ///
    /// The closure is called every few thousand rows and join rows. If it returns `true`, the copy rolls back and
    /// throws `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called once, after all data is copied and before the copy is moved to its destination.
    ///
    /// If the closure throws an error, the copy rolls back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options without progress reports or cancellation.
    ///
    /// - Parameter replacesStore: A Boolean value that indicates whether the copy replaces an existing store.
    public init(replacesStore: Bool = false) {
        self.replacesStore = replacesStore
    }

    /// Returns the description of a copy of a snapshot with these options.
    ///
    /// - Parameters:
    ///   - snapshot: The state of the store to copy.
    ///   - store: The store, whose identifier the copy gets.
    /// - Returns: The description, which a store provider copies.
    /// - Throws: ``PersistenceError`` if the identifier of the store cannot be read.
    func copy(_ snapshot: any StoreSnapshot, of store: any PersistentStore) throws -> StoreCopy {
        var copy = StoreCopy(snapshot, identifier: try store.information().identifier)
        copy.replacesStore = replacesStore
        copy.keepsHistory = keepsHistory
        copy.progress = progress
        copy.isCancelled = isCancelled
        copy.willCommit = willCommit
        return copy
    }
}
