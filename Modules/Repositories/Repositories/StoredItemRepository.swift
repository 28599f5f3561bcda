public import Foundation
public import StrataDomain
public import StrataPersistence

/// Items in a store.
public struct StoredItemRepository: ItemRepository, StoredRepository {
    /// The records' type.
    public typealias Record = Item

    /// Where the items are kept.
    public let context: any RecordContext

    /// A repository over a context.
    public init(_ context: any RecordContext) {
        self.context = context
    }

    /// Makes an item and saves it.
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
