public import Foundation

/// An article in stock, with its cost and its price.
///
/// The initializer rejects invalid values. A caller may later change a copy to an invalid value (`item.stockCount =
/// -1`), as with any struct. A save validates the values again and then rejects the copy.
public struct Item: ItemRecord, Identifiable, Hashable, Sendable {
    /// The type of an item's identifier in a store.
    public typealias ID = Identifier<Item>

    /// The number of digits that a price keeps after the point.
    public static let priceScale = 2

    /// The range of a price: 0 to 92233720368547758.07.
    ///
    /// A store saves a price as an `Int64` that counts hundredths, so that comparisons and sums are exact. The upper
    /// bound is the maximum of such an integer.
    public static let priceRange: ClosedRange<Decimal> =
        0...Decimal(sign: .plus, exponent: -priceScale, significand: Decimal(Int64.max))

    /// The minimum number of pieces in stock.
    public static let minimumStockCount = 0

    /// The identifier inside the store, which never changes.
    public let id: ID

    /// The identifier outside the store, which is unique among items and never changes.
    public let itemId: UUID

    /// The date when the item was recorded, which never changes.
    public let dateCreated: Date

    /// The name of the item.
    public var name: String

    /// The cost of one piece, within ``priceRange``, with at most ``priceScale`` digits after the point.
    public var unitCost: Decimal

    /// The selling price of one piece, within ``priceRange``, with at most ``priceScale`` digits after the point.
    public var unitPrice: Decimal

    /// The number of pieces in stock, at least ``minimumStockCount``.
    public var stockCount: Int

    /// Creates an item.
    ///
    /// - Throws: ``DomainError`` with the name of the invalid property and the code `notANumber`, `outOfRange` or
    ///   `tooManyDigits`.
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
