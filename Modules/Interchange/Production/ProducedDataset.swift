import Dispatch
import StrataCore
import StrataStoreKit

/// An export of generated rows, with the same bytes as an export of a store that contains them.
///
/// ```swift
/// let count = try ProducedDataset(producer, options: ExportOptions(format: .csv)).write(to: output)
/// ```
///
/// ``ExportOptions/readers`` threads generate parts of the file, which are concatenated in order. The bytes are the
/// same for any count of threads.
///
/// Rows are generated while they are written, so the memory does not depend on their count. Use it for test data in
/// files. To generate rows directly into a store, no dataset is needed.
///
/// ## Topics
///
/// ### Creating an export
///
/// - ``init(_:options:)``
/// - ``RowProducer``
///
/// ### Writing the rows
///
/// - ``write(to:)``
public struct ProducedDataset {
    private let producer: any RowProducer
    private let options: ExportOptions

    /// Creates an export of generated rows.
    ///
    /// - Parameters:
    ///   - producer: The producer of the rows.
    ///   - options: The export options; they must not select columns, because all columns are written.
    /// - Throws: ``InterchangeError/Code/unsupported`` for selected columns, and for options that the format does not
    ///   support.
    public init(_ producer: any RowProducer, options: ExportOptions) throws(InterchangeError) {
        try options.check()
        guard options.columns == nil else {
            throw InterchangeError(
                .unsupported, message: "columns can be chosen only for rows of a store, not for generated rows")
        }
        self.producer = producer
        self.options = options
    }

    /// Writes all rows to an output.
    ///
    /// The call blocks the calling thread until all threads are done. The output is flushed, but not closed or
    /// committed.
    ///
    /// - Parameter output: The output, which is flushed at the end.
    /// - Returns: The number of rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails or a value cannot be written, the errors of the producer,
    ///   `CancellationError`. The output may then have a part of the dataset.
    /// - Complexity: O(*n*) in the rows. The memory is that of a few blocks for each thread.
    @discardableResult
    public func write(to output: ByteOutput) throws -> Int {
        let entity = producer.entity
        let columns = ResolvedColumn.ownColumns(of: entity)
        let names = columns.map(\.name)
        if options.format.isTable {
            if let spelled = try SpelledTable.table(columns, entity, options) {
                return try write(RowEncoder(entity, columns: columns, encoding: spelled), to: output)
            }
        } else if let spelled = try SpelledTable.document(columns, entity, options) {
            return try write(RowEncoder(entity, columns: columns, encoding: spelled), to: output)
        }
        return try options.format.isTable
            ? write(RowEncoder(entity, columns: columns, encoding: TableEncoding(columns: names, options)), to: output)
            : write(
                RowEncoder(entity, columns: columns, encoding: JSONEncoding(columns: names, options.layout)), to: output
            )
    }

    private func write<Encoding: RecordEncoding>(_ encoder: RowEncoder<Encoding>, to output: ByteOutput) throws -> Int {
        let encoding = encoder.encoding
        try encoding.head.withUnsafeBufferPointer { try output.append($0) }
        let rowsInPart = max(1, producer.rowsInBlock)
        let parts = (producer.count + rowsInPart - 1) / rowsInPart
        let threads = max(1, min(options.readers, parts))
        let ordered = OrderedOutput(output, skipping: encoding.firstRecordSkip, mostAhead: 3 * threads)
        let next = Guarded(0)
        let production = Production(
            producer: producer, encoder: encoder, rowsInPart: rowsInPart, isCancelled: options.isCancelled,
            progress: options.progress)
        @Sendable func work() {
            do {
                var block = RowBlock(of: production.producer.entity)
                while let part = next.withLock({ next -> Int? in
                    guard next < parts else { return nil }
                    defer { next += 1 }
                    return next
                }), let chunk = ordered.begin(part) {
                    try production.make(part, &block, to: &chunk.buffer)
                    ordered.finish(chunk, of: part)
                }
            } catch {
                ordered.fail(error)
            }
        }
        if threads == 1 { work() } else { DispatchQueue.concurrentPerform(iterations: threads) { _ in work() } }
        if let failure = ordered.failure { throw failure }
        try output.append(encoding.tail(isEmpty: producer.count == 0))
        try output.flush()
        return producer.count
    }
}

/// The generation of the parts, which is shared by all threads.
private struct Production<Encoding: RecordEncoding>: Sendable {
    let producer: any RowProducer
    let encoder: RowEncoder<Encoding>
    let rowsInPart: Int
    let isCancelled: @Sendable () -> Bool
    let progress: @Sendable (Int) -> Void

    func make(_ part: Int, _ block: inout RowBlock, to buffer: inout ByteBuffer) throws {
        if isCancelled() { throw CancellationError() }
        block.removeAll()
        let first = part * rowsInPart
        try producer.fill(&block, with: first..<min(first + rowsInPart, producer.count))
        try block.withRows { rows in
            let reader = RowReader(rows)
            for row in 0..<block.count {
                rows.row = row
                try encoder.write(reader, from: rows, to: &buffer)
            }
        }
        progress(block.count)
    }
}
