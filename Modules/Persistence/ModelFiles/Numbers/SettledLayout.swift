public import StrataCore

/// The representation of an entity's keys and of the order of its rows in a store.
///
/// ``ModelFile/openLayouts`` contains the entities whose layouts are not determined. Keys can be identifiers if each is
/// an integer from 1 to 2^53 - 1. The order must be stored if keys are identifiers, and if they are not ascending in
/// the file.
///
/// If the descriptor does not contain the layout, it is determined from the data of a new store before the first row is
/// stored. An existing store retains its layout.
public struct SettledLayout: Sendable, Hashable {
    /// A Boolean value that indicates whether the primary key in files, a single integer, is used as the identifier of
    /// rows.
    ///
    /// If it is `false`, the key is an attribute, and the store assigns identifiers.
    public var isIdentifier: Bool
    /// A Boolean value that indicates whether the store preserves the order that the rows have in their file.
    ///
    /// If it is `false`, rows are in the order of their identifiers.
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
