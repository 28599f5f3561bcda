import Foundation
import StrataCore
import StrataStoreKit

/// The to-one references and join rows of a bulk write that are checked after all rows are written.
///
/// A reference is pending if its target does not exist yet or may be removed again. A join row is pending if this
/// applies to one of its ends. The pending rows are in a temporary table of the connection, so that the memory use does
/// not depend on their count.
final class SQLPendingRows {
    private unowned let writer: SQLRowWriter
    private let layout: SQLLayout
    private let connection: any SQLBulkConnection
    private let statements: SQLPendingStatements
    private var properties: [SQLPendingProperty] = []
    /// The count of recorded pending rows.
    private var count: Int64 = 0
    /// The names of the temporary tables that exist.
    private var tables: Set<String> = []
    /// The columns of the table of pending rows that have an index.
    private var indexedColumns: Set<String> = []
    /// The rows that the final check removed, and to which other rows may refer.
    private var removed: [(entity: String, id: Int64)] = []
    /// A Boolean value that indicates whether a row was restored since the property was last set to false.
    private var didRestore = false

    init(_ writer: SQLRowWriter) {
        self.writer = writer
        (layout, connection) = (writer.layout, writer.connection)
        statements = SQLPendingStatements(layout)
    }

    /// Adds a property whose values may be pending, and returns its number.
    func add(_ property: SQLPendingProperty) -> Int {
        var property = property
        property.number = properties.count
        if let join = property.join, property.owners != nil {
            property.list = statements.list(join, isSource: property.isSource)
        }
        properties.append(property)
        return property.number
    }

    /// Returns the number of the property of join rows that are inserted without insert options.
    func number(of join: JoinDescription) -> Int {
        properties.firstIndex { if case .joinTable(join, nil) = $0.storage { true } else { false } }
            ?? add(SQLPendingProperty(join, nil))
    }

    /// Releases the inserters of the properties.
    func end() { properties = [] }

    /// Records a reference or a join row that is checked after all rows are written.
    func note(_ row: PendingRow) throws {
        try create(SQLPendingStatements.table, statements.creation)
        count += 1
        try connection.run(
            statements.insertion, .integer(count), .integer(Int64(row.location.source)),
            .integer(Int64(row.location.record)), .integer(Int64(row.location.line)), .integer(Int64(row.property)),
            properties[row.property].list.map(StoredValue.integer) ?? .null, .integer(row.owner),
            .integer(row.target), .integer(row.isNew ? 1 : 0), row.note.isEmpty ? .null : .binary(Data(row.note)))
    }

    /// Creates a temporary table, unless it exists already.
    private func create(_ table: String, _ creation: @autoclosure () -> [String]) throws {
        guard tables.insert(table).inserted else { return }
        for statement in creation() { try connection.execute(statement) }
    }

    /// Creates an index of the pending rows by a column, unless it exists already.
    private func index(by column: String) throws {
        try create(SQLPendingStatements.table, statements.creation)
        if indexedColumns.insert(column).inserted { try connection.execute(statements.index(by: column)) }
    }

    /// Replaces an identifier to which a column refers by another one, in the stored rows and in the pending
    /// references.
    func redirect(_ column: Int, of entity: EntityDescription, from old: Int64, to new: Int64) throws {
        try connection.run(statements.redirection(column, of: entity), .integer(new), .integer(old))
        for property in properties where property.isColumn(column, of: entity) {
            try index(by: "target")
            try connection.run(
                statements.redirection, .integer(new), .integer(old), .integer(Int64(property.number)))
        }
    }

    /// Rejects, at the final check, the rows that still refer to a placeholder for an object that another row owns.
    ///
    /// If missing references are errors or reject their rows anyway, the method does nothing.
    func refuse(_ target: Int64, in column: Int, of entity: EntityDescription) {
        for index in properties.indices
        where properties[index].isColumn(column, of: entity) && properties[index].onMissingReference == .null {
            properties[index].refusedTargets.append(target)
        }
    }

    /// Records a row before its first update, so that the update can be undone.
    func keep(_ id: Int64, of entity: EntityDescription) throws {
        try create(statements.keptTable(entity), statements.creationOfKeptRows(entity))
        try connection.run(statements.keeping(entity), .integer(id))
    }

    /// Records the current join rows of an owner before they are replaced for the first time.
    func keep(_ join: JoinDescription, of owner: Int64, isSource: Bool) throws {
        try create(
            statements.keptTable(join, isSource: isSource), statements.creationOfKeptList(join, isSource: isSource))
        try index(by: "owner")
        try connection.run(statements.keeping(join, isSource: isSource), .integer(owner))
    }

