/// Reads the values of the row a store stands on.
///
/// ```swift
/// let color = try Color(id: row.id(), hex: row[0], name: row[1], dateCreated: row[2])
/// ```
public struct RowReader {
    /// `@usableFromInline` because reading is inlined into the record types' own code, where each column's type is known.
    @usableFromInline
    let source: any RowSource

    /// A reader of a source's current row.
    public init(_ source: any RowSource) {
        self.source = source
    }

    /// The row's identifier as a number.
    @inlinable public var rawID: Int64 { source.id }

    /// The row's version.
    @inlinable public var version: Int64 { source.version }

    /// The row's identifier, typed.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` when the identifier is out of range.
    @inlinable
    public func id<ID: RecordIdentifier>(as type: ID.Type = ID.self) throws -> ID {
        guard let id = ID(rawValue: source.id) else {
            throw PersistenceError(.corrupt, "a row has the identifier \(source.id), which is out of range")
        }
        return id
    }

    /// The value of a column, by its place in the entity, as it is stored.
    public func value(at index: Int) throws -> StoredValue { try source.value(at: index) }

    /// The value of a column, by its place in the entity, as the Swift type asked for.
    @inlinable
    public subscript<Value: AttributeValue>(index: Int) -> Value {
        get throws { try Value.read(self, at: index) }
    }
}

/// A row by value: an identifier, a version, and the values in the order of the entity's columns.
public struct StoredRow: Sendable, Hashable {
    /// The identifier.
    public var id: Int64
    /// The version: any number when inserted, one more after each update.
    public var version: Int64
    /// The values.
    public var values: [StoredValue]

    /// A row.
    public init(id: Int64, version: Int64 = 1, values: [StoredValue]) {
        self.id = id
        self.version = version
        self.values = values
    }
}

extension PersistentStore {
    /// The rows a request selects, by value.
    ///
    /// For few rows: all are in memory at once.
    public func rows(_ request: StoreRequest) throws -> [StoredRow] {
        let columns = try model.entity(named: request.entity).columns.indices
        var rows: [StoredRow] = []
        try fetch(request) { row in
            rows.append(
                StoredRow(id: row.rawID, version: row.version, values: try columns.map { try row.value(at: $0) }))
            return .next
        }
        return rows
    }
}
