import Foundation
import StrataCore
import StrataStoreKit

/// The to-one references of a bulk write to rows that do not exist yet, which are checked after all rows are written.
///
/// The references are in a temporary table of the connection, so that the memory use does not depend on their count.
final class SQLPendingReferences {
    private let layout: SQLLayout
    private let tables: SQLReferenceStatements
    private let connection: any SQLBulkConnection
    /// The text of the statement that records a reference, stored because it would otherwise be rebuilt for each
    /// reference.
    private let insertionOfReference: String
    /// The count of recorded references.
    private var count: Int64 = 0
    private var hasReferences = false
    /// The pending join rows, which are checked together with the references.
    let pairs: SQLPendingPairs
    private var hasTargetIndex = false
    /// The entities whose rows are recorded before their first update, so that they can be restored.
    private var keptEntities: Set<String> = []
    /// A Boolean value that indicates whether a row was restored since the property was last set to false.
    private var didRestore = false

    init(_ layout: SQLLayout, _ connection: any SQLBulkConnection) {
        self.layout = layout
        tables = SQLReferenceStatements(layout)
        insertionOfReference = tables.insertionOfReference
        self.connection = connection
        pairs = SQLPendingPairs(layout, connection)
    }

    /// Records a reference whose target is checked after all rows are written.
    func note(_ reference: PendingReference, note: ArraySlice<UInt8>) throws {
        if !hasReferences {
            for statement in tables.creationOfReferences { try connection.execute(statement) }
            hasReferences = true
        }
        count += 1
        try connection.run(
            insertionOfReference, .integer(count), .integer(Int64(reference.location.source)),
            .integer(Int64(reference.location.record)),
            .integer(Int64(reference.location.line)), .integer(Int64(reference.inserter)),
            .integer(Int64(reference.column)), .integer(reference.owner), .integer(reference.target),
            .integer(reference.isNew ? 1 : 0), note.isEmpty ? .null : .binary(Data(note)))
    }

    /// Replaces an identifier to which a column refers by another one, in the stored rows and in the pending
    /// references.
    func redirect(_ column: Int, of entity: EntityDescription, from old: Int64, to new: Int64) throws {
        try connection.run(tables.redirection(column, of: entity), .integer(new), .integer(old))
        guard hasReferences else { return }
        if !hasTargetIndex { try connection.execute(tables.indexOfTargets) }
        hasTargetIndex = true
        try connection.run(tables.redirectionOfReferences, .integer(new), .integer(old))
    }

    /// Records a row before its first update, so that the update can be undone.
    func keep(_ id: Int64, of entity: EntityDescription) throws {
        if keptEntities.insert(entity.name).inserted {
            for statement in tables.creationOfKeptRows(entity) { try connection.execute(statement) }
        }
        try connection.run(tables.keeping(entity), .integer(id))
    }

    /// Handles each dangling reference as the insert options of its inserter define.
    ///
    /// - Throws: ``PersistenceError`` for the first reference, in the order of the input, that the options treat as an
    ///   error.
    func check(_ inserters: [SQLInsertedRows], _ pairInserters: [SQLPairInserter]) throws {
        try reject(inserters, pairInserters)
        if hasReferences {
            try makeNull(inserters)
            try findFirst(inserters)
        }
        for inserter in pairInserters where inserter.options.onMissingReference != .error {
            // Rows that are rejected because of their join rows have already been removed.
            try pairs.rejectDangling(inserter)
        }
        try pairs.check()
        if hasReferences { try connection.execute(tables.removalOfReferences) }
        try pairs.removeAll()
        for entity in layout.model.entities where keptEntities.contains(entity.name) {
            try connection.execute(tables.removalOfKeptRows(entity))
        }
        (hasReferences, hasTargetIndex, keptEntities) = (false, false, [])
    }

    // MARK: - Errors

    private func findFirst(_ inserters: [SQLInsertedRows]) throws {
        var first: PersistenceError?
        for inserter in inserters where inserter.options.onMissingReference == .error {
            try forEachReference(inserter) { column, destination in
                guard let error = try firstMissing(inserter, column, destination), let location = error.location else {
                    return
                }
                if let earlier = first?.location, earlier <= location { return }
                first = error
            }
        }
        if let first { throw first }
    }

