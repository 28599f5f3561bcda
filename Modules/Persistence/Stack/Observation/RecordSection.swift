import StrataCore

/// The records of an observed request that have one value of its first sort key.
public struct RecordSection<Key: Hashable & Sendable, Record: ManagedRecord>: Sendable {
    /// The value of the first sort key, which no other section has.
    public let key: Key
    /// The records in the order of the request; at least one.
    public internal(set) var records: [Record]
}
