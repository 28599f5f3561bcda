public import StrataCore
import StrataStoreKit

extension DatasetExporter {
    /// A column that is exported for an entity: its name, and the type of its values.
    ///
    /// The columns of an exporter have the order of the values that ``DatasetExporter/forEach(_:_:)`` passes.
    public struct Column: Sendable, Hashable {
        /// The column's name.
        public let name: String
        /// The type of the column's values.
        ///
        /// It is `string` for a list of related objects, and the type of the last property for a path.
        public let type: AttributeType
    }

    /// Returns the columns that are exported for an entity: the selected columns of the options, or all.
    ///
    /// No row is read.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The columns in the order of the export.
    /// - Throws: ``InterchangeError/Code/columns`` with the first selected column that is missing or repeated.
    public func columns(of entity: String) throws -> [Column] {
        try resolved(store.model.entity(named: entity)).map { column in
            switch column.value {
            case .id: Column(name: column.name, type: .integer64)
            case .column(_, let type): Column(name: column.name, type: type)
            case .list: Column(name: column.name, type: .string)
            }
        }
    }

    /// Calls a closure with the values of the rows that a request selects, for example for a table on a screen.
    ///
    /// All rows are from the same state of the store and are read in constant memory. Values of related rows are looked
    /// up for many rows at once.
    ///
    /// The closure is called on the calling thread, and the call returns after the last row. Values have their stored
    /// types, and are not converted to texts. Null is `StoredValue.null`. If the closure throws, no further row is
    /// read.
    ///
    /// - Parameters:
    ///   - request: The request that selects the rows.
    ///   - body: A closure that receives the values of each row in the order of ``columns(of:)``.
    /// - Throws: The errors of `body`, ``InterchangeError/Code/columns`` if the entity does not have a selected column,
    ///   `PersistenceError` if reading fails, `CancellationError`.
    /// - Complexity: O(*n*) in the rows. ``ExportOptions/isCancelled`` is called before each block of 1,024 rows.
    public func forEach(_ request: StoreRequest, _ body: ([StoredValue]) throws -> Void) throws {
        let entity = try store.model.entity(named: request.entity)
        let columns = try resolved(entity)
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        let related = try RelatedValues(columns, of: entity, in: snapshots[0])
        let cursor = try snapshots[0].openCursor(request.inOrderOfFiles(entity))
        var hasMore = true
        while hasMore {
            if options.isCancelled() { throw CancellationError() }
            var rows: [StoredRow] = []
            hasMore = try cursor.read { row in
                rows.append(try StoredRow(copying: row, columns: entity.columns.count))
                return rows.count >= RelatedValues.blockSize ? .stop : .next
            }
            for values in try related.values(of: rows) { try body(values) }
        }
    }

    private func resolved(_ entity: EntityDescription) throws -> [ResolvedColumn] {
        try ResolvedColumn.resolve(options.columns, entity, in: store.model)
    }
}
