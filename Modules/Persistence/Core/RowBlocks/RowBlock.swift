import Foundation

/// Rows of one entity on their way into a store, as they were read: numbers as numbers, texts as bytes in one buffer.
///
/// What a bulk insert hands to a store instead of one array of values a row: filling a block allocates nothing once it has grown, a
/// store binds its cells where they lie, and a block is filled by one thread while another is stored by a second.
///
/// ```swift
/// var block = RowBlock(of: entity)
/// block.beginRow(id: 7, location: RowLocation(line: 2, record: 1))
/// block.setInteger(50_000, column: 2)
/// ```
///
/// A column that was not set is absent: a new row gets its default, a row that is updated keeps what it has.
public struct RowBlock: Sendable {
    /// What a cell holds: nothing, null, or a value of a storage class.
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

    /// One value of a row: a whole number, the bits of a double, or where in ``bytes`` a text lies.
    package struct Cell {
        package var bits: Int64
        package var kind: Kind

        static let absent = Cell(bits: 0, kind: .absent)

        init(bits: Int64, kind: Kind) {
            self.bits = bits
            self.kind = kind
        }

        /// A text or bytes from an offset on.
        init(_ range: Range<Int>, _ kind: Kind) {
            precondition(range.upperBound <= RowBlock.maximumByteCount, "A RowBlock holds at most 1 GiB of texts.")
            bits = Int64(range.lowerBound) << 32 | Int64(range.count)
            self.kind = kind
        }

        /// A date, to the nanosecond.
        init(dateOf seconds: Double) {
            let date = Date(timeIntervalSinceReferenceDate: seconds).roundedToNanosecond()
            bits = Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern)
            kind = .real
        }

        /// A cell of floating-point numbers as one.
        package var real: Double { Double(bitPattern: UInt64(bitPattern: bits)) }

        package var range: Range<Int> {
            let start = Int(bits >> 32)
            return start..<start + Int(bits & 0xFFFF_FFFF)
        }
    }

    /// The most bytes of texts in one block: 1 GiB, so that a place fits in half a word.
    ///
    /// More is a programmer's error and traps: hand blocks on when they have some hundred kilobytes.
    public static let maximumByteCount = 1 << 30

    /// The number of columns of the entity.
    public let columnCount: Int
    /// The columns' types.
    let types: [AttributeType]
    /// Row by row, in the order of the entity's columns.
    package var cells: [Cell] = []
    /// What texts and bytes consist of.
    package var bytes: [UInt8] = []
    /// The identifiers; 0 stands for a row that the store numbers, and is replaced by its number.
    package var ids: [Int64] = []
    /// What became of each row when the block was stored; only where that was asked for, and of a store that says it.
    package var outcomes: [RowOutcome] = []
    /// Whether a store is to say what became of each row.
    package var asksOutcomes = false
    /// Where the rows stand in their input.
    private(set) var locations: [RowLocation] = []
    /// The original bytes of each row, where they are kept.
    private var notes: [Range<Int>] = []

    /// An empty block for rows of the same entity.
    init(like block: RowBlock) { (columnCount, types) = (block.columnCount, block.types) }

    /// Takes over where the rows of another block stand in their input, with their notes.
    mutating func takePlaces(of block: RowBlock, behindFirst: Bool = false) {
        (locations, notes) = (block.locations, block.notes)
        guard behindFirst else { return }
        locations.removeFirst(min(1, locations.count))
        notes.removeFirst(min(1, notes.count))
    }

    /// An empty block for rows of an entity.
    public init(of entity: EntityDescription) {
        columnCount = entity.columns.count
        types = entity.columnTypes
    }

    /// The number of rows.
    public var count: Int { ids.count }

    /// How many bytes the texts take.
    public var byteCount: Int { bytes.count }

    /// Begins the next row, all of whose columns are absent.
    ///
    /// - Parameters:
    ///   - id: The identifier, in range, or `nil` (or 0) to number the row.
    ///   - location: Where the row stands in its input.
    @inline(__always)
    public mutating func beginRow(id: Int64? = nil, location: RowLocation) {
        ids.append(id ?? 0)
        locations.append(location)
        for _ in 0..<columnCount { cells.append(.absent) }
    }

    /// Takes the last row back.
    public mutating func removeLastRow() {
        guard !ids.isEmpty else { return }
        ids.removeLast()
        locations.removeLast()
        cells.removeLast(columnCount)
        if notes.count > ids.count { notes.removeLast() }
    }

    /// Forgets all rows and keeps the memory.
    public mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        locations.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
    }

    /// The identifier of a row; `nil` as long as the store has not numbered it.
    public func id(ofRow row: Int) -> Int64? { ids[row] == 0 ? nil : ids[row] }

    /// Gives a row the identifier by which it was stored.
    public mutating func setID(_ id: Int64, row: Int) { ids[row] = id }

    /// Where a row stands in its input.
    public func location(ofRow row: Int) -> RowLocation { locations[row] }
}

