public import StrataCore

/// How a store keeps the key and the order of the rows of an entity.
///
/// A descriptor need not say it: the data of a new store do, before the first row is stored. A store keeps the layout
/// that it has.
public struct SettledLayout: Sendable, Hashable {
    /// A Boolean value that indicates whether the primary key, one whole number, is the identifier of rows.
    public var isIdentifier: Bool
    /// A Boolean value that indicates whether rows keep the order of their file.
    public var keepsOrder: Bool

    /// A layout.
    public init(isIdentifier: Bool, keepsOrder: Bool) {
        (self.isIdentifier, self.keepsOrder) = (isIdentifier, keepsOrder)
    }

    /// The layout of a store's entity.
    public init(_ entity: EntityDescription) {
        self.init(isIdentifier: entity.external.idColumn != nil, keepsOrder: entity.keepsOrder)
    }
}
