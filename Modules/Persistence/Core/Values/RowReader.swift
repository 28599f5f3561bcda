public import Foundation

/// A reader of the values of a store's current row.
///
/// ```swift
/// try store.fetch(StoreRequest("Color")) { row in
///     let hex: String = try row[0]  // by the column's place
///     return hex == "#000000" ? .stop : .next
/// }
/// ```
///
/// A column has the index that it has in ``EntityDescription/columns``. The subscript converts the value to the Swift
/// type that the caller requests; request an optional for a column that may be null.
///
/// A reader is valid only in the closure that receives it, on the thread that runs the closure. The store may move the
/// same reader to the next row, so that it allocates nothing for a row. Copy what you need; do not store the reader.
///
/// ## Topics
///
/// ### Reading values
///
/// - ``subscript(_:)``
/// - ``value(at:)``
/// - ``UnreadableColumn``
///
/// ### Identity
///
/// - ``id(as:)``
/// - ``rawID``
/// - ``version``
///
/// ### Implementing a store
///
/// - ``init(_:)``
/// - ``RowSource``
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
    ///
    /// A store creates one reader for all rows of a request, and moves the source from row to row.
    ///
    /// - Parameter source: The source; the reader retains it.
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
    ///
    /// It changes with each update of the row. A save passes it as ``ChangeSet/Update/expectedVersion``, so that the
    /// store detects changes of other writers.
    @inlinable public var version: Int64 { cells.words?[1] ?? source.version }

    /// Returns the stored value of a column, by its index in the entity.
    ///
    /// - Parameter index: The index of the column in ``EntityDescription/columns``, from 0.
    /// - Returns: The value in its stored form; null if the row has none.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the store contains a value of
    ///   another type, or another error if the entity has no such column.
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
