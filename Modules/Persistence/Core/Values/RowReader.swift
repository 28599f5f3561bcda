public import Foundation

/// A reader of the values of a store's current row.
///
/// ```swift
/// try store.fetch(StoreRequest("Color")) { row in
///     let hex: String = try row[0]  // by the column's place
///     return hex == "#000000" ? .stop : .next
/// }
/// ```
public struct RowReader {
    /// The source of the values.
    ///
    /// It is `@usableFromInline` because reads are inlined into the code of the record types, which know each column's
    /// type.
    @usableFromInline
    let source: any RowSource
    /// The same values, if the source keeps them side by side in memory.
    @usableFromInline
    let cells: RowCells

    /// Creates a reader of a source's current row.
    public init(_ source: any RowSource) {
        self.source = source
        cells = RowCells()
    }

    /// Creates a reader of a source's current row, whose values the source also keeps side by side.
    package init(_ source: any RowSource, _ cells: RowCells) {
        self.source = source
        self.cells = cells
    }

    /// The row's identifier as a number.
    @inlinable public var rawID: Int64 { cells.words?[0] ?? source.id }

    /// The row's version.
    @inlinable public var version: Int64 { cells.words?[1] ?? source.version }

    /// Returns the stored value of a column, by its index in the entity.
    public func value(at index: Int) throws -> StoredValue { try source.value(at: index) }
}

// MARK: - Values that the source keeps side by side

extension RowReader {
    /// Returns whether a column is null; `nil` if the stored value must be read.
    @inlinable
    func isNull(at index: Int) -> Bool? { cells.isNull(index) }

    /// Returns the number of an integer column; `nil` if the stored value must be read.
    @inlinable
    func integer(at index: Int) -> Int64? { cells.cell(index, .integer)?.bits }

    /// Returns the number of a floating-point column; `nil` if the stored value must be read.
    @inlinable
    func double(at index: Int) -> Double? {
        cells.cell(index, .double).map { Double(bitPattern: UInt64(bitPattern: $0.bits)) }
    }

    /// Returns the value of a Boolean column; `nil` if the stored value must be read.
    @inlinable
    func boolean(at index: Int) -> Bool? { cells.cell(index, .boolean).map { $0.bits != 0 } }

    /// Returns the text of a text column; `nil` if the stored value must be read.
    @inlinable
    func string(at index: Int) -> String? { cells.string(index) }

    /// Returns the instant of a date column; `nil` if the stored value must be read.
    @inlinable
    func date(at index: Int) -> Date? {
        cells.cell(index, .date).map {
            Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: $0.bits)))
        }
    }
}
