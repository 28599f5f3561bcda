/// The source of one row's values; a store implements it over its own form of rows.
///
/// A source is positioned at one row at a time. A store that returns many rows can use one source and move it. Only the
/// thread that runs the caller's closure reads the source. A store whose rows are ``StoredRow`` values needs no source
/// of its own: ``StoredRowCursor`` has one.
public protocol RowSource: AnyObject {
    /// The row's identifier.
    var id: Int64 { get }
    /// The row's version.
    var version: Int64 { get }
    /// Returns the value of a column, by its index in the entity.
    ///
    /// - Parameter index: The index of the column. A record type that is declared wrongly may pass an index that does
    ///   not exist; throw an error instead of trapping.
    /// - Returns: The value in the form of the column's type, or null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the stored value has another type.
    func value(at index: Int) throws -> StoredValue
}

/// A source over rows in memory.
package final class ValueRowSource: RowSource {
    /// The current row.
    ///
    /// The exclusivity check is off because it took a hundredth of the time of an update. Only one thread at a time
    /// sets and reads the property.
    @exclusivity(unchecked) package var row: StoredRow

    package init(_ row: StoredRow) {
        self.row = row
    }

    package var id: Int64 { row.id }
    package var version: Int64 { row.version }

    package func value(at index: Int) throws -> StoredValue {
        guard isColumn(index) else { throw ValueError("there is no column \(index)") }
        return row.values[index]
    }

    /// Returns a Boolean value that indicates whether a column exists.
    ///
    /// It is checked before each value, because a record may count its columns incorrectly.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: row.values.count) }
}
