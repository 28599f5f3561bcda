public import Foundation

// Each leaves out at least one label of the requirement, so that none can be taken for it and call itself.
extension ItemRepository {
    /// Saves a new item with a fresh `itemId`, recorded now, and returns it with its identifier.
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

    /// Saves a new item with this `itemId`, recorded now, and returns it with its identifier.
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

    /// Saves a new item with a fresh `itemId`, recorded at this date, and returns it with its identifier.
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

    /// Saves a new item of which there is none in stock yet, and returns it with its identifier.
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
