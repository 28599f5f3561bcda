public import Foundation
public import StrataDomain
public import StrataPersistence

extension Item: PersistentRecord {
    /// The entity of items: `itemId`, `dateCreated`, a name, two prices, and a stock count.
    ///
    /// The `itemId` is unique. The `itemId` and `dateCreated` never change. The prices have two decimal places.
    public static let entity = RecordEntity<Item>(
        "Item", id: \.id, rawID: \Item.ID.rawValue,
        [
            .attribute("itemId", \.itemId, default: .newUUID, isUnique: true, isImmutable: true),
            .attribute("dateCreated", \.dateCreated, default: .now, isImmutable: true),
            .attribute("name", \.name),
            .attribute("unitCost", \.unitCost, scale: UInt8(Item.priceScale), rules: [.minimum(.integer(0))]),
            .attribute("unitPrice", \.unitPrice, scale: UInt8(Item.priceScale), rules: [.minimum(.integer(0))]),
            .attribute(
                "stockCount", \.stockCount, default: .constant(.integer(0)),
                rules: [.minimum(.integer(Int64(Item.minimumStockCount)))]),
        ], rules: .model
    ) { row in
        try Item(
            id: row.id(), itemId: row.next(), dateCreated: row.next(), name: row.next(), unitCost: row.next(),
            unitPrice: row.next(),
            stockCount: row.next())
    }
}

extension Managed: ItemRecord where Record == Item {
    /// The unique identifier outside the store.
    public var itemId: UUID { record.itemId }
    /// The date when the item was recorded.
    public var dateCreated: Date { record.dateCreated }
    /// The name of the item.
    public var name: String { record.name }
    /// The cost of one piece, with two decimal places.
    public var unitCost: Decimal { record.unitCost }
    /// The selling price of one piece, with two decimal places.
    public var unitPrice: Decimal { record.unitPrice }
    /// The number of pieces in stock.
    public var stockCount: Int { record.stockCount }
}
