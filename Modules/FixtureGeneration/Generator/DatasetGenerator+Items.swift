public import Domain
import Foundation

extension DatasetGenerator {
    /// The item at an index from 0; its id is index + 1, and no other index has its `itemId`.
    ///
    /// It sells for more than it costs; about one in twenty is out of stock.
    ///
    /// - Throws: `DomainError` with the code `outOfRange` where the index is none.
    public func item(at index: Int) throws -> Item {
        let row = try row(.item, at: index)
        let cost = row.value(ItemField.unitCost, in: 50...50_000)
        // A cent at least, so that the cheapest item too sells above its cost.
        let margin = 1 + cost * row.value(ItemField.margin, in: 5...80) / 100
        return try Item(
            id: Item.ID(index + 1),
            itemId: row.uuid(ItemField.itemId),
            dateCreated: row.date(ItemField.dateCreated, in: DateRanges.recorded),
            name: ItemWords.name(row),
            unitCost: Self.price(hundredths: cost),
            unitPrice: Self.price(hundredths: cost + margin),
            stockCount: row.value(ItemField.inStock, below: 20) == 0 ? 0 : row.value(ItemField.stockCount, in: 1...500)
        )
    }

    private static func price(hundredths: Int) -> Decimal {
        Decimal(sign: .plus, exponent: -Item.priceScale, significand: Decimal(hundredths))
    }
}

/// The addresses of an item's fields; part of the dataset, never reused.
enum ItemField {
    static let itemId: UInt64 = 1
    static let dateCreated: UInt64 = 2
    static let flavour: UInt64 = 3
    static let adjective: UInt64 = 4
    static let noun: UInt64 = 5
    static let unitCost: UInt64 = 6
    static let margin: UInt64 = 7
    static let inStock: UInt64 = 8
    static let stockCount: UInt64 = 9
}
