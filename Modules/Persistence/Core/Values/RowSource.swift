public import Foundation

/// Where the values of one row come from; a store implements it over its own form of rows.
///
/// ``value(at:)`` is enough. The typed requirements are there for speed: they give the value without a ``StoredValue`` in between, where
/// the column is of that type and holds one, and `nil` for everything else, which is then read, and checked, by ``value(at:)``.
public protocol RowSource: AnyObject {
    /// The row's identifier.
    var id: Int64 { get }
    /// The row's version.
    var version: Int64 { get }
    /// The value of a column, by its place in the entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` when what is stored is of another type.
    func value(at index: Int) throws -> StoredValue

    /// Whether a column holds null; `nil` when ``value(at:)`` is to be asked.
    func isNull(at index: Int) -> Bool?
    /// The number of a column of whole numbers; `nil` when ``value(at:)`` is to be asked.
    func integer(at index: Int) -> Int64?
    /// The number of a column of floating-point numbers; `nil` when ``value(at:)`` is to be asked.
    func double(at index: Int) -> Double?
    /// The truth value of a column of truth values; `nil` when ``value(at:)`` is to be asked.
    func boolean(at index: Int) -> Bool?
    /// The text of a column of texts; `nil` when ``value(at:)`` is to be asked.
    func string(at index: Int) -> String?
    /// The instant of a column of instants; `nil` when ``value(at:)`` is to be asked.
    func date(at index: Int) -> Date?
}

extension RowSource {
    /// Not known without the value.
    public func isNull(at index: Int) -> Bool? { nil }
    /// Not known without the value.
    public func integer(at index: Int) -> Int64? { nil }
    /// Not known without the value.
    public func double(at index: Int) -> Double? { nil }
    /// Not known without the value.
    public func boolean(at index: Int) -> Bool? { nil }
    /// Not known without the value.
    public func string(at index: Int) -> String? { nil }
    /// Not known without the value.
    public func date(at index: Int) -> Date? { nil }
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

    package func isNull(at index: Int) -> Bool? { isColumn(index) ? row.values[index].isNull : nil }

    package func integer(at index: Int) -> Int64? {
        if isColumn(index), case .integer(let value) = row.values[index] { value } else { nil }
    }

    package func double(at index: Int) -> Double? {
        if isColumn(index), case .double(let value) = row.values[index] { value } else { nil }
    }

    package func boolean(at index: Int) -> Bool? {
        if isColumn(index), case .boolean(let value) = row.values[index] { value } else { nil }
    }

    package func string(at index: Int) -> String? {
        if isColumn(index), case .string(let value) = row.values[index] { value } else { nil }
    }

    package func date(at index: Int) -> Date? {
        if isColumn(index), case .date(let value) = row.values[index] { value } else { nil }
    }
}