    /// Deletes the pending join rows of an owner, which is the row whose list column contains them.
    func forget(_ join: JoinDescription, of owner: Int64, isSource: Bool) throws {
        guard tables.contains(SQLPendingStatements.table) else { return }
        try index(by: "owner")
        try connection.run(
            statements.deletionOfOwner, .integer(statements.list(join, isSource: isSource)), .integer(owner))
    }

    // MARK: - At the end

    /// Handles each dangling reference and join row as the insert options of its inserter define.
    ///
    /// - Throws: ``PersistenceError`` for the first reference, in the order of the input, that the options treat as an
    ///   error; for the first join row if there is no such reference.
    func check() throws {
        if tables.contains(SQLPendingStatements.table) {
            let parts = [properties.filter { $0.join == nil }, properties.filter { $0.join != nil }]
            try reject(parts.flatMap(\.self))
            for properties in parts {
                for property in properties where !property.rejectsOwners { try removeDangling(property) }
                try throwFirst(properties)
            }
        }
        for table in tables { try connection.execute(statements.removal(of: table)) }
        (tables, indexedColumns) = ([], [])
    }

    /// Passes the selected pending rows of a property to `body`.
    private func forEach(
        _ property: SQLPendingProperty, _ selection: SQLPendingStatements.Selection = .missing, target: Int64? = nil,
        _ body: (PendingRow) throws -> Void
    ) throws {
        let statement = try connection.prepare(statements.rows(of: property, selection))
        defer { statement.reset() }
        try statement.bind([.integer(Int64(property.number))] + (target.map { [.integer($0)] } ?? []))
        while try statement.step() {
            let row = statement.integers(7)
            try body(
                PendingRow(
                    number: row[0], property: property.number, owner: row[4], target: row[5], isNew: row[6] != 0,
                    location: RowLocation(source: Int(row[1]), line: Int(row[3]), record: Int(row[2])),
                    note: try statement.bytes(at: 7)))
        }
    }

    /// Returns the error for a dangling reference or join row.
    private func error(_ row: PendingRow, of property: SQLPendingProperty) throws -> PersistenceError {
        switch property.storage {
        case .column(let column, let rows): return .dangling(rows.entity, column, from: row.owner, to: row.target)
        case .joinTable(let join, _):
            // The owner is rejected because the other end is missing, or was removed.
            if property.rejectsOwners {
                return .dangling(join, property.pair(row), isTargetMissing: property.isSource)
            }
            let pair = join.kept(property.pair(row))
            let hasSource = try writer.keyCache(of: join.sourceEntity).exists(pair.source)
            return .dangling(join, pair, isTargetMissing: hasSource)
        }
    }

    /// Throws the error for the first dangling reference or join row of some properties, if there is one.
    private func throwFirst(_ properties: [SQLPendingProperty]) throws {
        var first: (row: PendingRow, property: SQLPendingProperty)?
        for property in properties where property.onMissingReference != .reject {
            try forEach(property, .firstMissing) { row in
                if let earlier = first?.row.location, earlier <= row.location { return }
                first = (row, property)
            }
        }
        guard let first else { return }
        var error = try error(first.row, of: first.property)
        error.location = first.row.location
        throw error
    }

    /// Sets the dangling references of a property to null, or deletes its dangling join rows, if the options define
    /// that.
    private func removeDangling(_ property: SQLPendingProperty) throws {
        switch property.storage {
        case .column(let column, let rows):
            guard property.onMissingReference == .null, rows.entity.columns[column].isOptional else { return }
            try connection.run(
                statements.nulling(rows.entity.columns[column], of: property), .integer(Int64(property.number)))
            rows.counts.nulledReferences += connection.changes
        case .joinTable(_, nil): return
        case .joinTable(let join, let inserter?):
            guard property.onMissingReference != .error else { return }
            let owners = try writer.keyCache(of: property.ownerEntity)
            try forEach(property) { row in
                // A failure handler may throw, and the caller may check again.
                try connection.run(statements.deletion, .integer(row.number))
                if inserter.owners != nil, try !owners.exists(row.owner) { return }
                let pair = join.kept(property.pair(row))
                try connection.run(layout.deletion(join), .integer(pair.source), .integer(pair.target))
                if inserter.owners == nil {
                    if row.isNew { inserter.counts.inserted -= 1 } else { inserter.counts.updated -= 1 }
                }
                guard property.onMissingReference == .reject else {
                    inserter.counts.droppedPairs += 1
                    return
                }
                try inserter.options.refuse(
                    error(row, of: property), at: row.location, note: row.note, counts: &inserter.counts)
            }
        }
    }

    // MARK: - Rejecting

