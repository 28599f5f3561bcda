import Foundation
public import StrataCore

/// A block of an entity's rows to be stored: numbers are stored as numbers, and texts as bytes in one buffer.
///
/// A bulk insert passes blocks to a store instead of an array of values for each row. Filling a block allocates nothing
/// after the block has reached its size, and the store binds its cells in place. One thread can fill a block while
/// another thread stores a second block.
///
/// ```swift
/// var block = RowBlock(of: entity)
/// block.beginRow(id: 7, location: RowLocation(line: 2, record: 1))
/// block.setInteger(50_000, column: 2)
/// ```
///
/// A column that was not set is absent: a new row gets its default, and an updated row keeps its stored value. With
/// ``InsertOptions/ConflictAction/replace``, an updated row gets the default or null, too.
///
/// Begin each row with ``beginRow(id:location:)``, and then set its columns in any order. The methods with a `column`
/// change the last row; an index that is not a column of the entity traps. A block does not validate values. Pass it to
/// a ``BatchInserter`` to validate it, or to a ``RowInserter`` if it is valid. After that, remove all rows and fill the
/// same block again, so that its memory is reused.
///
/// ## Topics
///
/// ### Creating a block
///
/// - ``init(of:)``
/// - ``columnCount``
/// - ``maximumByteCount``
///
/// ### Adding rows
///
/// - ``beginRow(id:location:)``
/// - ``removeLastRow()``
/// - ``removeAll()``
/// - ``count``
/// - ``byteCount``
///
/// ### Setting values of the last row
///
/// - ``set(_:column:)``
/// - ``setNull(column:)``
/// - ``setInteger(_:column:)``
/// - ``setDouble(_:column:)``
/// - ``setText(_:column:)``
/// - ``setBinary(_:column:)``
/// - ``setNote(_:)``
/// - ``setID(_:)``
/// - ``isSet(column:)``
///
/// ### Reading any row
///
/// - ``value(row:column:)``
/// - ``id(ofRow:)``
/// - ``location(ofRow:)``
/// - ``note(ofRow:)``
/// - ``setID(_:row:)``
public struct RowBlock: Sendable {
    /// The content of a cell in a block: absent, null, or a value of a storage class.
    package enum Kind: UInt8 {
        case absent, null, integer, real, text, blob

        package init(_ storage: StorageClass) {
            switch storage {
            case .integer: self = .integer
            case .real: self = .real
            case .text: self = .text
            case .blob: self = .blob
            }
        }
    }

    /// One value of a row in a block: an integer, the bits of a double, or the range of a text or data in ``bytes``.
    package struct Cell {
        package var bits: Int64
        package var kind: Kind

        static let absent = Cell(bits: 0, kind: .absent)

        init(bits: Int64, kind: Kind) {
            self.bits = bits
            self.kind = kind
        }

        /// Creates a cell for a text or data in a range of ``bytes``.
        init(_ range: Range<Int>, _ kind: Kind) {
            precondition(range.upperBound <= RowBlock.maximumByteCount, "A RowBlock holds at most 1 GiB of texts.")
            bits = Int64(range.lowerBound) << 32 | Int64(range.count)
            self.kind = kind
        }

        /// Creates a cell for a date, rounded to the nanosecond.
        init(dateOf seconds: Double) {
            let date = Date(timeIntervalSinceReferenceDate: seconds).roundedToNanosecond()
            bits = Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern)
            kind = .real
        }

