import Foundation
import StrataCore
import StrataSQL

/// References to rows that are not there yet, in a temporary table, checked when all rows are written.
///
/// The table is the connection's own, so that a million forward references need no memory.
final class SQLitePendingReferences {
    private let layout: SQLLayout
    private let tables: SQLPendingTables
    private let connection: SQLiteConnection
    /// By itself: a statement for each reference is not to be written anew for each.
    private let insertionOfReference: String
    /// How many references were noted.
    private var count: Int64 = 0
    private var hasReferences = false
    private var hasJoins = false
    private var hasTargetIndex = false
    /// Entities of which rows are kept as they were before they were updated.
    private var keptEntities: Set<String> = []
    /// Whether a row was put back since this was last asked.
    private var havePutBack = false

    init(_ layout: SQLLayout, _ connection: SQLiteConnection) {
        self.layout = layout
        tables = SQLPendingTables(layout)
        insertionOfReference = tables.insertionOfReference
        self.connection = connection
    }

    /// Notes a reference.
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
            .boolean(reference.isNew), note.isEmpty ? .null : .binary(Data(note)))
    }

    /// Gives references another target, in the rows and in what waits.
    func redirect(_ column: Int, of entity: EntityDescription, from old: Int64, to new: Int64) throws {
        try connection.run(tables.redirection(column, of: entity), .integer(new), .integer(old))
        guard hasReferences else { return }
        if !hasTargetIndex { try connection.execute(tables.indexOfTargets) }
        hasTargetIndex = true
        try connection.run(tables.redirectionOfReferences, .integer(new), .integer(old))
    }

    /// Notes a pair with an end that is not there.
    package func note(_ pair: JoinPair, of join: JoinDescription, _ location: RowLocation) throws {
        if !hasJoins {
            for statement in tables.creationOfPairs { try connection.execute(statement) }
            hasJoins = true
        }
        try connection.run(
            tables.insertionOfPair, .integer(Int64(location.source)),
            .integer(Int64(location.record)), .integer(Int64(location.line)), .string(join.name), .integer(pair.source),
            .integer(pair.target))
    }

    /// Keeps a row as it is before its first update, so that the update can be taken back.
    func keep(_ id: Int64, of entity: EntityDescription) throws {
        if keptEntities.insert(entity.name).inserted {
            for statement in tables.creationOfKeptRows(entity) { try connection.execute(statement) }
        }
        try connection.run(tables.keeping(entity), .integer(id))
    }

    /// Does with each reference that leads nowhere what its inserter's options say.
    ///
    /// - Throws: ``PersistenceError`` for the first, in the order of the input, that is an error.
    func check(_ inserters: [SQLiteRowInserter]) throws {
        if hasReferences {
            try reject(inserters)
            try makeNull(inserters)
            try findFirst(inserters)
        }
        if hasJoins { try checkJoins() }
        if hasReferences { try connection.execute(tables.removalOfReferences) }
        if hasJoins { try connection.execute(tables.removalOfPairs) }
        for entity in layout.model.entities where keptEntities.contains(entity.name) {
            try connection.execute(tables.removalOfKeptRows(entity))
        }
        (hasReferences, hasJoins, hasTargetIndex, keptEntities) = (false, false, false, [])
    }

    // MARK: - Errors

    private func findFirst(_ inserters: [SQLiteRowInserter]) throws {
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

    /// The error of the first reference of a column that leads nowhere.
    private func firstMissing(
        _ inserter: SQLiteRowInserter, _ column: Int, _ destination: String
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

    private func forEachReference(_ inserter: SQLiteRowInserter, _ body: (Int, String) throws -> Void) throws {
        for column in inserter.entity.columns.indices {
            if let destination = inserter.entity.columns[column].destination { try body(column, destination) }
        }
    }

    private func checkJoins() throws {
        for join in layout.model.joins {
            for isTargetMissing in [false, true] {
                let statement = try connection.statement(tables.firstMissing(join, isTarget: isTargetMissing))
                defer { statement.reset() }
                try statement.bind([.string(join.name)])
                guard try statement.step() else { continue }
                let row = statement.integers(5)
                var error = PersistenceError.dangling(
                    join, JoinPair(source: row[3], target: row[4]), isTargetMissing: isTargetMissing)
                error.location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
                throw error
            }
        }
    }

    // MARK: - Null

    private func makeNull(_ inserters: [SQLiteRowInserter]) throws {
        for inserter in inserters where inserter.options.onMissingReference == .null {
            try forEachReference(inserter) { column, destination in
                guard inserter.entity.columns[column].isOptional else { return }
                try connection.run(
                    tables.nulling(column, of: inserter.entity, destination: destination),
                    .integer(Int64(inserter.number)), .integer(Int64(column)))
                inserter.counts.nulledReferences += connection.changes
            }
        }
        // Of a mandatory reference nothing can be made but an error.
        try findFirstMandatory(inserters.filter { $0.options.onMissingReference == .null })
    }

    private func findFirstMandatory(_ inserters: [SQLiteRowInserter]) throws {
        for inserter in inserters {
            try forEachReference(inserter) { column, destination in
                guard !inserter.entity.columns[column].isOptional else { return }
                if let error = try firstMissing(inserter, column, destination) { throw error }
            }
        }
    }

    // MARK: - Rejecting

    /// Takes out the rows whose references lead nowhere, and the rows that refer to those, and so on.
    private func reject(_ inserters: [SQLiteRowInserter]) throws {
        guard inserters.contains(where: { $0.options.onMissingReference == .reject }) else { return }
        if !hasTargetIndex { try connection.execute(tables.indexOfTargets) }
        hasTargetIndex = true
        // A row that was put back may lead nowhere again.
        repeat {
            havePutBack = false
            try rejectOnce(inserters)
        } while havePutBack
    }

    private func rejectOnce(_ inserters: [SQLiteRowInserter]) throws {
        var waiting: [(entity: String, id: Int64)] = []
        for inserter in inserters where inserter.options.onMissingReference == .reject {
            try forEachReference(inserter) { column, destination in
                try takeOut(inserter, column: column, .missing(destination: destination), into: &waiting)
            }
        }
        while let gone = waiting.popLast() {
            for inserter in inserters where inserter.options.onMissingReference == .reject {
                try forEachReference(inserter) { column, destination in
                    guard destination == gone.entity else { return }
                    try takeOut(inserter, column: column, .toTarget, values: [.integer(gone.id)], into: &waiting)
                }
            }
        }
    }

    private func takeOut(
        _ inserter: SQLiteRowInserter, column: Int, _ meant: SQLPendingTables.References, values: [StoredValue] = [],
        into waiting: inout [(entity: String, id: Int64)]
    ) throws {
        let statement = try SQLiteStatement(tables.selection(column, of: inserter.entity, meant), on: connection)
        defer { statement.reset() }
        try statement.bind([.integer(Int64(inserter.number)), .integer(Int64(column))] + values)
        let entity = inserter.entity
        let removal = layout.deletion(entity, checksVersion: false)
        while try statement.step() {
            let row = statement.integers(7)
            let note = SQLiteValues.read(statement.handle, 7, as: .binary)
            let location = RowLocation(source: Int(row[0]), line: Int(row[2]), record: Int(row[1]))
            if row[5] != 0 {
                try connection.run(removal, .integer(row[3]))
                guard connection.changes > 0 else { continue }
                inserter.counts.inserted -= 1
                try removePairs(of: row[3], entity)
                try inserter.writer.keyCache(of: entity.name).remove(row[3])
                waiting.append((entity.name, row[3]))
            } else {
                try putBack(row[3], of: entity, location)
                inserter.counts.updated -= 1
            }
            try connection.run(tables.deletionOfReference, .integer(row[6]))
            var bytes: [UInt8] = []
            if case .binary(let data)? = note { bytes = Array(data) }
            try inserter.refuse(.dangling(entity, column, from: row[3], to: row[4]), at: location, note: bytes)
        }
    }

    /// Makes a row what it was before its first update, unless it was new and is gone.
    private func putBack(_ id: Int64, of entity: EntityDescription, _ location: RowLocation) throws {
        try connection.run(layout.deletion(entity, checksVersion: false), .integer(id))
        guard connection.changes > 0 else { return }
        havePutBack = true
        do {
            try connection.run(tables.puttingBack(entity), .integer(id))
        } catch var error as PersistenceError where error.code == .uniqueness {
            // Another row of the input has the value meanwhile: which of the two is wrong, nobody knows.
            error.message = "object \(id): \(error.message)"
            error.location = location
            throw error
        }
    }

    private func removePairs(of id: Int64, _ entity: EntityDescription) throws {
        for join in layout.model.joins {
            for (name, isSource) in [(join.sourceEntity, true), (join.targetEntity, false)] where name == entity.name {
                try connection.run(layout.deletion(join, ofSource: isSource), .integer(id))
            }
        }
    }
}
