package import StrataCore

/// An inserter of the join rows of one many-to-many relationship in a ``BatchWriter``'s batch.
package final class BatchPairInserter {
    /// The join table of the relationship.
    package let join: JoinDescription
    private let pairs: any PairInserter
    private let batchCounts: BatchCounts

    init(_ join: JoinDescription, _ pairs: any PairInserter, _ batchCounts: BatchCounts) {
        self.join = join
        self.pairs = pairs
        self.batchCounts = batchCounts
    }

    /// The counts of the join rows so far, by their outcome; missing ends are found only at the end of the batch.
    package var counts: InsertCounts { pairs.counts }

    /// Inserts a join row; see ``PairInserter/insert(_:)``.
    package func insert(_ pair: JoinRowInput) throws {
        try pairs.insert(pair)
        try batchCounts.note(pair.row.pair, of: join.name)
    }
}

extension BatchWriter {
    /// Returns an inserter of join rows, valid until the end of the batch.
    ///
    /// See ``RowWriter/pairInserter(of:_:owners:)``.
    package func pairInserter(
        of join: JoinDescription, _ options: InsertOptions, owners: (inserter: BatchInserter, isSource: Bool)? = nil
    ) throws -> BatchPairInserter {
        let owners = owners.map { PairOwners($0.inserter.rows, isSource: $0.isSource) }
        return BatchPairInserter(
            join, try rows.pairInserter(of: join.name, options, owners: owners), batchCounts)
    }
}