// MARK: - The row that was begun last

extension RowBlock {
    private var lastRow: Int { cells.count - columnCount }

    /// Sets the identifier.
    public mutating func setID(_ id: Int64) { ids[ids.count - 1] = id }

    /// Whether a column was set.
    public func isSet(column: Int) -> Bool { cells[lastRow + column].kind != .absent }

    /// Sets a column to null.
    public mutating func setNull(column: Int) { cells[lastRow + column] = Cell(bits: 0, kind: .null) }

    /// Sets a column of a whole-number type, a reference, a truth value as 0 or 1, or a decimal as its digits.
    public mutating func setInteger(_ value: Int64, column: Int) {
        cells[lastRow + column] = Cell(bits: value, kind: .integer)
    }

    /// Sets a column of floating-point numbers, or of dates as seconds since the reference date.
    public mutating func setDouble(_ value: Double, column: Int) {
        cells[lastRow + column] = Cell(bits: Int64(bitPattern: value.bitPattern), kind: .real)
    }

    /// Sets a column of text, or of another type that is kept as text in the form in which it is kept: UUIDs in upper case, days, times of day.
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

    /// Sets a column to a value in its stored form, as ``StoredValue/converted(to:)`` gives it.
    public mutating func set(_ value: StoredValue, column: Int) {
        set(value, row: count - 1, column: column)
    }

    /// Keeps the original bytes of the row, so that whoever refuses it later can give them back.
    public mutating func setNote(_ original: Span<UInt8>) {
        let start = bytes.count
        original.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
        while notes.count < count - 1 { notes.append(0..<0) }
        notes.append(start..<bytes.count)
    }
}

// MARK: - Any row

extension RowBlock {
    /// The original bytes of a row, where they were kept.
    public func note(ofRow row: Int) -> ArraySlice<UInt8> {
        notes.indices.contains(row) ? bytes[notes[row]] : []
    }

    /// A value in its stored form; `nil` where the column is absent.
    public func value(row: Int, column: Int) -> StoredValue? {
        let cell = cells[row * columnCount + column]
        let type = types[column]
        switch cell.kind {
        case .absent: return nil
        case .null: return .null
        case .integer: return value(.integer(cell.bits), type) ?? .integer(cell.bits)
        case .real: return value(.real(cell.real), type) ?? .double(cell.real)
        case .text:
            // A text that is no value of its column is given back as it is, for the validation to name.
            return bytes.withUnsafeBufferPointer { bytes in
                value(.text(UnsafeBufferPointer(rebasing: bytes[cell.range])), type)
            } ?? .string(String(decoding: bytes[cell.range], as: UTF8.self))
        case .blob: return .binary(Data(bytes[cell.range]))
        }
    }

    private func value(_ raw: RawValue, _ type: AttributeType) -> StoredValue? { type.coding.value(raw) }

    /// Whether a column of a row was not set.
    func hasAbsent(row: Int) -> Bool {
        cells[row * columnCount..<(row + 1) * columnCount].contains { $0.kind == .absent }
    }

    /// The values of a row with others in the place of absent ones.
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
