import CStrataSQLite
import Foundation
import StrataCore

/// A statement's current row.
final class SQLiteRowSource: RawRowSource {
    /// The identifier and the version stand before the entity's columns.
    private static let firstColumn: Int32 = 2

    private let statement: SQLiteStatement
    private let handle: OpaquePointer
    private let entity: EntityDescription
    /// By themselves, because a column's description is a large value, and copying it for every value costs more than reading.
    private let types: [AttributeType]
    /// The same as cells hold them.
    private let kinds: [UInt32]
    private let words: UnsafeMutablePointer<Int64>

    init(_ statement: SQLiteStatement, _ entity: EntityDescription) {
        self.statement = statement
        self.entity = entity
        handle = statement.handle
        types = entity.columns.map(\.type)
        kinds = types.map { RowCells.Kind($0).rawValue }
        words = .allocate(capacity: 2 * (types.count + 1))
        words.initialize(repeating: 0, count: 2 * (types.count + 1))
    }

    deinit {
        words.deallocate()
    }

    /// The values of the row that was loaded last.
    var cells: RowCells { RowCells(words: words, count: types.count) }

    /// Reads all values of the row that the statement stands on, in one call.
    func load() { strata_read_row(handle, kinds, Int32(types.count), words) }

    var id: Int64 { sqlite3_column_int64(handle, 0) }
    var version: Int64 { sqlite3_column_int64(handle, 1) }

    func value(at index: Int) throws -> StoredValue {
        guard isColumn(index) else { throw PersistenceError.noColumn(index, of: entity) }
        guard let value = SQLiteValues.read(handle, Int32(index) + Self.firstColumn, as: types[index]) else {
            var error = PersistenceError(
                .corrupt,
                "row \(id) holds a value that is not a \(types[index]); the file was changed by another program",
                entity: entity.name, attribute: entity.columns[index].name)
            error.id = id
            throw error
        }
        return value
    }

    /// Looked at before each value: a record may count its columns wrong, and SQLite takes a column past the last for null.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: types.count) }

    /// The statement leaves its row: what the cells lead to is SQLite's again, and whoever kept a reader asks the statement, which has nothing.
    func forget() { words.update(repeating: 0, count: 2 * (types.count + 1)) }

    // MARK: Without a stored value in between

    func isNull(at index: Int) -> Bool? {
        guard isColumn(index) else { return nil }
        return sqlite3_column_type(handle, column(index)) == SQLITE_NULL
    }

    func integer(at index: Int) -> Int64? {
        guard isColumn(index) else { return nil }
        return switch types[index] {
        case .integer16, .integer32, .integer64: SQLiteValues.integer(handle, column(index))
        default: nil
        }
    }

    func double(at index: Int) -> Double? {
        guard isColumn(index), case .double = types[index] else { return nil }
        return SQLiteValues.double(handle, column(index))
    }

    func boolean(at index: Int) -> Bool? {
        guard isColumn(index), case .boolean = types[index] else { return nil }
        return SQLiteValues.boolean(handle, column(index))
    }

    func string(at index: Int) -> String? {
        guard isColumn(index), case .string = types[index] else { return nil }
        return SQLiteValues.string(handle, column(index))
    }

    func date(at index: Int) -> Date? {
        guard isColumn(index), case .date = types[index] else { return nil }
        return SQLiteValues.date(handle, column(index))
    }

    func raw(at index: Int) -> RawValue { SQLiteValues.raw(handle, column(index)) }

    private func column(_ index: Int) -> Int32 { Int32(index) + Self.firstColumn }
}

extension RowCells.Kind {
    /// How a cell holds the values of a type; those of other types are asked of the source.
    fileprivate init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64: .integer
            case .double: .double
            case .boolean: .boolean
            case .date: .date
            case .string: .string
            default: .unknown
            }
    }
}
