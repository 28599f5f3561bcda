#if PostgreSQL
import Foundation
import StrataCore
import StrataStoreKit

/// The current row of a query result with the columns identifier, version, and the columns of an entity.
final class PostgreSQLRowSource: RawRowSource {
    private static let firstColumn: Int32 = 2

    private let entity: EntityDescription
    private let types: [AttributeType]
    private let allowsNull: [Bool]
    private var result: PostgreSQLResult?
    private var row: Int32 = 0

    init(_ entity: EntityDescription) {
        self.entity = entity
        types = entity.columnTypes
        allowsNull = entity.columnsAllowNull
    }

    private(set) var id: Int64 = 0
    private(set) var version: Int64 = 0

    /// Makes a row of a query result the current row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the row's identifier is out of
    ///   range.
    func move(to row: Int32, of result: PostgreSQLResult) throws {
        if self.result !== result { self.result = result }
        self.row = row
        version = result.field(row: row, column: 1).integer ?? 0
        id = result.field(row: row, column: 0).integer ?? 0
        guard identifierRange.contains(id) else { throw damage("row \(id) has an identifier out of range", nil) }
    }

    func value(at index: Int) throws -> StoredValue {
        guard types.indices.contains(index) else { throw PersistenceError.noColumn(index, of: entity) }
        guard let field = field(index) else {
            throw PersistenceError(.closed, "the row can no longer be read", entity: entity.name)
        }
        guard let value = field.value(of: types[index]) else {
            throw damage("row \(id) contains a value that is not of type \(types[index])", index)
        }
        if value.isNull, !allowsNull[index] {
            throw damage("row \(id) contains null, which is not allowed", index)
        }
        return value
    }

    /// Releases the query result; if a caller has retained a reader of the row, the reader returns no values afterward.
    func forget() { result = nil }

    /// Returns the field of a column; each call checks the index, because the code that reads a row may use a wrong
    /// one.
    private func field(_ index: Int) -> PostgreSQLField? {
        guard let result, UInt(bitPattern: index) < UInt(bitPattern: types.count) else { return nil }
        return result.field(row: row, column: Int32(index) + Self.firstColumn)
    }

    private func damage(_ what: String, _ index: Int?) -> PersistenceError {
        var error = PersistenceError(
            .corrupt, "\(what); another program changed it", entity: entity.name,
            attribute: index.map { entity.columns[$0].name } ?? "id")
        error.id = id
        return error
    }

    /// Returns the bytes of a column's value.
    ///
    /// For a UUID, or if the row is no longer available, the method returns an empty blob, which is no value of the
    /// column. The caller then requests the value by another method.
    func raw(at index: Int) -> RawValue {
        let none = RawValue.blob(UnsafeRawBufferPointer(start: nil, count: 0))
        guard let field = field(index) else { return none }
        guard let bytes = field.bytes else { return .null }
        switch types[index] {
        case .boolean: return field.boolean.map { .integer($0 ? 1 : 0) } ?? none
        case .uuid: return none
        default: break
        }
        return switch types[index].storage {
        case .integer: field.integer.map(RawValue.integer) ?? none
        case .real: field.double.map(RawValue.real) ?? none
        case .text: .text(bytes.bindMemory(to: UInt8.self))
        case .blob: .blob(bytes)
        }
    }
}
#endif