    /// Returns the error for the first dangling reference of a column, or `nil` if there is none.
    private func firstMissing(
        _ inserter: SQLInsertedRows, _ column: Int, _ destination: String
    ) throws -> PersistenceError? {
        let statement = try connection.statement(
            tables.firstMissing(column, of: inserter.entity, destination: destination))
        defer { statement.reset() }
        try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))])
        guard try statement.step() else { return nil }
        let row = statement.integers(5)
        var error = PersistenceError.dangling(inserter.entity, column, from: row[3], to: row[4])
        error.location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
        return error
    }

    private func forEachReference(_ inserter: SQLInsertedRows, _ body: (Int, String) throws -> Void) throws {
        for column in inserter.entity.columns.indices {
            if let destination = inserter.entity.columns[column].destination { try body(column, destination) }
        }
    }

    // MARK: - Null

    private func makeNull(_ inserters: [SQLInsertedRows]) throws {
        for inserter in inserters where inserter.options.onMissingReference == .null {
            try forEachReference(inserter) { column, destination in
                guard inserter.entity.columns[column].isOptional else { return }
                try connection.run(
                    tables.nulling(column, of: inserter.entity, destination: destination),
                    .integer(Int64(inserter.number)), .integer(Int64(column)))
                inserter.counts.nulledReferences += connection.changes
            }
        }
        // A mandatory reference cannot be null, so a dangling one is an error.
        try findFirstMandatory(inserters.filter { $0.options.onMissingReference == .null })
    }

    private func findFirstMandatory(_ inserters: [SQLInsertedRows]) throws {
        for inserter in inserters {
            try forEachReference(inserter) { column, destination in
                guard !inserter.entity.columns[column].isOptional else { return }
                if let error = try firstMissing(inserter, column, destination) { throw error }
            }
        }
    }

    // MARK: - Rejecting

    /// The rows that the final check removed, and to which other rows may refer.
    private typealias RemovedRows = [(entity: String, id: Int64)]

    /// Removes the rows with dangling references or join rows, then the rows that refer to removed rows, until none is
    /// left.
    private func reject(_ inserters: [SQLInsertedRows], _ pairInserters: [SQLPairInserter]) throws {
        let lists = pairInserters.filter { $0.owners != nil && $0.options.onMissingReference == .reject }
        let rejecting = inserters.filter { $0.options.onMissingReference == .reject }
        guard !rejecting.isEmpty || inserters.contains(where: { !$0.refusedTargets.isEmpty }) else { return }
        if hasReferences, !hasTargetIndex {
            try connection.execute(tables.indexOfTargets)
            hasTargetIndex = true
        }
        // A restored row may have a dangling reference again.
        repeat {
            didRestore = false
            var removed: RemovedRows = []
            for inserter in inserters { try rejectDangling(inserter, lists, into: &removed) }
            for list in lists { try rejectDangling(list, try pairs.found(list), lists, into: &removed) }
            while let row = removed.popLast() {
                try rejectDangling(rejecting, lists, referencing: row, into: &removed)
            }
        } while didRestore
    }

    /// Removes the rows of an inserter whose references are dangling or refer to one of
    /// ``SQLInsertedRows/refusedTargets``.
    private func rejectDangling(
        _ inserter: SQLInsertedRows, _ lists: [SQLPairInserter], into removed: inout RemovedRows
    ) throws {
        guard hasReferences else { return }
        let refused = inserter.refusedTargets
        inserter.refusedTargets = []
        guard inserter.options.onMissingReference == .reject else {
            for (column, target) in refused {
                try rejectDangling(
                    inserter, column: column, .toTarget, values: [.integer(target)], lists, into: &removed)
            }
            return
        }
        try forEachReference(inserter) { column, destination in
            try rejectDangling(inserter, column: column, .missing(destination: destination), lists, into: &removed)
        }
    }

    /// Removes the rows that refer to a removed row.
    private func rejectDangling(
        _ inserters: [SQLInsertedRows], _ lists: [SQLPairInserter], referencing row: (entity: String, id: Int64),
        into removed: inout RemovedRows
    ) throws {
        if hasReferences {
            for inserter in inserters {
                try forEachReference(inserter) { column, destination in
                    guard destination == row.entity else { return }
                    try rejectDangling(
                        inserter, column: column, .toTarget, values: [.integer(row.id)], lists, into: &removed)
                }
            }
        }
        for list in lists {
            guard let isSource = list.owners?.isSource,
                row.entity == (isSource ? list.join.targetEntity : list.join.sourceEntity)
            else { continue }
            try rejectDangling(list, try pairs.found(list, to: row.id), lists, into: &removed)
        }
    }

    private func rejectDangling(
        _ inserter: SQLInsertedRows, column: Int, _ meant: SQLReferenceStatements.References,
        values: [StoredValue] = [],
        _ lists: [SQLPairInserter], into removed: inout RemovedRows
    ) throws {
        let statement = try connection.prepare(tables.selection(column, of: inserter.entity, meant))
        defer { statement.reset() }
        try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))] + values)
        while try statement.step() {
            let row = statement.integers(7)
            let note = try statement.bytes(at: 7)
            let location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
            let error = PersistenceError.dangling(inserter.entity, column, from: row[3], to: row[4])
            let isTaken = try rejectDangling(
                row[3], of: inserter, isNew: row[5] != 0, error, at: location, note: note, lists, into: &removed)
            if isTaken { try connection.run(tables.deletionOfReference, .integer(row[6])) }
        }
    }

    /// Rejects the rows whose list columns refer to missing rows: deletes inserted rows, and restores updated rows.
    private func rejectDangling(
        _ list: SQLPairInserter, _ found: [SQLPendingPairs.Found], _ lists: [SQLPairInserter],
        into removed: inout RemovedRows
    ) throws {
        guard let owners = list.owners else { return }
        var taken: Set<RowLocation> = []
        for found in found {
            try pairs.forget(found)
            // A row with several dangling join rows is reported once.
            guard !taken.contains(found.location) else { continue }
            let other = found.pair.source == found.owner ? found.pair.target : found.pair.source
            let pair =
                owners.isSource
                ? JoinPair(source: found.owner, target: other) : JoinPair(source: other, target: found.owner)
            let isTaken = try rejectDangling(
                found.owner, of: owners.inserter, isNew: found.isNew,
                .dangling(list.join, pair, isTargetMissing: owners.isSource), at: found.location, note: found.note,
                lists, into: &removed)
            if isTaken { taken.insert(found.location) }
        }
    }

    /// Removes a row that the bulk write inserted, or restores an updated row to its state before its first update.
    ///
    /// - Returns: False if the row does not exist because it was removed before.
    private func rejectDangling(
        _ id: Int64, of inserter: SQLInsertedRows, isNew: Bool, _ error: PersistenceError, at location: RowLocation,
        note: [UInt8], _ lists: [SQLPairInserter], into removed: inout RemovedRows
    ) throws -> Bool {
        let entity = inserter.entity
        var row: StoredRow?
        if isNew {
            row = try inserter.writer.row(id, of: entity)
            guard row != nil else { return false }
            try connection.run(layout.deletion(entity, checksVersion: false), .integer(id))
            inserter.counts.inserted -= 1
            try removePairs(of: id, entity)
            try inserter.writer.keyCache(of: entity.name).remove(id)
            removed.append((entity.name, id))
        } else {
            try restore(id, of: entity, location)
            for list in lists where list.owners?.inserter === inserter { try pairs.restore(list, of: id, location) }
            inserter.counts.updated -= 1
        }
        try inserter.refuse(error, at: location, note: note, row: row)
        return true
    }

    /// Restores a row to its state before its first update, unless the row was inserted and then removed.
    private func restore(_ id: Int64, of entity: EntityDescription, _ location: RowLocation) throws {
        try connection.run(layout.deletion(entity, checksVersion: false), .integer(id))
        guard connection.changes > 0 else { return }
        didRestore = true
        let row = try connection.storedRow(id, of: entity, by: tables.keptRow(entity))
        do {
            try connection.run(tables.puttingBack(entity), .integer(id))
        } catch var error as PersistenceError where error.code == .uniqueness {
            // Another row of the input now has the value. It is unknown which of the two rows is wrong.
            if let row { error = error.namingRow(row, entity) }
            error.location = location
            throw error
        }
    }

    func removePairs(of id: Int64, _ entity: EntityDescription) throws {
        for join in layout.model.joins {
            for (name, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] where name == entity.name {
                try connection.run(layout.deletion(join, ofSource: isSource), .integer(id))
            }
        }
    }
}
