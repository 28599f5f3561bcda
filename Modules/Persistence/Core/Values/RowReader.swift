public import Foundation

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
    /// The same values where the source keeps them side by side.
    @usableFromInline
    let cells: RowCells

    /// A reader of a source's current row.
    public init(_ source: any RowSource) {
        self.source = source
        cells = RowCells()
    }

    /// A reader of a source's current row, whose values it keeps side by side too.
    package init(_ source: any RowSource, _ cells: RowCells) {
        self.source = source
        self.cells = cells
    }

    /// The row's identifier as a number.
    @inlinable public var rawID: Int64 { cells.words?[0] ?? source.id }

    /// The row's version.
    @inlinable public var version: Int64 { cells.words?[1] ?? source.version }

    /// The value of a column, by its place in the entity, as it is stored.
    public func value(at index: Int) throws -> StoredValue { try source.value(at: index) }
}

// MARK: - Values that the source keeps side by side

extension RowReader {
    /// Returns whether a column holds null; `nil` if the stored value has to be asked.
    @inlinable
    func isNull(at index: Int) -> Bool? { cells.isNull(index) }

    /// Returns the number of a column of whole numbers; `nil` if the stored value has to be asked.
    @inlinable
    func integer(at index: Int) -> Int64? { cells.cell(index, .integer)?.bits }

    /// Returns the number of a column of floating-point numbers; `nil` if the stored value has to be asked.
    @inlinable
    func double(at index: Int) -> Double? {
        cells.cell(index, .double).map { Double(bitPattern: UInt64(bitPattern: $0.bits)) }
    }

    /// Returns the truth value of a column of truth values; `nil` if the stored value has to be asked.
    @inlinable
    func boolean(at index: Int) -> Bool? { cells.cell(index, .boolean).map { $0.bits != 0 } }

    /// Returns the text of a column of texts; `nil` if the stored value has to be asked.
    @inlinable
    func string(at index: Int) -> String? { cells.string(index) }

    /// Returns the instant of a column of instants; `nil` if the stored value has to be asked.
    @inlinable
    func date(at index: Int) -> Date? {
        cells.cell(index, .date).map {
            Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: $0.bits)))
        }
    }
}
