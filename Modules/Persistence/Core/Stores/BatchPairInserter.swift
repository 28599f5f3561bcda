/// Takes the pairs of one many-to-many relationship in a batch.
package final class BatchPairInserter {
    /// The join table.
    package let join: JoinDescription
    private let pairs: any PairInserter
    private let batchCounts: BatchCounts

    init(_ join: JoinDescription, _ pairs: any PairInserter, _ batchCounts: BatchCounts) {
        self.join = join
        self.pairs = pairs
        self.batchCounts = batchCounts
    }

    /// What became of the pairs so far; their ends are checked at the end only.
    package var counts: InsertCounts { pairs.counts }

    /// Adds a pair; see ``PairInserter/insert(_:)``.
    package func insert(_ pair: GivenPair) throws {
        try pairs.insert(pair)
        try batchCounts.note(pair.row.pair, of: join.name)
    }
}

extension BatchWriter {
    /// An inserter of pairs, valid as long as the batch; see ``RowWriter/pairInserter(of:_:owners:)``.
    package func pairInserter(
        of join: JoinDescription, _ options: InsertOptions, owners: (inserter: BatchInserter, isSource: Bool)? = nil
    ) throws -> BatchPairInserter {
        let owners = owners.map { PairOwners($0.inserter.rows, isSource: $0.isSource) }
        return BatchPairInserter(
            join, try rows.pairInserter(of: join.name, options, owners: owners), batchCounts)
    }
}
