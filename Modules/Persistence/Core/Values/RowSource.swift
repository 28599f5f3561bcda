/// The source of one row's values; a store implements it over its own form of rows.
public protocol RowSource: AnyObject {
    /// The row's identifier.
    var id: Int64 { get }
    /// The row's version.
    var version: Int64 { get }
    /// The value of a column, by its place in the entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` when what is stored is of another type.
    func value(at index: Int) throws -> StoredValue
}

/// A source over rows by value.
package final class ValueRowSource: RowSource {
    /// The row that is stood on.
    ///
    /// Unchecked, as looking for overlapping accesses took a hundredth of an update; it is set and read by one thread, in turn.
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

    /// Looked at before each value: a record may count its columns wrong.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: row.values.count) }
}
