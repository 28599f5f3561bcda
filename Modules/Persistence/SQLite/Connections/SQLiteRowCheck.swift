import StrataCore
import StrataSQL

/// A check that rejects rows which cannot be valid rows of the model.
///
/// If a file is damaged, SQLite may still return rows, with invalid identifiers, in the wrong order, or with null in a
/// mandatory column.
final class SQLiteRowCheck {
    private let shape: SQLiteRowShape
    /// A Boolean value that indicates whether the statement returns rows in the ascending order of their identifiers.
    private let isAscending: Bool
    /// The least identifier that the next row of the statement may have.
    ///
    /// The property has no exclusivity checks, which would take longer than the comparison; only one thread uses it at
    /// a time.
    @exclusivity(unchecked) private var leastID = identifierRange.lowerBound

    init(_ shape: SQLiteRowShape, isAscending: Bool) {
        self.shape = shape
        self.isAscending = isAscending
    }

    /// Checks the identifier of the statement's next row.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the identifier is out of range or
    ///   in the wrong order.
    @inline(__always)
    func move(to id: Int64) throws {
        guard id >= leastID, id <= identifierRange.upperBound else { throw impossible(id) }
        if isAscending { leastID = id + 1 }
    }

    private func impossible(_ id: Int64) -> PersistenceError {
        let what =
            identifierRange.contains(id)
            ? "follows row \(leastID - 1) and is not in ascending order"
            : "has an identifier out of range (\(identifierRange.lowerBound) to \(identifierRange.upperBound))"
        return damage("row \(id) \(what)", attribute: TableDescription.ColumnName.id, id: id)
    }

    /// Checks and returns the value that was read from a column; `nil` means that a value of another type is stored.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the column must not contain the
    ///   value.
    func value(_ value: StoredValue?, at index: Int, of id: Int64) throws -> StoredValue {
        guard let value else {
            throw damage("row \(id) contains a value that is not of type \(shape.types[index])", at: index, id: id)
        }
        if case .null = value, shape.nulls[index] == RowCells.Kind.unknown.rawValue {
            throw damage("row \(id) contains null, which is not allowed", at: index, id: id)
        }
        return value
    }

    private func damage(_ what: String, at index: Int, id: Int64) -> PersistenceError {
        damage(what, attribute: shape.entity.columns[index].name, id: id)
    }

    private func damage(_ what: String, attribute: String, id: Int64) -> PersistenceError {
        var error = PersistenceError(
            .corrupt, "\(what); the file was damaged or changed by another program", entity: shape.entity.name,
            attribute: attribute)
        error.id = id
        return error
    }
}