        /// The value of a cell of kind `real`.
        package var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }

        package var range: Range<Int> {
            let start = Int(bits >> 32)
            return start..<start + Int(bits & 0xFFFF_FFFF)
        }
    }

    /// The maximum count of bytes in one block: 1 GiB, so that an offset in `bytes` fits in 32 bits.
    ///
    /// A larger block is a programming error and traps. Pass a block to the store when it has some hundred kilobytes.
    public static let maximumByteCount = 1 << 30

    /// The count of columns of the entity.
    public let columnCount: Int
    /// The attribute types of the entity's columns.
    let types: [AttributeType]
    /// The cells of all rows, row by row, in the order of the entity's columns.
    package var cells: [Cell] = []
    /// The bytes of all texts, data and notes in the block.
    package var bytes: [UInt8] = []
    /// The identifier of each row, or 0 if the store is to assign it; the store then replaces 0 with the identifier.
    package var ids: [Int64] = []
    /// The outcome of storing each row.
    ///
    /// After the block was stored, the array is empty unless ``reportsOutcomes`` is `true` and the store reports
    /// outcomes.
    package var outcomes: [RowOutcome] = []
    /// A Boolean value that indicates whether the store is requested to report the outcome of each row.
    package var reportsOutcomes = false
    /// The location of each row in its input.
    private(set) var locations: [RowLocation] = []
    /// The range in ``bytes`` of each row's original bytes; empty if they were not retained.
    private var notes: [Range<Int>] = []

    /// Creates an empty block for rows of the same entity as those of another block.
    init(like block: RowBlock) { (columnCount, types) = (block.columnCount, block.types) }

    /// Copies the locations and notes of another block's rows to this block.
    mutating func takePlaces(of block: RowBlock, behindFirst: Bool = false) {
        (locations, notes) = (block.locations, block.notes)
        guard behindFirst else { return }
        locations.removeFirst(min(1, locations.count))
        notes.removeFirst(min(1, notes.count))
    }

    /// Creates an empty block for rows of an entity.
    ///
    /// - Parameter entity: The entity; use that of the store's model.
    public init(of entity: EntityDescription) {
        columnCount = entity.columns.count
        types = entity.columnTypes
    }

    /// The count of rows in the block.
    public var count: Int { ids.count }

    /// The count of bytes of all texts, data and notes in the block.
    public var byteCount: Int { bytes.count }

    /// Begins the next row of the block; all of its columns are absent.
    ///
    /// - Parameters:
    ///   - id: The identifier, from 1 to 2^53 - 1; `nil` or 0 if the store is to assign it.
    ///   - location: The location of the row in its input.
    @inline(__always)
    public mutating func beginRow(id: Int64? = nil, location: RowLocation) {
        ids.append(id ?? 0)
        locations.append(location)
        for _ in 0..<columnCount { cells.append(.absent) }
    }

    /// Removes the last row of the block.
    ///
    /// The bytes of its texts remain in the block until ``removeAll()``. The method does nothing if the block is empty.
    public mutating func removeLastRow() {
        guard !ids.isEmpty else { return }
        ids.removeLast()
        locations.removeLast()
        cells.removeLast(columnCount)
        if notes.count > ids.count { notes.removeLast() }
    }

    /// Removes all rows of the block; the allocated memory is retained.
    public mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        locations.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
    }

    /// Returns the identifier of a row; `nil` if the store has not assigned it yet.
    public func id(ofRow row: Int) -> Int64? { ids[row] == 0 ? nil : ids[row] }

    /// Sets the identifier under which the store has stored a row.
    ///
    /// A ``RowInserter`` of a store calls it for each row to which the store assigned an identifier.
    ///
    /// - Parameters:
    ///   - id: The identifier, from 1 to 2^53 - 1.
    ///   - row: The index of the row in the block, from 0.
    public mutating func setID(_ id: Int64, row: Int) { ids[row] = id }

    /// Returns the location of a row in its input.
    public func location(ofRow row: Int) -> RowLocation { locations[row] }
}

// MARK: - The last row

extension RowBlock {
    private var lastRow: Int { cells.count - columnCount }

    /// Changes the identifier of the last row.
    public mutating func setID(_ id: Int64) { ids[ids.count - 1] = id }

    /// Returns a Boolean value that indicates whether a column of the last row was set to a value or to null.
    public func isSet(column: Int) -> Bool { cells[lastRow + column].kind != .absent }

    /// Sets a column of the last row to null.
    public mutating func setNull(column: Int) { cells[lastRow + column] = Cell(bits: 0, kind: .null) }

    /// Sets a column of the last row to an integer, a reference, a Boolean value as 0 or 1, or a decimal's unscaled
    /// integer.
    ///
    /// For a decimal attribute of scale 2, 12.50 is the integer 1250.
    public mutating func setInteger(_ value: Int64, column: Int) {
        cells[lastRow + column] = Cell(bits: value, kind: .integer)
    }

    /// Sets a column of the last row to a floating-point number, or to a date as seconds since the reference date.
    ///
    /// The number must be finite; a validation rejects others. The reference date is 2001-01-01T00:00:00Z.
    public mutating func setDouble(_ value: Double, column: Int) {
        cells[lastRow + column] = Cell(bits: Int64(bitPattern: value.bitPattern), kind: .real)
    }