    /// Removes the rows with dangling references or join rows, then the rows that refer to removed rows, until none is
    /// left.
    private func reject(_ properties: [SQLPendingProperty]) throws {
        let rejecting = properties.filter(\.rejectsOwners)
        guard !rejecting.isEmpty || properties.contains(where: { !$0.refusedTargets.isEmpty }) else { return }
        try index(by: "target")
        for property in properties {
            for target in property.refusedTargets { try reject(property, to: target) }
            self.properties[property.number].refusedTargets = []
        }
        // A restored row may have a dangling reference again.
        repeat {
            didRestore = false
            for property in rejecting { try reject(property) }
            while let row = removed.popLast() {
                for property in rejecting where property.targetEntity == row.entity {
                    try reject(property, to: row.id)
                }
            }
        } while didRestore
    }

    /// Rejects the owners with dangling values of a property, or, if `target` is not `nil`, those that refer to it.
    private func reject(_ property: SQLPendingProperty, to target: Int64? = nil) throws {
        var last: PendingRow?
        try forEach(property, target == nil ? .missing : .toTarget, target: target) { row in
            try connection.run(statements.deletion, .integer(row.number))
            // A row with several dangling join rows is reported once.
            if property.join != nil, let last, last.location == row.location, last.owner == row.owner { return }
            last = row
            try reject(row, of: property)
        }
    }

    /// Removes the owner of a pending row if the bulk write inserted it, or restores an updated owner to its state
    /// before its first update.
    private func reject(_ row: PendingRow, of property: SQLPendingProperty) throws {
        guard let owners = property.owners else { return }
        var stored: StoredRow?
        if row.isNew {
            stored = try writer.row(row.owner, of: owners.entity)
            // The row was removed before.
            guard stored != nil else { return }
            try connection.run(layout.deletion(owners.entity, checksVersion: false), .integer(row.owner))
            try writer.keyCache(of: owners.entity.name).remove(row.owner)
            removed.append((owners.entity.name, row.owner))
        } else {
            try restore(row, of: owners.entity)
        }
        try undo(row.owner, of: owners, isNew: row.isNew, at: row.location)
        try owners.refuse(error(row, of: property), at: row.location, note: row.note, row: stored)
    }

    /// Restores a row to its state before its first update, unless the row was inserted and then removed.
    private func restore(_ pending: PendingRow, of entity: EntityDescription) throws {
        try connection.run(layout.deletion(entity, checksVersion: false), .integer(pending.owner))
        guard connection.changes > 0 else { return }
        didRestore = true
        let row = try connection.storedRow(pending.owner, of: entity, by: statements.keptRow(entity))
        do {
            try connection.run(statements.restoring(entity), .integer(pending.owner))
        } catch var error as PersistenceError where error.code == .uniqueness {
            // Another row of the input now has the value. It is unknown which of the two rows is wrong.
            if let row { error = error.namingRow(row, entity) }
            error.location = pending.location
            throw error
        }
    }

    /// Undoes what the rejection of a row changes apart from the row itself: deletes the join rows of a new row, or
    /// restores those of an updated row, and corrects the counts.
    func undo(_ id: Int64, of owners: SQLInsertedRows, isNew: Bool, at location: RowLocation) throws {
        if writer.notesIdentifiers { owners.undoneIDs.insert(id) }
        guard isNew else {
            owners.counts.updated -= 1
            for property in properties where property.owners === owners {
                if let join = property.join { try restore(join, of: id, in: property, at: location) }
            }
            return
        }
        owners.counts.inserted -= 1
        for join in layout.model.joins {
            for (name, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)]
            where name == owners.entity.name {
                try connection.run(layout.deletion(join, ofSource: isSource), .integer(id))
            }
        }
    }

    /// Restores the join rows that an owner had before its first update.
    ///
    /// The method does not restore a join row if its other end was deleted and the owner did not insert the join row
    /// itself. Join rows that other rows have inserted since then remain. The method records the join rows that the
    /// owner inserted itself as pending again: if one of them is dangling, the previous state of the owner was invalid,
    /// too.
    private func restore(
        _ join: JoinDescription, of owner: Int64, in property: SQLPendingProperty, at location: RowLocation
    ) throws {
        let isSource = property.isSource
        guard tables.contains(statements.keptTable(join, isSource: isSource)) else { return }
        let statement = try connection.prepare(statements.kept(join, isSource: isSource))
        defer { statement.reset() }
        try statement.bind([.integer(owner)])
        guard try statement.step() else { return }
        try forget(join, of: owner, isSource: isSource)
        for side in [true, false] where side == isSource || join.isSymmetric {
            try connection.run(statements.removal(join, ofSource: side), .integer(owner))
        }
        try connection.run(statements.restoring(join, isSource: isSource), .integer(owner))
        repeat {
            let row = statement.integers(3)
            let target = row[0] == owner ? row[1] : row[0]
            guard row[2] == 1 else { continue }
            try note(PendingRow(property: property.number, owner: owner, target: target, location: location))
        } while try statement.step()
    }
}
