/// An export of generated join rows, with the same bytes as an export of a store that contains them in the same order.
///
/// The join rows are written in the order of their numbers, on the calling thread. In the file, ends are identified as
/// in a file of ``StoredPairs`` without declared keys: by identifiers in the columns `source` and `target`.
public struct ProducedPairs {
    private let producer: any PairProducer
    private let options: ExportOptions

    /// Creates an export of generated join rows.
    ///
    /// The options are not validated; call ``ExportOptions/check()`` for options from a user.
    ///
    /// - Parameters:
    ///   - producer: The producer of the join rows.
    ///   - options: The export options.
    public init(_ producer: any PairProducer, options: ExportOptions) {
        self.producer = producer
        self.options = options
    }

    /// Writes the join rows to an output.
    ///
    /// The call blocks the calling thread. The output is flushed, but not closed or committed.
    ///
    /// - Parameter output: The output, which is flushed at the end.
    /// - Returns: The number of join rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `CancellationError`.
    /// - Complexity: O(*n*) in the number of join rows, in constant memory.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        try JoinExport(producer.join, options).run(to: output) { take in
            for number in 0..<producer.count { try take(producer.row(number)) }
        }
    }
}