    /// Sets a column of the last row to a text, or to a value whose stored form is text.
    ///
    /// A UUID must have uppercase letters; days and times of day must be in their stored form.
    ///
    /// - Parameters:
    ///   - utf8: The text in valid UTF-8, without U+0000.
    ///   - column: The index of the column in the entity.
    public mutating func setText(_ utf8: Span<UInt8>, column: Int) {
        let start = bytes.count
        utf8.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        cells[lastRow + column] = Cell(start..<bytes.count, .text)
    }

    /// Sets a column of the last row to binary data.
    public mutating func setBinary(_ data: Span<UInt8>, column: Int) {
        let start = bytes.count
        data.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        cells[lastRow + column] = Cell(start..<bytes.count, .blob)
    }

    /// Sets a column of the last row to a value in its stored form, as ``StoredValue/converted(to:)`` returns it.
    public mutating func set(_ value: StoredValue, column: Int) {
        set(value, row: count - 1, column: column)
    }

    /// Retains the original bytes of the last row, so that code that rejects the row later can return them.
    public mutating func setNote(_ original: Span<UInt8>) {
        let start = bytes.count
        original.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        while notes.count < count - 1 { notes.append(0..<0) }
        notes.append(start..<bytes.count)
    }
}

// MARK: - Any row

extension RowBlock {
    /// Returns the original bytes of a row; empty if they were not retained.
    public func note(ofRow row: Int) -> ArraySlice<UInt8> {
        notes.indices.contains(row) ? bytes[notes[row]] : []
    }

    /// Returns the value of a row in a column, in its stored form; `nil` if the column is absent.
    ///
    /// It creates a text or data; use it for few values, and not for each cell of a large block.
    ///
    /// - Parameters:
    ///   - row: The index of the row in the block, from 0.
    ///   - column: The index of the column in the entity.
    /// - Returns: The value. If a text or number is not a value of the column's type, it is returned unconverted, so
    ///   that a validation can report it.
    public func value(row: Int, column: Int) -> StoredValue? {
        let cell = cells[row * columnCount + column]
        let type = types[column]
        switch cell.kind {
        case .absent: return nil
        case .null: return .null
        case .integer: return value(.integer(cell.bits), type) ?? .integer(cell.bits)
        case .real: return value(.real(cell.real), type) ?? .double(cell.real)
        case .text:
            // A text that is not a value of its column is returned verbatim, so that the validation can report it.
            return bytes.withUnsafeBufferPointer { bytes in
                value(.text(UnsafeBufferPointer(rebasing: bytes[cell.range])), type)
            } ?? .string(String(decoding: bytes[cell.range], as: UTF8.self))
        case .blob: return .binary(Data(bytes[cell.range]))
        }
    }

    private func value(_ raw: RawValue, _ type: AttributeType) -> StoredValue? { type.coding.value(raw) }

    /// Returns a Boolean value that indicates whether any column of a row is absent.
    func hasAbsent(row: Int) -> Bool {
        cells[row * columnCount..<(row + 1) * columnCount].contains { $0.kind == .absent }
    }

    /// Returns the values of a row; the closure `absent` returns the value for an absent column.
    package func values(ofRow row: Int, absent: (Int) -> StoredValue) -> [StoredValue] {
        (0..<columnCount).map { value(row: row, column: $0) ?? absent($0) }
    }

    /// Replaces the value of a row in a column.
    mutating func set(_ value: StoredValue, row: Int, column: Int) {
        let cell: Cell
        switch value.stored {
        case .null: cell = Cell(bits: 0, kind: .null)
        case .integer(let value): cell = Cell(bits: value, kind: .integer)
        case .real(let value): cell = Cell(bits: Int64(bitPattern: value.bitPattern), kind: .real)
        case .text(let value): cell = append(value.utf8, .text)
        case .blob(let value): cell = append(value, .blob)
        }
        cells[row * columnCount + column] = cell
    }

    private mutating func append(_ content: some Sequence<UInt8>, _ kind: Kind) -> Cell {
        let start = bytes.count
        bytes.append(contentsOf: content)
        return Cell(start..<bytes.count, kind)
    }
}
