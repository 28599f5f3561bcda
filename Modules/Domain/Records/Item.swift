public import Foundation

/// An article in stock, with what it costs and what it sells for.
///
/// The initialiser refuses what is invalid. A copy may be changed into something invalid afterwards
/// (`item.stockCount = -1`), as any struct may: saving validates again and refuses it then.
public struct Item: ItemRecord, Identifiable, Hashable, Sendable {
    /// What identifies an item in a store.
    public typealias ID = Identifier<Item>

    /// The digits that a price keeps after the point.
    public static let priceScale = 2

    /// What a price may be: 0 to 92233720368547758.07.
    ///
    /// A price is stored as an `Int64` that counts hundredths, so that comparing and summing are exact;
    /// the upper bound is the most that such an integer holds.
    public static let priceRange: ClosedRange<Decimal> =
        0...Decimal(sign: .plus, exponent: -priceScale, significand: Decimal(Int64.max))

    /// The least number in stock there is.
    public static let minimumStockCount = 0

    /// The identity inside the store, given once.
    public let id: ID

    /// The identity outside the store: unique among items, never changing.
    public let itemId: UUID

    /// When the item was recorded; never changing.
    public let dateCreated: Date

    /// What the item is called.
    public var name: String

    /// What one piece costs, within ``priceRange``, at most ``priceScale`` digits after the point.
    public var unitCost: Decimal

    /// What one piece sells for, within ``priceRange``, at most ``priceScale`` digits after the point.
    public var unitPrice: Decimal

    /// How many pieces there are, at least ``minimumStockCount``.
    public var stockCount: Int

    /// Makes an item.
    ///
    /// - Throws: ``DomainError`` with the code `notANumber`, `outOfRange` or `tooManyDigits`, naming the property.
    public init(
        id: ID,
        itemId: UUID,
        dateCreated: Date,
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int = 0
    ) throws {
        for (property, price) in [("unitCost", unitCost), ("unitPrice", unitPrice)] {
            let rule = PropertyRule(type: "Item", property: property)
            try rule.require(price, within: Self.priceRange, scale: Self.priceScale)
        }
        let rule = PropertyRule(type: "Item", property: "stockCount")
        try rule.require(stockCount, atLeast: Self.minimumStockCount)
        self.id = id
        self.itemId = itemId
        self.dateCreated = dateCreated
        self.name = name
        self.unitCost = unitCost
        self.unitPrice = unitPrice
        self.stockCount = stockCount
    }
}
