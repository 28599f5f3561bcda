import CStrataSQLite
import StrataCore
import StrataSQL

/// The rows of a statement that calls the function of rows for each: the values that cells can hold are there when the statement stands on the row.
///
/// The other columns stand in the statement beside the call. Where the function was given a value of another kind than its column's, which is rare, the row is looked
/// up by its identifier when somebody asks for that value.
final class SQLiteTakenRows: RowSource {
    private let statement: SQLiteStatement
    private let shape: SQLiteRowShape
    private let connection: SQLiteConnection
    private let check: SQLiteRowCheck
    private let layout: SQLLayout
    /// What the function writes to, and the words in it.
    ///
    /// SAFETY: the connection leads to it from the step before a row to the end of the fetch, which is before this goes; the function runs inside that step.
    private let row: UnsafeMutablePointer<strata_row>
    private let words: UnsafeMutablePointer<Int64>
    /// The statement that stands on the same row, if its values were asked for.
    private var stored: SQLiteStatement?
    /// Whether the statement has left its last row.
    private var isOver = false

    /// A row's texts are seldom longer.
    private static let initialCapacity: UInt64 = 256

    /// - Parameters:
    ///   - statement: A statement that gives the shape's expressions, of rows that come by their identifiers, ascending.
    ///   - shape: How the rows are read.
    ///   - layout: How a row is looked up.
    ///   - connection: The statement's connection.
    /// - Throws: ``PersistenceError`` where there is no memory for a row.
    init(
        _ statement: SQLiteStatement, _ shape: SQLiteRowShape, in layout: SQLLayout, on connection: SQLiteConnection
    ) throws {
        self.statement = statement
        self.shape = shape
        self.connection = connection
        self.layout = layout
        check = SQLiteRowCheck(shape, isAscending: true)
        guard let texts = sqlite3_malloc64(Self.initialCapacity) else {
            throw PersistenceError(.database, "SQLite is out of memory", path: connection.path)
        }
        words = .allocate(capacity: shape.wordCount)
        words.initialize(repeating: 0, count: shape.wordCount)
        row = .allocate(capacity: 1)
        row.initialize(
            to: strata_row(
                count: Int32(shape.takenCount), columns: shape.taken, kinds: shape.kinds, nulls: shape.nulls,
                words: words, texts: texts.assumingMemoryBound(to: CChar.self), capacity: Self.initialCapacity))
    }

    deinit {
        sqlite3_free(row.pointee.texts)
        row.deallocate()
        words.deallocate()
    }

    var cells: RowCells { RowCells(words: words, count: shape.types.count) }

    /// Steps to the next row; false at the end.
    func step() throws -> Bool {
        if stored != nil { leaveStored() }
        // Somebody else may have read in between.
        connection.takeRows(into: row)
        return try statement.step()
    }

    /// Stands on the row that was stepped to.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` for a row that cannot be.
    func stand() throws { try check.stand(on: words[0]) }

    /// The statement leaves its row: whoever kept a reader is told of nothing any more.
    func forget() {
        isOver = true
        leaveStored()
        connection.takeRows(into: nil)
        words.update(repeating: 0, count: shape.wordCount)
    }

    var id: Int64 { words[0] }
    var version: Int64 { words[1] }

    func value(at index: Int) throws -> StoredValue {
        guard shape.types.indices.contains(index) else { throw PersistenceError.noColumn(index, of: shape.entity) }
        if isOver { return .null }
        let value = try raw(index).flatMap { SQLiteValues.read($0, as: shape.types[index]) }
        return try check.value(value, at: index, of: id)
    }

    private func raw(_ index: Int) throws -> RawValue? {
        if let value = cells.raw(index) { return value }
        let position = shape.positions[index]
        if position > 0 { return SQLiteValues.raw(statement.handle, position) }
        return try storedRow().map { SQLiteValues.raw($0.handle, Int32(index) + SQLiteRowShape.firstColumn) }
    }

    /// The row as its table has it; `nil` where whoever reads it has deleted it since.
    private func storedRow() throws -> SQLiteStatement? {
        if let stored { return stored }
        let found = try connection.statement(layout.selection(shape.entity))
        do {
            try found.bind(id, at: 1)
            if try found.step() {
                stored = found
                return found
            }
        } catch {
            found.reset()
            throw error
        }
        found.reset()
        return nil
    }

    private func leaveStored() {
        stored?.reset()
        stored = nil
    }
}

extension RowCells {
    /// A value in the form in which it is stored; `nil` where that is not known.
    fileprivate func raw(_ index: Int) -> RawValue? {
        if isNull(index) == true { return .null }
        if let (_, bits) = cell(index, .integer) ?? cell(index, .boolean) { return .integer(bits) }
        if let (_, bits) = cell(index, .double) ?? cell(index, .date) {
            return .real(Double(bitPattern: UInt64(bitPattern: bits)))
        }
        return bytes(index).map(RawValue.text)
    }
}
