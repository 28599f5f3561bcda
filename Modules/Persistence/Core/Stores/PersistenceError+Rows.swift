/// What is said of a row that is no record, or takes no change.
extension PersistenceError {
    /// The error of whoever tried to make a record of a row, with the entity, the object, and the attribute where a value is the reason.
    package static func unreadable(_ error: any Error, id: Int64, of entity: EntityDescription) -> any Error {
        switch error {
        case is CancellationError: return error
        case let error as PersistenceError: return error.naming(id, of: entity.name)
        case let column as UnreadableColumn:
            guard entity.columns.indices.contains(column.index) else {
                return noColumn(column.index, of: entity).naming(id, of: entity.name)
            }
            var error = PersistenceError(
                .unreadable, "object \(id) cannot be read: its value is none of the property's type",
                entity: entity.name, attribute: entity.columns[column.index].name)
            (error.id, error.underlying) = (id, column.underlying)
            return error
        default:
            var unreadable = PersistenceError(
                .unreadable, "object \(id) cannot be read: the record's initialiser refuses its values",
                entity: entity.name)
            (unreadable.id, unreadable.underlying) = (id, error)
            return unreadable
        }
    }

    /// A column was asked for that the entity does not have: a record's declaration counts wrong.
    package static func noColumn(_ index: Int, of entity: EntityDescription, _ done: String = "read")
        -> PersistenceError
    {
        PersistenceError(
            .invalidRequest,
            entity.columns.isEmpty
                ? "column \(index) is \(done), and there is none"
                : "column \(index) is \(done), and the last one is \(entity.columns.count - 1)",
            entity: entity.name)
    }

    /// The record's initialiser, or a value's type, refuses what was to be written to an object.
    ///
    /// - Parameters:
    ///   - error: What it threw.
    ///   - id: The object.
    ///   - entity: The entity.
    ///   - column: The place of the one column that was written; `nil` for several.
    /// - Returns: An error with code ``Code/validation``; one that is a ``PersistenceError`` already, or a cancellation, as it is.
    package static func refused(
        _ error: any Error, id: Int64, of entity: EntityDescription, column: Int? = nil
    ) -> any Error {
        if error is PersistenceError || error is CancellationError { return error }
        let attribute = column.map { entity.columns[$0].name }
        var refused = PersistenceError(
            .validation, "object \(id) cannot take what was to be written to it:", entity: entity.name,
            attribute: attribute)
        (refused.id, refused.underlying) = (id, error)
        refused.failures = [
            ValidationFailure(
                entity: entity.name, id: id, attribute: attribute ?? "", value: .null,
                rule: .rejected(by: entity.name, reason: "\(error)"))
        ]
        return refused
    }

    private func naming(_ id: Int64, of entity: String) -> PersistenceError {
        var error = self
        error.entity = error.entity ?? entity
        error.id = error.id ?? id
        return error
    }

    /// Whether it is about one row that cannot be read, and says nothing of others.
    package var isOfOneRow: Bool { (code == .unreadable || code == .corrupt) && id != nil }
}

extension ChangeSet.EntityChanges {
    /// Makes sure that rows have a value for each column, and that changed columns are there.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``, which says what was counted wrong.
    func checkCounts(of entity: EntityDescription) throws {
        let count = entity.columns.count
        for row in insertions where row.values.count != count {
            throw PersistenceError.miscounted(row.values.count, entity, id: row.id)
        }
        for update in updates {
            guard update.values.count == count else {
                throw PersistenceError.miscounted(update.values.count, entity, id: update.id)
            }
            for column in update.changedColumns where column < 0 || column >= count {
                throw PersistenceError.noColumn(column, of: entity, "changed")
            }
        }
    }
}

extension PersistenceError {
    /// A row has more or fewer values than its entity has columns.
    package static func miscounted(_ count: Int, _ entity: EntityDescription, id: Int64? = nil) -> PersistenceError {
        var error = PersistenceError(
            .invalidRequest, "a row of \(count) values; the entity has \(entity.columns.count) columns",
            entity: entity.name)
        error.id = id
        return error
    }
}

extension Error {
    /// What a caller's code threw, where this only says where.
    package var cause: any Error { (self as? PersistenceError)?.underlying ?? self }
}
