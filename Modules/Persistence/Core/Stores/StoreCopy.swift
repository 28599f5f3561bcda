public import Foundation

/// What a new store is made of: one state of another one, of whatever kind.
///
/// A copy has all that the other store has: rows with their identifiers and versions, pairs with their positions, the next identifiers, what users keep in
/// it, the model (that of the snapshot), and its identifier.
public struct StoreCopy: Sendable {
    /// The state, of a store that is open, and stays so while it is copied.
    public let snapshot: any StoreSnapshot
    /// The identifier of the store that is copied.
    public let identifier: UUID
    /// Whether a store that is there already is replaced; it is an error otherwise.
    ///
    /// Nobody else may have it open, and it is there as before until the new one is whole.
    public var replacesStore = false
    /// Told how far the copy is, on the thread that copies: every few thousand rows and pairs, and at its end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Asked every few thousand rows and pairs; true takes everything back with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// A copy of one state.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - identifier: The identifier of the store that is copied.
    public init(_ snapshot: any StoreSnapshot, identifier: UUID) {
        self.snapshot = snapshot
        self.identifier = identifier
    }
}
