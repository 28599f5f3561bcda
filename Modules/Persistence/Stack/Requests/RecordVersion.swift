/// The identifier of a record and the version of its row.
public struct RecordVersion<Record: ManagedRecord>: Sendable, Hashable {
    /// The identifier of the record.
    public let id: Record.ID
    /// The version of the record's row; compare versions only for equality.
    public let version: Int64

    /// Creates the version of a record.
    public init(id: Record.ID, version: Int64) {
        self.id = id
        self.version = version
    }
}
