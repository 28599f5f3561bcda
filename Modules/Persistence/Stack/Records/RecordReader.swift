import StrataCore

/// A reader of the values of a row for a record.
///
/// It reads them in the order in which the entity declares its attributes and references.
///
/// ```swift
/// ) { row in
///     Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
/// }
/// ```
///
/// A record does not read relationships without a column or computed attributes. The declared order is checked when the
/// model is created, or with the first records; see the initializer of ``RecordEntity``.
public struct RecordReader {
    /// The row.
    ///
    /// It is `@usableFromInline` because reading is inlined into the record types' own code, where each value's type is
    /// known.
    @usableFromInline
    let row: RowReader

    /// The number of values that were read.
    @usableFromInline
    var count = 0

    @inlinable
    init(_ row: RowReader) {
        self.row = row
    }

    /// Returns the object's typed identifier; callers may read it at any time and repeatedly.
    ///
    /// - Parameter type: The identifier's type, if the compiler cannot infer it.
    /// - Returns: The identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the number is out of range.
    @inlinable
    public func id<ID: RecordIdentifier>(as type: ID.Type = ID.self) throws -> ID { try row.id() }

    /// Returns the next value.
    ///
    /// - Parameter type: The value's type, if the compiler cannot infer it.
    /// - Returns: The value.
    /// - Throws: ``UnreadableColumn`` if the stored value is not of the type, or if all values were read;
    ///   ``PersistenceError`` if the row cannot be read.
    @inlinable
    public mutating func next<Value: AttributeValue>(as type: Value.Type = Value.self) throws -> Value {
        let value: Value = try row[count]
        count &+= 1
        return value
    }
}
