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
