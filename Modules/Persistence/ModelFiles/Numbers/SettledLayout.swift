public import StrataCore

/// The representation of an entity's keys and of the order of its rows in a store.
///
/// If the descriptor does not contain the layout, it is determined from the data of a new store before the first row is
/// stored. An existing store retains its layout.
public struct SettledLayout: Sendable, Hashable {
    /// A Boolean value that indicates whether the primary key in files, a single integer, is used as the identifier of
    /// rows.
    public var isIdentifier: Bool
    /// A Boolean value that indicates whether the store preserves the order that the rows have in their file.
    public var keepsOrder: Bool

    /// Creates a layout.
    public init(isIdentifier: Bool, keepsOrder: Bool) {
        (self.isIdentifier, self.keepsOrder) = (isIdentifier, keepsOrder)
    }

    /// Creates the layout of a store's entity.
    public init(_ entity: EntityDescription) {
        self.init(isIdentifier: entity.external.idColumn != nil, keepsOrder: entity.keepsOrder)
    }
}
