public import Foundation
public import StrataDomain
public import StrataPersistence

/// A repository of items in a store.
public struct StoredItemRepository: ItemRepository, StoredRepository {
    /// The type of the records.
    public typealias Record = Item

    /// The context that reads and saves the items.
    public let context: any RecordContext

    /// Creates a repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Creates an item and saves it.
    @discardableResult
    public func create(
        name: String, unitCost: Decimal, unitPrice: Decimal, stockCount: Int, itemId: UUID, dateCreated: Date
    ) async throws -> Item {
        try await context.insert(Item.self) { id in
            try Item(
                id: id, itemId: itemId, dateCreated: dateCreated, name: name, unitCost: unitCost, unitPrice: unitPrice,
                stockCount: stockCount)
        }
    }
}
