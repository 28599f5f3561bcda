import StrataCore
import StrataStoreKit

/// The conversion of a context's unsaved changes to rows, with their validation.
///
/// It has no state of its own. It is confined to the context's queue.
struct ChangeCollector {
    private let reader: ObjectReader

    init(_ reader: ObjectReader) {
        self.reader = reader
    }

    private var registry: ObjectRegistry { reader.registry }
    private var pending: PendingChanges { reader.pending }

    /// Returns all changes as rows, after validating them by the rules of the model and of the record types.
    ///
    /// - Parameter found: The failures that are known already.
    /// - Returns: The changes that a save writes.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` and all failures, if there are
    ///   any.
    func collect(_ found: [ValidationFailure]) throws -> ChangeSet {
        var changes = ChangeSet()
        var failures = found
        for identityMap in registry.ordered where identityMap.hasPending {
            changes[identityMap.entity.name] = try collect(identityMap, &failures)
        }
        for (name, joins) in pending.joins {
            let joinChanges = joins.changes(isDeleted: reader.isDeletedHere)
            if !joinChanges.isEmpty { changes.joins[name] = joinChanges }
        }
        failures += try RelationshipCounts(reader).failures()
        guard failures.isEmpty else {
            var error = PersistenceError(
                .validation,
                failures.count == 1
                    ? "a rule of the model is broken:" : "\(failures.count) rules of the model are broken:")
            error.failures = failures
            throw error
        }
        return changes
    }

    private func collect(
        _ identityMap: IdentityMap, _ failures: inout [ValidationFailure]
    ) throws -> ChangeSet.EntityChanges {
        let inserted = identityMap.inserted
        var entityChanges = ChangeSet.EntityChanges()
        entityChanges.insertions.reserveCapacity(inserted.count)
        for object in inserted {
            var row = object.typed.currentRow()
            try validate(&row, of: object, operation: .insert, in: identityMap, into: &failures)
            if let position = identityMap.entity.positionColumn, row.values[position].isNull {
                row.values[position] = .integer(object.rawID)
            }
            entityChanges.insertions.append(.init(id: object.rawID, values: row.values, version: object.version))
        }
        for object in identityMap.updated.sorted(by: { $0.rawID < $1.rawID }) {
            var row = object.typed.currentRow()
            let changed = object.changedColumns(row)
            guard !changed.isEmpty else { continue }
            try validate(&row, of: object, operation: .update, in: identityMap, into: &failures)
            for index in changed where identityMap.validator.isImmutable(index) {
                failures.append(
                    identityMap.validator.failure(.immutable, index: index, value: row.values[index], id: object.rawID))
            }
            entityChanges.updates.append(
                .init(id: object.rawID, expectedVersion: object.version, values: row.values, changedColumns: changed))
        }
        for object in identityMap.deletedInOrder {
            if identityMap.traits.hasRules { failures += try object.brokenRules(.delete) }
            entityChanges.deletions.append(
                .init(id: object.rawID, expectedVersion: object.version, allowsMissingRow: false))
        }
        return entityChanges
    }

    /// Converts a row's values to their stored form in place, and collects the failures of the row's object.
    private func validate(
        _ row: inout (values: [StoredValue], failures: [ValidationFailure]), of object: ManagedObject,
        operation: SaveOperation, in identityMap: IdentityMap, into failures: inout [ValidationFailure]
    ) throws {
        let found = identityMap.validator.validate(&row.values, id: object.rawID)
        if !row.failures.isEmpty || !found.isEmpty {
            let refused = Set(row.failures.map(\.attribute))
            failures += row.failures
            failures += found.filter { !refused.contains($0.attribute) }
        } else if object.wasWritten, let refusal = object.typed.refusal(of: row.values) {
            failures.append(refusal)
        }
        if identityMap.traits.hasRules { failures += try object.brokenRules(operation) }
    }
}
