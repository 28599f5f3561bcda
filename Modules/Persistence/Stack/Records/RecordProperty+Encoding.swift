import StrataCore

/// A function that reads a property's value from a record and converts it to its stored form.
///
/// The record is passed as a pointer. A pointer has no generic type, so the values of a row need no metadata lookup for
/// each value.
struct PropertyEncoder: Sendable {
    private let encode: @Sendable (UnsafeRawPointer) throws -> StoredValue

    /// Creates an encoder that reads a key path.
    init<Record, Value: AttributeValue>(_ path: any KeyPath<Record, Value> & Sendable) {
        if let offset = MemoryLayout<Record>.offset(of: path) {
            // SAFETY: the offset is that of a stored property of this type in every value of the record type. Reading
            // it at the offset takes a tenth of the time of reading it through the key path.
            encode = { try $0.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee.storedValue() }
        } else {
            // A computed property has no offset in the record's memory.
            // SAFETY: see `callAsFunction(_:)`.
            encode = { try $0.assumingMemoryBound(to: Record.self).pointee[keyPath: path].storedValue() }
        }
    }

    /// Creates an encoder that reads the result of a function of a record.
    init<Record>(of type: Record.Type, _ value: @escaping @Sendable (Record) throws -> StoredValue) {
        // SAFETY: see `callAsFunction(_:)`.
        encode = { try value($0.assumingMemoryBound(to: Record.self).pointee) }
    }

    /// Returns the stored form of the property of a record.
    ///
    /// - Parameter record: A pointer to a record of the type whose property this encoder reads.
    // SAFETY: encoders are used only by an entity of their record type, which points to a record of that type.
    func callAsFunction(_ record: UnsafeRawPointer) throws -> StoredValue { try encode(record) }
}
