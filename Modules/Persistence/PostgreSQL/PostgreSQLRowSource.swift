#if PostgreSQL
import StrataCore

/// The current row of a result: identifier and version, and then the entity's columns.
final class PostgreSQLRowSource: RowSource {
    private static let firstColumn: Int32 = 2

    private let entity: EntityDescription
    private let types: [AttributeType]
    private var result: PostgreSQLResult?
    private var row: Int32 = 0

    init(_ entity: EntityDescription) {
        self.entity = entity
        types = entity.columns.map(\.type)
    }

    private(set) var id: Int64 = 0
    private(set) var version: Int64 = 0

    /// Stands on a row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` for a row whose identifier can be none.
    func stand(on row: Int32, of result: PostgreSQLResult) throws {
        (self.result, self.row) = (result, row)
        version = result.field(row: row, column: 1).integer ?? 0
        let id = result.field(row: row, column: 0).integer ?? 0
        self.id = id
        guard identifierRange.contains(id) else { throw damage("row \(id) has an identifier that no row gets", nil) }
    }

    func value(at index: Int) throws -> StoredValue {
        guard types.indices.contains(index) else { throw PersistenceError.noColumn(index, of: entity) }
        guard let result else { throw PersistenceError(.closed, "the row is not read any more", entity: entity.name) }
        let field = result.field(row: row, column: Int32(index) + Self.firstColumn)
        guard let value = field.value(of: types[index]) else {
            throw damage("row \(id) holds a value that is not a \(types[index])", index)
        }
        if value.isNull, !entity.columns[index].isOptional {
            throw damage("row \(id) holds null, which is not allowed", index)
        }
        return value
    }

    /// The result is given back: whoever kept a reader gets no value.
    func forget() { result = nil }

    private func damage(_ what: String, _ index: Int?) -> PersistenceError {
        var error = PersistenceError(
            .corrupt, "\(what); another program changed it", entity: entity.name,
            attribute: index.map { entity.columns[$0].name } ?? "id")
        error.id = id
        return error
    }
}
#endif
