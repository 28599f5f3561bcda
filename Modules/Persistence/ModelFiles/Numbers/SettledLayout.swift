public import StrataCore

/// The way in which a store represents the key and the order of the rows of an entity.
///
/// If the descriptor does not contain the layout, the data of a new store determine it before the first row is stored.
/// An existing store retains its layout.
public struct SettledLayout: Sendable, Hashable {
    /// A Boolean value that indicates whether the primary key, a single integer, is the identifier of rows.
    public var isIdentifier: Bool
    /// A Boolean value that indicates whether rows preserve the order of their file.
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
