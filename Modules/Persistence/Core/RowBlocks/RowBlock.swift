import Foundation

/// A block of rows of one entity that are to be stored: numbers as numbers, texts as bytes in one buffer.
///
/// A bulk insert passes blocks to a store in place of one array of values for each row. Filling a block allocates
/// nothing after the block has grown, and the store binds the cells in place. One thread can fill a block while another
/// thread stores a second block.
///
/// ```swift
/// var block = RowBlock(of: entity)
/// block.beginRow(id: 7, location: RowLocation(line: 2, record: 1))
/// block.setInteger(50_000, column: 2)
/// ```
///
/// A column that was not set is absent: a new row gets its default, and an updated row keeps its stored value.
public struct RowBlock: Sendable {
    /// The content of a cell: absent, null, or a value of a storage class.
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

    /// One value of a row: an integer, the bits of a double, or the range of a text in ``bytes``.
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

    /// The maximum count of bytes in one block: 1 GiB, so that an offset fits in 32 bits.
    ///
    /// A larger block is a programming error and traps: pass blocks on when they have some hundred kilobytes.
    public static let maximumByteCount = 1 << 30

    /// The number of columns of the entity.
    public let columnCount: Int
    /// The columns' types.
    let types: [AttributeType]
    /// The cells, row by row, in the order of the entity's columns.
    package var cells: [Cell] = []
    /// The bytes of texts and data.
    package var bytes: [UInt8] = []
    /// The identifiers; 0 marks a row that the store numbers, and the store replaces it with the number.
    package var ids: [Int64] = []
    /// The outcome of each row after the block was stored.
    ///
    /// The array is filled only if ``reportsOutcomes`` is set and the store reports outcomes.
    package var outcomes: [RowOutcome] = []
    /// A Boolean value that indicates whether the store is to report the outcome of each row.
    package var reportsOutcomes = false
    /// The locations of the rows in their input.
    private(set) var locations: [RowLocation] = []
    /// The ranges of the original bytes of each row in ``bytes``, if they were kept.
    private var notes: [Range<Int>] = []

    /// Creates an empty block for rows of the same entity.
    init(like block: RowBlock) { (columnCount, types) = (block.columnCount, block.types) }

    /// Copies the locations and notes of the rows of another block.
    mutating func takePlaces(of block: RowBlock, behindFirst: Bool = false) {
        (locations, notes) = (block.locations, block.notes)
        guard behindFirst else { return }
        locations.removeFirst(min(1, locations.count))
        notes.removeFirst(min(1, notes.count))
    }

    /// Creates an empty block for rows of an entity.
    public init(of entity: EntityDescription) {
        columnCount = entity.columns.count
        types = entity.columnTypes
    }

    /// The number of rows.
    public var count: Int { ids.count }

    /// The count of bytes of texts, data and notes.
    public var byteCount: Int { bytes.count }

    /// Begins the next row, in which all columns are absent.
    ///
    /// - Parameters:
    ///   - id: The identifier, in range, or `nil` (or 0) if the store is to number the row.
    ///   - location: The location of the row in its input.
    @inline(__always)
    public mutating func beginRow(id: Int64? = nil, location: RowLocation) {
        ids.append(id ?? 0)
        locations.append(location)
        for _ in 0..<columnCount { cells.append(.absent) }
    }

    /// Removes the last row.
    public mutating func removeLastRow() {
        guard !ids.isEmpty else { return }
        ids.removeLast()
        locations.removeLast()
        cells.removeLast(columnCount)
        if notes.count > ids.count { notes.removeLast() }
    }

    /// Removes all rows and keeps the allocated memory.
    public mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        locations.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
    }

    /// Returns the identifier of a row; `nil` until the store numbers it.
    public func id(ofRow row: Int) -> Int64? { ids[row] == 0 ? nil : ids[row] }

    /// Sets the identifier under which a row was stored.
    public mutating func setID(_ id: Int64, row: Int) { ids[row] = id }

    /// Returns the location of a row in its input.
    public func location(ofRow row: Int) -> RowLocation { locations[row] }
}

// MARK: - The last row

extension RowBlock {
    private var lastRow: Int { cells.count - columnCount }

    /// Sets the identifier.
    public mutating func setID(_ id: Int64) { ids[ids.count - 1] = id }

    /// Returns a Boolean value that indicates whether a column was set.
    public func isSet(column: Int) -> Bool { cells[lastRow + column].kind != .absent }

    /// Sets a column to null.
    public mutating func setNull(column: Int) { cells[lastRow + column] = Cell(bits: 0, kind: .null) }

    /// Sets a column of an integer type, a reference, a Boolean as 0 or 1, or a decimal as its digits.
    public mutating func setInteger(_ value: Int64, column: Int) {
        cells[lastRow + column] = Cell(bits: value, kind: .integer)
    }

    /// Sets a column of floating-point numbers, or of dates as seconds since the reference date.
    public mutating func setDouble(_ value: Double, column: Int) {
        cells[lastRow + column] = Cell(bits: Int64(bitPattern: value.bitPattern), kind: .real)
    }

    /// Sets a column of text, or of another type whose stored form is text.
    ///
    /// UUIDs are in upper case; days and times of day are in their stored form.
    ///
    /// - Parameters:
    ///   - utf8: Valid UTF-8 without U+0000.
    ///   - column: The column.
    public mutating func setText(_ utf8: Span<UInt8>, column: Int) {
        let start = bytes.count
        utf8.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        cells[lastRow + column] = Cell(start..<bytes.count, .text)
    }

    /// Sets a column of bytes.
    public mutating func setBinary(_ data: Span<UInt8>, column: Int) {
        let start = bytes.count
        data.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        cells[lastRow + column] = Cell(start..<bytes.count, .blob)
    }

    /// Sets a column to a value in its stored form, as ``StoredValue/converted(to:)`` returns it.
    public mutating func set(_ value: StoredValue, column: Int) {
        set(value, row: count - 1, column: column)
    }

    /// Stores the original bytes of the row, so that code that rejects the row later can return them.
    public mutating func setNote(_ original: Span<UInt8>) {
        let start = bytes.count
        original.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        while notes.count < count - 1 { notes.append(0..<0) }
        notes.append(start..<bytes.count)
    }
}

// MARK: - Any row

extension RowBlock {
    /// Returns the original bytes of a row; empty if they were not kept.
    public func note(ofRow row: Int) -> ArraySlice<UInt8> {
        notes.indices.contains(row) ? bytes[notes[row]] : []
    }

    /// Returns a value in its stored form; `nil` if the column is absent.
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

    /// Returns the values of a row, with substitutes for absent ones.
    package func values(ofRow row: Int, absent: (Int) -> StoredValue) -> [StoredValue] {
        (0..<columnCount).map { value(row: row, column: $0) ?? absent($0) }
    }

    /// Replaces one value.
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
