public import Foundation

// Each method omits at least one label of the requirement. Otherwise the method would match the requirement and call
// itself.
extension ItemRepository {
    /// Saves a new item with a new `itemId` and the current date, and returns it with its identifier.
    @discardableResult
    public func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int = 0
    ) async throws -> Item {
        try await create(
            name: name,
            unitCost: unitCost,
            unitPrice: unitPrice,
            stockCount: stockCount,
            itemId: UUID(),
            dateCreated: .now
        )
    }

    /// Saves a new item with an `itemId` and the current date, and returns it with its identifier.
    @discardableResult
    public func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int = 0,
        itemId: UUID
    ) async throws -> Item {
        try await create(
            name: name,
            unitCost: unitCost,
            unitPrice: unitPrice,
            stockCount: stockCount,
            itemId: itemId,
            dateCreated: .now
        )
    }

    /// Saves a new item with a new `itemId` and a creation date, and returns it with its identifier.
    @discardableResult
    public func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int = 0,
        dateCreated: Date
    ) async throws -> Item {
        try await create(
            name: name,
            unitCost: unitCost,
            unitPrice: unitPrice,
            stockCount: stockCount,
            itemId: UUID(),
            dateCreated: dateCreated
        )
    }

    /// Saves a new item with a stock count of 0, and returns it with its identifier.
    @discardableResult
    public func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        itemId: UUID,
        dateCreated: Date
    ) async throws -> Item {
        try await create(
            name: name,
            unitCost: unitCost,
            unitPrice: unitPrice,
            stockCount: 0,
            itemId: itemId,
            dateCreated: dateCreated
        )
    }
}
