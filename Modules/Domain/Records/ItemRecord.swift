public import Foundation

/// The properties of an item, for code that accepts both the struct ``Item`` and the managed object.
public protocol ItemRecord {
    /// The identifier inside the store, which never changes.
    var id: Item.ID { get }

    /// The identifier outside the store, which is unique among items and never changes.
    var itemId: UUID { get }

    /// The date when the item was recorded, which never changes.
    var dateCreated: Date { get }

    /// The name of the item.
    var name: String { get }

    /// The cost of one piece.
    var unitCost: Decimal { get }

    /// The selling price of one piece.
    var unitPrice: Decimal { get }

    /// The number of pieces in stock.
    var stockCount: Int { get }
}

extension ItemRecord {
    /// The profit of one piece, ``unitPrice`` minus ``unitCost``, which is negative if the price is below the cost.
    public var margin: Decimal { unitPrice - unitCost }
}
