package import StrataCore

/// The errors for a row that cannot be read as a record, or whose record rejects a change.
extension PersistenceError {
    /// Returns the error for a row that cannot be read as a record.
    ///
    /// The returned error names the entity and the object, and also the attribute if its value is the reason.
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

    /// Returns the error for an access to a column that the entity does not have, caused by a wrong record declaration.
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

    /// Returns the error for a change of an object that the record's initializer or an attribute's Swift type rejects.
    ///
    /// - Parameters:
    ///   - error: The error that the initializer or the Swift type threw.
    ///   - id: The identifier of the object.
    ///   - entity: The entity of the object.
    ///   - column: The index of the changed column; `nil` if several were changed.
    /// - Returns: An error with code ``Code/validation``; `error` itself if it is a ``PersistenceError`` or a
    ///   cancellation.
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

    /// A Boolean value that indicates whether the error concerns only a single row that cannot be read.
    package var isOfOneRow: Bool { (code == .unreadable || code == .corrupt) && id != nil }
}

extension ChangeSet.EntityChanges {
    /// Throws an error if a row has a wrong count of values, or if a changed column does not exist.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the wrong count.
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
    /// The error that the caller's code threw, if this error only adds a location to it; otherwise this error.
    package var cause: any Error { (self as? PersistenceError)?.underlying ?? self }
}
