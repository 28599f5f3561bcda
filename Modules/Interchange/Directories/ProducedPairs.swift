/// Writes pairs that are made, not read: the same bytes as an export of a store that has them in that order.
public struct ProducedPairs {
    private let producer: any PairProducer
    private let options: ExportOptions

    /// Prepares a dataset of pairs.
    ///
    /// - Parameters:
    ///   - producer: What makes the pairs.
    ///   - options: How they are written.
    public init(_ producer: any PairProducer, options: ExportOptions) {
        self.producer = producer
        self.options = options
    }

    /// Writes the pairs.
    ///
    /// - Parameter output: Where they go; flushed at the end.
    /// - Returns: The number of pairs.
    /// - Throws: ``InterchangeError`` when writing fails, `CancellationError`.
    /// - Complexity: O(*n*) in the pairs, in constant memory.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        try JoinExport(producer.join, options).run(to: output) { take in
            for number in 0..<producer.count { try take(producer.row(number)) }
        }
    }
}
