public import StrataCore
public import StrataStoreKit

/// A reader of the values of a row, for the closure that creates a record from the row.
///
/// The closure reads the values in the order in which the entity declares its attributes and references.
///
/// ```swift
/// ) { row in
///     Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
/// }
/// ```
///
/// The closure does not read computed attributes and relationships without a column. The order is checked when a model
/// is created, or with the first stored rows; see the initializer of ``RecordEntity``.
///
/// ## Topics
///
/// - ``id(as:)``
/// - ``next(as:)``
public struct RecordReader {
    /// The row that is read.
    ///
    /// It is `@usableFromInline` because the reading methods are inlined into the modules of the record types, where
    /// the type of each value is known.
    @usableFromInline
    let row: RowReader

    /// The number of values that the closure has read.
    @usableFromInline
    var count = 0

    @inlinable
    init(_ row: RowReader) {
        self.row = row
    }

    /// Returns the typed identifier of the object; the closure may call this method repeatedly and at any time.
    ///
    /// - Parameter type: The type of the identifier, if the compiler cannot infer it.
    /// - Returns: The identifier.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the stored identifier is out of
    ///   range.
    @inlinable
    public func id<ID: RecordIdentifier>(as type: ID.Type = ID.self) throws -> ID { try row.id() }

    /// Returns the next value of the row.
    ///
    /// - Parameter type: The type of the value, if the compiler cannot infer it.
    /// - Returns: The value.
    /// - Throws: ``UnreadableColumn`` if the stored value cannot be converted to the type, or if no value is left;
    ///   ``PersistenceError`` if the row cannot be read.
    @inlinable
    public mutating func next<Value: AttributeValue>(as type: Value.Type = Value.self) throws -> Value {
        let value: Value = try row[count]
        count &+= 1
        return value
    }
}
