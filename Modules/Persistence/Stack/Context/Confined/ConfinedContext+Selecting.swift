public import StrataCore
import StrataStoreKit

extension ConfinedContext: RecordSelecting {
    /// The model of the container.
    public var recordModel: ManagedObjectModel? { reader.model }

    /// Returns the records that ``fetchRecords(_:)`` returns.
    public func records<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        try fetcher.fetchRecords(request)
    }

    /// Returns the values of each result of a selection from the objects of an entity, including unsaved changes.
    ///
    /// If no unsaved change can affect the result, the store evaluates the selection with one statement. Otherwise the
    /// selected objects are fetched, and the context evaluates the selection in memory.
    ///
    /// - Parameters:
    ///   - selection: The selection, whose entity is `entity`.
    ///   - entity: The entity of the objects.
    /// - Returns: The values of each result, in the order of the selection.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for an invalid selection, or
    ///   ``PersistenceError/Code/arithmetic`` if a number does not fit in 64 bits.
    public func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]] {
        try fetcher.values(selection, of: entity)
    }

    /// Returns the identifiers and versions of the objects that a request selects.
    ///
    /// - Throws: The errors of ``fetchIdentifiers(_:)``.
    public func versions<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [RecordVersion<Record>] {
        try fetcher.versions(request)
    }

    /// Returns the references from objects to their parents that are found from some objects, including unsaved
    /// changes.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship leads to
    ///   another entity.
    public func edges<Record: ManagedRecord>(
        from ids: [Record.ID], through relationship: ToMany<Record, Record>, of entity: RecordEntity<Record>,
        isUpward: Bool
    ) throws -> [TreeEdge] {
        try fetcher.edges(from: ids.map(\.rawValue), through: relationship, of: entity, isUpward: isUpward)
    }
}
