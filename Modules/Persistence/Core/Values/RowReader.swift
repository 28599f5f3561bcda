/// Reads the values of the row a store stands on.
///
/// ```swift
/// try store.fetch(StoreRequest("Color")) { row in
///     let hex: String = try row[0]  // by the column's place
///     return hex == "#000000" ? .stop : .next
/// }
/// ```
public struct RowReader {
    /// `@usableFromInline` because reading is inlined into the record types' own code, where each column's type is known.
    @usableFromInline
    let source: any RowSource

    /// A reader of a source's current row.
    public init(_ source: any RowSource) {
        self.source = source
    }

    /// The row's identifier as a number.
    @inlinable public var rawID: Int64 { source.id }

    /// The row's version.
    @inlinable public var version: Int64 { source.version }

    /// The value of a column, by its place in the entity, as it is stored.
    public func value(at index: Int) throws -> StoredValue { try source.value(at: index) }
}
