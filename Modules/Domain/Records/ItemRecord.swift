public import Foundation

/// What code that reads items depends on: the struct ``Item`` conforms, and so does the managed object.
public protocol ItemRecord {
    /// The identity inside the store, given once.
    var id: Item.ID { get }

    /// The identity outside the store: unique among items, never changing.
    var itemId: UUID { get }

    /// When the item was recorded; never changing.
    var dateCreated: Date { get }

    /// What the item is called.
    var name: String { get }

    /// What one piece costs.
    var unitCost: Decimal { get }

    /// What one piece sells for.
    var unitPrice: Decimal { get }

    /// How many pieces there are.
    var stockCount: Int { get }
}

extension ItemRecord {
    /// What one piece earns: ``unitPrice`` less ``unitCost``; negative where it sells below cost.
    public var margin: Decimal { unitPrice - unitCost }
}
