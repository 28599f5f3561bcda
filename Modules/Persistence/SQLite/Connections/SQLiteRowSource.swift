import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The current row of a statement, which is checked: reading it throws if it cannot be a valid row of the model.
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

    /// Reads all values of the statement's current row by one call of C code.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the row is invalid.
    func load() throws {
        strata_read_row(handle, shape.kinds, shape.nulls, Int32(types.count), words)
        try check.move(to: words[0])
    }

    var id: Int64 { words[0] }
    var version: Int64 { words[1] }

    func value(at index: Int) throws -> StoredValue {
        guard isColumn(index) else { throw PersistenceError.noColumn(index, of: shape.entity) }
        let value = SQLiteValues.read(raw(at: index), as: types[index])
        // A statement that was ended meanwhile returns only nulls, which do not indicate damage.
        if case .null? = value, sqlite3_data_count(handle) == 0 { return .null }
        return try check.value(value, at: index, of: id)
    }

    /// Returns a Boolean value that indicates whether an entity has a column with an index; each access to a value
    /// checks this.
    ///
    /// Code that reads a row may use a wrong index, and SQLite returns null for a column that does not exist.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: types.count) }

    /// Clears the cells before the statement leaves its current row, because SQLite reuses the memory of the row's
    /// values.
    ///
    /// If a caller has retained a reader of the row, the reader then requests values from the statement, which has no
    /// row.
    func forget() { words.update(repeating: 0, count: shape.wordCount) }

    func raw(at index: Int) -> RawValue { cells.raw(index) ?? SQLiteValues.raw(handle, column(index)) }

    private func column(_ index: Int) -> Int32 { Int32(index) + SQLiteRowShape.firstColumn }
}

extension RowCells {
    /// Returns the value of a column in its stored form, or `nil` if it must be requested from the statement.
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

extension ResolvedRequest {
    /// A Boolean value that indicates whether the request returns rows in the ascending order of their identifiers.
    var isByIdentifier: Bool {
        guard let first = sort.first else { return true }
        guard case .identifier = first.operand.form else { return false }
        return !first.isDescending
    }
}
