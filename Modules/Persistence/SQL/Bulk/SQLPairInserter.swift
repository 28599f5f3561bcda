import StrataCore
import StrataStoreKit

/// An inserter for the join rows of one many-to-many relationship.
final class SQLPairInserter: PairInserter {
    let join: JoinDescription
    let options: InsertOptions
    /// The number of the join rows among the properties with pending rows.
    private var property = 0
    /// The inserter of the entity rows whose list column contains the join rows, and whether these rows are the sources
    /// of the join rows; `nil` if the input has the join rows as separate records.
    let owners: (inserter: SQLInsertedRows, isSource: Bool)?
    var counts = InsertCounts()

    private unowned let writer: SQLRowWriter
    /// The insertion statement; `nil` after ``end()``, which frees it while the writer still has the connection.
    private var insertion: (any SQLStatement)?
    private let replacement: String
    private let sources: SQLForeignKeyCache
    private let targets: SQLForeignKeyCache

    init(
        _ join: JoinDescription, _ options: InsertOptions, owners: (inserter: SQLInsertedRows, isSource: Bool)?,
        writer: SQLRowWriter
    ) throws {
        self.join = join
        self.options = options
        self.owners = owners
        self.writer = writer
        insertion = try writer.connection.prepare(writer.layout.insertion(join, isKept: true))
        replacement = writer.layout.insertion(join)
        sources = try writer.keyCache(of: join.sourceEntity)
        targets = try writer.keyCache(of: join.targetEntity)
        property = writer.pending.add(SQLPendingProperty(join, self))
    }

    package func insert(_ pair: JoinRowInput) throws {
        guard let insertion else { throw PersistenceError.transactionIsOver }
        try writer.connection.checkInTransaction()
        let row = join.kept(pair.row)
        let values = row.values(of: join)
        try insertion.run(values)
        var isNew = pair.isOwnerNew
        if writer.connection.changes > 0 {
            counts.inserted += 1
        } else if owners == nil {
            isNew = false
            guard try options.takesAgain(pair, of: join.name, counts: &counts) else { return }
            try writer.connection.statement(replacement).run(values)
        }
        try note(row.pair, pair, isNew: isNew)
    }

    /// Records a join row whose source and target are checked after all rows are inserted.
    private func note(_ stored: JoinPair, _ pair: JoinRowInput, isNew: Bool) throws {
        let exists = try sources.exists(stored.source) && targets.exists(stored.target)
        guard !exists || writer.mayReject(join.sourceEntity) || writer.mayReject(join.targetEntity) else { return }
        let ends = owners == nil ? stored : pair.row.pair
        let isSource = owners?.isSource ?? true
        try writer.pending.note(
            PendingRow(
                property: property, owner: isSource ? ends.source : ends.target,
                target: isSource ? ends.target : ends.source, isNew: isNew, location: pair.location,
                note: Array(pair.note)))
    }

    /// Releases the statement; the inserter accepts no join rows afterwards.
    func end() { insertion = nil }
}
