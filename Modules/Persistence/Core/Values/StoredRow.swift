/// A row in memory: an identifier, a version, and the values in the order of the entity's columns.
///
/// Stores return rows as ``RowReader`` values, which copy nothing. Use this type for rows that must outlive the
/// closure, and for stores in memory. It contains no name of its entity.
public struct StoredRow: Sendable, Hashable {
    /// The identifier of the row.
    public var id: Int64
    /// The version of the row: any number after the insertion, raised by one with each update.
    ///
    /// The first version is not always 1; see ``ChangeSet/freshVersion()``.
    public var version: Int64
    /// The values of the row, in the order of the entity's columns.
    public var values: [StoredValue]

    /// Creates a row in memory.
    ///
    /// - Parameters:
    ///   - id: The identifier, from 1 to 2^53 - 1.
    ///   - version: The version, at least 1.
    ///   - values: One value for each column of the entity, in its stored form.
    public init(id: Int64, version: Int64 = 1, values: [StoredValue]) {
        self.id = id
        self.version = version
        self.values = values
    }
}
