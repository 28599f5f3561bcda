import StrataCore

/// A function that reads a property from a record and converts its value to the stored form.
///
/// The record is passed as an untyped pointer, so that encoding a row needs no generic metadata lookup for each value.
struct PropertyEncoder: Sendable {
    private let encode: @Sendable (UnsafeRawPointer) throws -> StoredValue

    /// Creates an encoder for the property at a key path.
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

    /// Creates an encoder for the result of a function of the record.
    init<Record>(of type: Record.Type, _ value: @escaping @Sendable (Record) throws -> StoredValue) {
        // SAFETY: see `callAsFunction(_:)`.
        encode = { try value($0.assumingMemoryBound(to: Record.self).pointee) }
    }

    /// Returns the stored form of the property of a record.
    ///
    /// - Parameter record: A pointer to a record; its type must be that for which the encoder was created.
    // SAFETY: encoders are used only by an entity of their record type, which points to a record of that type.
    func callAsFunction(_ record: UnsafeRawPointer) throws -> StoredValue { try encode(record) }
}
