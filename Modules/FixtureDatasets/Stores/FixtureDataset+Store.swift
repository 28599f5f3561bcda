public import StrataCore

extension FixtureDataset {
    /// Stores all rows in one transaction: all of them or, when something is wrong, none.
    ///
    /// Identifiers are those of the datasets, from 1: what the store has already must not be in their way.
    ///
    /// - Parameters:
    ///   - container: A loaded container of the model.
    ///   - isCancelled: Asked every few thousand rows; true ends the storing with `CancellationError`.
    ///   - progress: Told every few thousand rows how many more are in.
    ///   - willCommit: Called once when all rows are in and before they are committed; what it throws takes them back.
    /// - Returns: The number of rows of each entity.
    /// - Throws: `PersistenceError` naming entity and row where an identifier or a unique value is taken, `CancellationError`.
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
                    // The producer has checked the rows already.
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
