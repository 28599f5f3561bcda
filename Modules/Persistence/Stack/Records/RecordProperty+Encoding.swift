import StrataCore

/// How a property's value is read from a record and brought to its stored form.
///
/// The record is given by where it is: that has no generic type, so that a row's values need no metadata looked up for each.
struct PropertyEncoder: Sendable {
    private let encode: @Sendable (UnsafeRawPointer) throws -> StoredValue

    /// Reads what a key path leads to.
    init<Record, Value: AttributeValue>(_ path: any KeyPath<Record, Value> & Sendable) {
        if let offset = MemoryLayout<Record>.offset(of: path) {
            // SAFETY: the offset is that of a stored property of this type in every value of the record type. Reading it there takes a tenth of
            // the time that reading through the key path takes.
            encode = { try $0.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee.storedValue() }
        } else {
            // A computed property has no place in the record's memory.
            // SAFETY: see `callAsFunction(_:)`.
            encode = { try $0.assumingMemoryBound(to: Record.self).pointee[keyPath: path].storedValue() }
        }
    }

    /// Reads what a function gives of a record.
    init<Record>(of type: Record.Type, _ value: @escaping @Sendable (Record) throws -> StoredValue) {
        // SAFETY: see `callAsFunction(_:)`.
        encode = { try value($0.assumingMemoryBound(to: Record.self).pointee) }
    }

    /// The stored form of the property of a record.
    ///
    /// - Parameter record: Where a record is, of the type whose property this reads.
    // SAFETY: encoders are reached only through an entity of their record type, which points to a record of that type.
    func callAsFunction(_ record: UnsafeRawPointer) throws -> StoredValue { try encode(record) }
}
