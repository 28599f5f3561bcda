import StrataCore

/// How a store is copied.
public struct CopyOptions: Sendable {
    /// Whether a store that is there already is replaced; it is an error otherwise.
    ///
    /// Nobody else may have it open, and it is there as before until the new one is whole.
    public var replacesStore = false
    /// Told how far the copy is, on the thread that copies: every few thousand rows, and at its end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Asked every few thousand rows and pairs; true takes everything back with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Called once when all is copied and before it is put in its place; what it throws takes everything back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Replaces nothing, and tells nobody.
    public init(replacesStore: Bool = false) {
        self.replacesStore = replacesStore
    }

    func copy(_ snapshot: any StoreSnapshot, of store: any PersistentStore) throws -> StoreCopy {
        var copy = StoreCopy(snapshot, identifier: try store.information().identifier)
        copy.replacesStore = replacesStore
        copy.progress = progress
        copy.isCancelled = isCancelled
        copy.willCommit = willCommit
        return copy
    }
}
