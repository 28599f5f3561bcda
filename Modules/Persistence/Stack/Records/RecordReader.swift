import StrataCore

/// Reads the values of a row for a record, one after the other, in the order in which the entity declares its attributes and references.
///
/// ```swift
/// ) { row in
///     Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
/// }
/// ```
///
/// Relationships without a column and computed attributes are not read. Whether the order is the declared one is found out when the
/// model is made, or with the first records; see ``RecordEntity/init(_:id:rawID:_:uniquenessConstraints:indexes:external:renamedFrom:rules:computationVersion:read:)``.
public struct RecordReader {
    /// `@usableFromInline` because reading is inlined into the record types' own code, where each value's type is known.
    @usableFromInline
    let row: RowReader

    /// How many values were read.
    @usableFromInline
    var count = 0

    @inlinable
    init(_ row: RowReader) {
        self.row = row
    }

    /// The object's identifier, typed; at any time, and as often as wanted.
    ///
    /// - Parameter type: The identifier's type, where it does not follow from where the identifier goes.
    /// - Returns: The identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` when the number is out of range.
    @inlinable
    public func id<ID: RecordIdentifier>(as type: ID.Type = ID.self) throws -> ID { try row.id() }

    /// The next value.
    ///
    /// - Parameter type: The value's type, where it does not follow from where the value goes.
    /// - Returns: The value.
    /// - Throws: ``UnreadableColumn`` when what is stored is no such value, or when all were read; ``PersistenceError`` when the row cannot
    ///   be read.
    @inlinable
    public mutating func next<Value: AttributeValue>(as type: Value.Type = Value.self) throws -> Value {
        let value: Value = try row[count]
        count &+= 1
        return value
    }
}
