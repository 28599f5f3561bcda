import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL

/// A statement's current row, which is refused where it can be none of the model's.
final class SQLiteRowSource: RawRowSource {
    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    private let shape: SQLiteRowShape
    private let words: UnsafeMutablePointer<Int64>
    private let check: SQLiteRowCheck

    init(_ statement: SQLiteStatement, _ shape: SQLiteRowShape, isAscending: Bool) {
        self.statement = statement
        self.shape = shape
        handle = statement.handle
        words = .allocate(capacity: shape.wordCount)
        words.initialize(repeating: 0, count: shape.wordCount)
        check = SQLiteRowCheck(shape, isAscending: isAscending)
    }

    deinit {
        words.deallocate()
    }

    private var types: [AttributeType] { shape.types }

    /// The values of the row that was loaded last.
    var cells: RowCells { RowCells(words: words, count: types.count) }

    /// Reads all values of the row that the statement stands on, in one call.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` for a row that cannot be.
    func load() throws {
        strata_read_row(handle, shape.kinds, shape.nulls, Int32(types.count), words)
        try check.stand(on: words[0])
    }

    var id: Int64 { words[0] }
    var version: Int64 { words[1] }

    func value(at index: Int) throws -> StoredValue {
        guard isColumn(index) else { throw PersistenceError.noColumn(index, of: shape.entity) }
        let value = SQLiteValues.read(raw(at: index), as: types[index])
        // A statement that was ended meanwhile gives nothing but nulls, and that is nobody's damage.
        if case .null? = value, sqlite3_data_count(handle) == 0 { return .null }
        return try check.value(value, at: index, of: id)
    }

    /// Looked at before each value: a record may count its columns wrong, and SQLite takes a column past the last for null.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: types.count) }

    /// The statement leaves its row: what the cells lead to is SQLite's again, and whoever kept a reader asks the statement, which has nothing.
    func forget() { words.update(repeating: 0, count: shape.wordCount) }

    func raw(at index: Int) -> RawValue { cells.raw(index) ?? SQLiteValues.raw(handle, column(index)) }

    private func column(_ index: Int) -> Int32 { Int32(index) + SQLiteRowShape.firstColumn }
}

extension RowCells {
    /// Returns a value in the form in which it is stored; `nil` if the statement has to be asked for it.
    fileprivate func raw(_ index: Int) -> RawValue? {
        guard let (kind, bits) = content(index) else { return nil }
        switch kind {
        case .unknown: return nil
        case .null: return .null
        case .integer, .boolean: return .integer(bits)
        case .double, .date: return .real(Double(bitPattern: UInt64(bitPattern: bits)))
        case .string: return bytes(index).map(RawValue.text)
        }
    }
}
