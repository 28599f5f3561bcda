public import Foundation

/// Where items are kept.
public protocol ItemRepository: Repository where Record == Item {
    /// Saves a new item and returns it with its identifier.
    ///
    /// - Throws: ``DomainError`` as ``Item/init(id:itemId:dateCreated:name:unitCost:unitPrice:stockCount:)`` does,
    ///   and the storage's error where another item has this `itemId`.
    @discardableResult
    func create(
        name: String,
        unitCost: Decimal,
        unitPrice: Decimal,
        stockCount: Int,
        itemId: UUID,
        dateCreated: Date
    ) async throws -> Item
}

extension ItemRepository {
    /// The item with this outer identity, or nil where there is none.
    public func item(itemId: UUID) async throws -> Item? {
        let wanted: UUID = itemId
        return try await fetch(Query(where: #Predicate { $0.itemId == wanted }, limit: 1)).first
    }

    /// Deletes the item that this record shows, and returns false where there was none.
    ///
    /// Only the id is read, and before the caller's executor is left: a managed object may be passed.
    @discardableResult
    public nonisolated(nonsending) func delete(_ item: some ItemRecord) async throws -> Bool {
        try await delete(item.id)
    }
}
