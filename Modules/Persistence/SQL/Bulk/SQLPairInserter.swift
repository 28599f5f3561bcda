import StrataCore

/// Writes the pairs of one many-to-many relationship.
final class SQLPairInserter: PairInserter {
    let join: JoinDescription
    let options: InsertOptions
    /// Its number among the writer's inserters of pairs.
    let number: Int
    /// The rows in whose column the pairs stand, and whether they are the sources.
    let owners: (inserter: SQLInsertedRows, isSource: Bool)?
    var counts = InsertCounts()

    private unowned let writer: SQLRowWriter
    /// `nil` at the end: statements are given back while the connection is still the writer's.
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

    package func insert(_ pair: GivenPair) throws {
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

    /// Whether both ends of a pair are there.
    func isThere(_ ends: JoinPair) throws -> Bool {
        try sources.exists(ends.source) && targets.exists(ends.target)
    }

    /// Notes a pair that is to be looked at when all rows are there.
    private func note(_ ends: JoinPair, _ pair: GivenPair, isNew: Bool) throws {
        let isThere = try isThere(ends)
        guard !isThere || writer.mayTakeOut(join.sourceEntity) || writer.mayTakeOut(join.targetEntity) else { return }
        let owner = owners.map { $0.isSource ? pair.row.pair.source : pair.row.pair.target }
        try writer.pending.pairs.note(
            PendingPair(
                join: join, pair: ends, inserter: number, owner: owner,
                other: owners.map { $0.isSource ? pair.row.pair.target : pair.row.pair.source }, isNew: isNew,
                location: pair.location), note: pair.note)
    }

    /// Gives the statement back; no pair is taken afterwards.
    func end() { insertion = nil }
}
