/// A row in memory: an identifier, a version, and the values in the order of the entity's columns.
public struct StoredRow: Sendable, Hashable {
    /// The identifier of the row.
    public var id: Int64
    /// The version of the row: any number after the insertion, raised by one with each update.
    public var version: Int64
    /// The values of the row, in the order of the entity's columns.
    public var values: [StoredValue]

    /// Creates a row in memory.
    public init(id: Int64, version: Int64 = 1, values: [StoredValue]) {
        self.id = id
        self.version = version
        self.values = values
    }
}
