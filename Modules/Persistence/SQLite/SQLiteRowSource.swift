import CStrataSQLite
import Foundation
import StrataCore
import StrataSQL

/// A statement's current row, which is refused where it can be none of the model's.
///
/// A damaged file may give rows that SQLite takes for good: with identifiers that no row gets or in the wrong order, or with null where none may be.
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
    /// What null is in a cell of each column: unknown where it is not allowed, so that whoever reads it asks for the value, and is told.
    private let nulls: [UInt32]
    private let words: UnsafeMutablePointer<Int64>
    /// Whether the rows come by their identifiers, ascending.
    private let isAscending: Bool
    /// The least identifier that the next row may have.
    ///
    /// Unchecked, as looking for overlapping accesses would take longer than the comparison; it is set and read by whoever reads, in turn.
    @exclusivity(unchecked) private var leastID = identifierRange.lowerBound

    convenience init(_ statement: SQLiteStatement, _ request: ResolvedRequest) {
        self.init(statement, request.entity, isAscending: request.isByIdentifier)
    }

    init(_ statement: SQLiteStatement, _ entity: EntityDescription, isAscending: Bool) {
        self.statement = statement
        self.entity = entity
        self.isAscending = isAscending
        handle = statement.handle
        types = entity.columnTypes
        kinds = types.map { RowCells.Kind($0).rawValue }
        nulls = entity.columnsAllowNull.map { ($0 ? RowCells.Kind.null : .unknown).rawValue }
        words = .allocate(capacity: 2 * (types.count + 1))
        words.initialize(repeating: 0, count: 2 * (types.count + 1))
    }

    deinit {
        words.deallocate()
    }

    /// The values of the row that was loaded last.
    var cells: RowCells { RowCells(words: words, count: types.count) }

    /// Reads all values of the row that the statement stands on, in one call.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` for a row that cannot be.
    func load() throws {
        strata_read_row(handle, kinds, nulls, Int32(types.count), words)
        try checkIdentifier()
    }

    /// Reads the identifier of the row that the statement stands on; its values are read when they are asked for.
    ///
    /// - Throws: As ``load()``.
    func stand() throws {
        words[0] = sqlite3_column_int64(handle, 0)
        try checkIdentifier()
    }

    @inline(__always)
    private func checkIdentifier() throws {
        let id = words[0]
        guard id >= leastID, id <= identifierRange.upperBound else { throw impossible(id) }
        if isAscending { leastID = id + 1 }
    }

    private func impossible(_ id: Int64) -> PersistenceError {
        let what =
            identifierRange.contains(id)
            ? "stands behind row \(leastID - 1), out of the order of identifiers"
            : "has an identifier that no row gets (\(identifierRange.lowerBound) to \(identifierRange.upperBound))"
        return damage("row \(id) \(what)", attribute: TableDescription.ColumnName.id, id: id)
    }

    private func damage(_ what: String, attribute: String, id: Int64) -> PersistenceError {
        var error = PersistenceError(
            .corrupt, "\(what); the file was damaged or changed by another program", entity: entity.name,
            attribute: attribute)
        error.id = id
        return error
    }

    var id: Int64 { words[0] }
    var version: Int64 { sqlite3_column_int64(handle, 1) }

    func value(at index: Int) throws -> StoredValue {
        guard isColumn(index) else { throw PersistenceError.noColumn(index, of: entity) }
        let value = SQLiteValues.read(handle, column(index), as: types[index])
        switch value {
        case .none: throw damage("row \(id) holds a value that is not a \(types[index])", at: index)
        // A statement that was ended meanwhile gives nothing but nulls, and that is nobody's damage.
        case .null? where nulls[index] == RowCells.Kind.unknown.rawValue && sqlite3_data_count(handle) > 0:
            throw damage("row \(id) holds null, which is not allowed", at: index)
        case .some(let value): return value
        }
    }

    private func damage(_ what: String, at index: Int) -> PersistenceError {
        damage(what, attribute: entity.columns[index].name, id: id)
    }

    /// Looked at before each value: a record may count its columns wrong, and SQLite takes a column past the last for null.
    private func isColumn(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: types.count) }

    /// The statement leaves its row: what the cells lead to is SQLite's again, and whoever kept a reader asks the statement, which has nothing.
    func forget() { words.update(repeating: 0, count: 2 * (types.count + 1)) }

    // MARK: Without a stored value in between

    func isNull(at index: Int) -> Bool? {
        guard isColumn(index) else { return nil }
        // Where null is not allowed the value is asked for, and says so.
        guard sqlite3_column_type(handle, column(index)) == SQLITE_NULL else { return false }
        return nulls[index] == RowCells.Kind.null.rawValue ? true : nil
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

extension ResolvedRequest {
    /// Whether rows come by their identifiers, ascending.
    fileprivate var isByIdentifier: Bool {
        guard let first = sort.first else { return true }
        guard case .identifier = first.operand.form else { return false }
        return !first.isDescending
    }
}
