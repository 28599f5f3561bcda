/// Errors for a row that cannot be read as a record, or that rejects a change.
extension PersistenceError {
    /// Returns the error for a row that cannot be read as a record.
    ///
    /// The error names the entity and the object. It also names the attribute if a value is the reason.
    package static func unreadable(_ error: any Error, id: Int64, of entity: EntityDescription) -> any Error {
        switch error {
        case is CancellationError: return error
        case let error as PersistenceError: return error.naming(id, of: entity.name)
        case let column as UnreadableColumn:
            guard entity.columns.indices.contains(column.index) else {
                return noColumn(column.index, of: entity).naming(id, of: entity.name)
            }
            var error = PersistenceError(
                .unreadable, "object \(id) cannot be read: its value does not have the property's type",
                entity: entity.name, attribute: entity.columns[column.index].name)
            (error.id, error.underlying) = (id, column.underlying)
            return error
        default:
            var unreadable = PersistenceError(
                .unreadable, "object \(id) cannot be read: the record's initializer rejects its values",
                entity: entity.name)
            (unreadable.id, unreadable.underlying) = (id, error)
            return unreadable
        }
    }

    /// Returns the error for a column that the entity does not have; the record's declaration counts incorrectly.
    package static func noColumn(_ index: Int, of entity: EntityDescription, _ done: String = "read")
        -> PersistenceError
    {
        PersistenceError(
            .invalidRequest,
            entity.columns.isEmpty
                ? "column \(index) is \(done), but the entity has no columns"
                : "column \(index) is \(done), but the last column is \(entity.columns.count - 1)",
            entity: entity.name)
    }

    /// Returns the error for a write to an object that the record's initializer or a value's type rejects.
    ///
    /// - Parameters:
    ///   - error: The error that the initializer or the type threw.
    ///   - id: The identifier of the object.
    ///   - entity: The entity.
    ///   - column: The index of the column that was written; `nil` for several.
    /// - Returns: An error with code ``Code/validation``. A ``PersistenceError`` or a cancellation is returned
    ///     unchanged.
    package static func refused(
        _ error: any Error, id: Int64, of entity: EntityDescription, column: Int? = nil
    ) -> any Error {
        if error is PersistenceError || error is CancellationError { return error }
        let attribute = column.map { entity.columns[$0].name }
        var refused = PersistenceError(
            .validation, "object \(id) rejects the new values:", entity: entity.name,
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

    /// A Boolean value that indicates whether the error concerns one row that cannot be read, and no other rows.
    package var isOfOneRow: Bool { (code == .unreadable || code == .corrupt) && id != nil }
}

extension ChangeSet.EntityChanges {
    /// Checks that rows have a value for each column, and that changed columns exist.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the incorrect
    ///     count.
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
    /// Returns the error for a row that has more or fewer values than its entity has columns.
    package static func miscounted(_ count: Int, _ entity: EntityDescription, id: Int64? = nil) -> PersistenceError {
        var error = PersistenceError(
            .invalidRequest, "the row has \(count) values, but the entity has \(entity.columns.count) columns",
            entity: entity.name)
        error.id = id
        return error
    }
}

extension Error {
    /// The error of the caller's code, if this error only adds the location.
    package var cause: any Error { (self as? PersistenceError)?.underlying ?? self }
}
