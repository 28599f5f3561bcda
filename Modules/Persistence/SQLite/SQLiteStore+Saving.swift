import CStrataSQLite
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// Writes a change set in one transaction.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        return try withWriter { connection in
            let saving = SQLSaving(layout: layout, connection: connection)
            do {
                try connection.inTransaction { try saving.save(changes) }
                return []
            } catch let found as ConflictsFound {
                return found.conflicts
            }
        }
    }

    /// Reserves the next identifiers in a short separate transaction, so that no two processes use the same identifier.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        _ = try model.entity(named: entity)
        guard count >= 1 else {
            throw PersistenceError(
                .invalidRequest, "\(count) identifiers were requested; at least 1 is required", entity: entity)
        }
        return try withWriter { connection in
            try connection.inTransaction {
                let sequence = SQLSequence(entity, in: layout, on: connection)
                let first = try sequence.next()
                let last = first.addingReportingOverflow(Int64(count) - 1)
                guard !last.overflow, identifierRange.contains(first), identifierRange.contains(last.partialValue)
                else {
                    throw PersistenceError.identifiersExhausted(entity)
                }
                try sequence.raise(above: last.partialValue)
                return first...last.partialValue
            }
        }
    }
}
