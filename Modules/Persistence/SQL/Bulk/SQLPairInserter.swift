import StrataCore
import StrataStoreKit

/// An inserter for the join rows of one many-to-many relationship.
final class SQLPairInserter: PairInserter {
    let join: JoinDescription
    let options: InsertOptions
    /// The position of this inserter in the bulk writer's list of join-row inserters.
    let number: Int
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
        number: Int, writer: SQLRowWriter
    ) throws {
        self.join = join
        self.options = options
        self.owners = owners
        self.number = number
        self.writer = writer
        insertion = try writer.connection.prepare(writer.layout.insertion(join, isKept: true))
        replacement = writer.layout.insertion(join)
        sources = try writer.keyCache(of: join.sourceEntity)
        targets = try writer.keyCache(of: join.targetEntity)
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

    /// Returns a Boolean value that indicates whether the source row and the target row of a join row exist.
    func exists(_ ends: JoinPair) throws -> Bool {
        try sources.exists(ends.source) && targets.exists(ends.target)
    }

    /// Records a join row whose source and target are checked after all rows are inserted.
    private func note(_ ends: JoinPair, _ pair: JoinRowInput, isNew: Bool) throws {
        let exists = try exists(ends)
        guard !exists || writer.mayReject(join.sourceEntity) || writer.mayReject(join.targetEntity) else { return }
        let owner = owners.map { $0.isSource ? pair.row.pair.source : pair.row.pair.target }
        try writer.pending.pairs.note(
            PendingPair(
                join: join, pair: ends, inserter: number, owner: owner,
                other: owners.map { $0.isSource ? pair.row.pair.target : pair.row.pair.source }, isNew: isNew,
                location: pair.location), note: pair.note)
    }

    /// Releases the statement; the inserter accepts no join rows afterwards.
    func end() { insertion = nil }
}
