public import Foundation

/// A repository of items.
public protocol ItemRepository: Repository where Record == Item {
    /// Saves a new item and returns it with its identifier.
    ///
    /// - Throws: The ``DomainError`` of ``Item/init(id:itemId:dateCreated:name:unitCost:unitPrice:stockCount:)``, and
    ///   the storage's error if another item has this `itemId`.
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
    /// Returns the item with this `itemId`, or `nil` if the repository has none.
    public func item(itemId: UUID) async throws -> Item? {
        let wanted: UUID = itemId
        return try await fetch(Query(where: #Predicate { $0.itemId == wanted }, limit: 1)).first
    }

    /// Deletes the item that has this record's identifier, and returns `false` if the repository has none.
    ///
    /// The method reads only the id, and reads it before it leaves the caller's executor. The caller may pass a managed
    /// object.
    @discardableResult
    public nonisolated(nonsending) func delete(_ item: some ItemRecord) async throws -> Bool {
        try await delete(item.id)
    }
}
