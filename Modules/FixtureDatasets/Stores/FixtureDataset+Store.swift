import StrataCore
public import StrataStoreKit

extension FixtureDataset {
    /// Inserts all rows into a store in one transaction; if an error occurs, no rows are stored.
    ///
    /// The identifiers are the row numbers, from 1, as in dataset files. They must not conflict with existing rows of
    /// the store.
    ///
    /// The method blocks the calling thread. It generates and inserts blocks of rows in turn, so its memory does not
    /// depend on the number of rows.
    ///
    /// The type `PreparedStack` of `StrataTesting` takes a closure that can call this method.
    ///
    /// - Parameters:
    ///   - container: A loaded container whose model is that of the dataset.
    ///   - isCancelled: A closure that is called every few thousand rows. If it returns true, the method throws
    ///     `CancellationError`.
    ///   - progress: A closure that is called every few thousand rows with the number of rows inserted since the last
    ///     call.
    ///   - willCommit: A closure that is called once after all rows are inserted and before they are committed. If it
    ///     throws an error, the transaction is rolled back.
    /// - Returns: The number of inserted rows of each entity.
    /// - Throws: `PersistenceError` with the entity and the row if an identifier or a unique value already exists in
    ///   the store; `CancellationError`; and the error of `willCommit`.
    /// - Complexity: O(*n*) in the number of rows and join rows.
    @discardableResult
    public func store(
        in container: any BulkWriting, isCancelled: () -> Bool = { false }, progress: (Int) -> Void = { _ in },
        willCommit: () throws -> Void = {}
    ) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        try container.batchWrite { writer in
            for producer in producers {
                let inserter = try writer.inserter(of: producer.entity.name)
                var block = RowBlock(of: producer.entity)
                for first in stride(from: 0, to: producer.count, by: producer.rowsInBlock) {
                    if isCancelled() { throw CancellationError() }
                    block.removeAll()
                    try producer.fill(&block, with: first..<min(first + producer.rowsInBlock, producer.count))
                    // The producer has already validated the rows.
                    let count = block.count
                    try inserter.insertValidated(&block)
                    progress(count)
                }
                counts[producer.entity.name] = producer.count
            }
            for pairs in pairs {
                for number in 0..<pairs.count {
                    if number % 4096 == 0, isCancelled() { throw CancellationError() }
                    try writer.insert(
                        pairs.row(number), of: pairs.join.name,
                        location: RowLocation(line: number + 1, record: number + 1))
                }
            }
            try willCommit()
        }
        return counts
    }
}
