import StrataCore

/// A writer of records to an output that collects the encoded bytes in a buffer and writes whole blocks.
///
/// Use it for records whose values are computed one after the other, such as join rows. Call ``value(_:)`` for each
/// value and ``endRecord()`` after each record, and at the end ``finish()``.
struct RecordStream<Encoding: RecordEncoding>: ~Copyable {
    let encoding: Encoding
    private let output: ByteOutput
    private var buffer = ByteBuffer(capacity: ByteOutput.defaultBlockSize)
    private var column = 0
    private(set) var count = 0

    init(_ output: ByteOutput, _ encoding: Encoding) {
        self.output = output
        self.encoding = encoding
        buffer.append(encoding.head)
    }

    /// Calls a closure that encodes the next value of the record into the buffer.
    @inline(__always)
    mutating func value<Failure: Error>(
        _ body: (Encoding, Int, inout ByteBuffer) throws(Failure) -> Void
    ) throws(Failure) {
        if column == 0 { beginRecord() }
        // Surplus values are counted but not written; the end of the record rejects them.
        if column < encoding.columnCount { try body(encoding, column, &buffer) }
        column += 1
    }

    private mutating func beginRecord() {
        let start = buffer.count
        encoding.begin(&buffer)
        if count == 0, encoding.firstRecordSkip > 0 {
            let rest = Array(buffer.bytes[(start + encoding.firstRecordSkip)...])
            buffer.truncate(to: start)
            buffer.append(rest)
        }
    }

    /// Missing values are written as null.
    ///
    /// - Throws: ``InterchangeError/Code/invalidValue`` if the record has more values than columns;
    ///   ``InterchangeError`` if writing fails.
    mutating func endRecord() throws(InterchangeError) {
        if column == 0 { beginRecord() }
        guard column <= encoding.columnCount else {
            throw InterchangeError(
                .invalidValue, source: output.name,
                message: "\(column.counted("value")) for \(encoding.columnCount.counted("column"))")
        }
        while column < encoding.columnCount {
            encoding.null(column, &buffer)
            column += 1
        }
        encoding.end(&buffer)
        column = 0
        count += 1
        if buffer.count >= ByteOutput.defaultBlockSize { try flush() }
    }

    /// Writes the end of the file, and flushes the output.
    mutating func finish() throws(InterchangeError) {
        buffer.append(encoding.tail(isEmpty: count == 0))
        try flush()
        try output.flush()
    }

    private mutating func flush() throws(InterchangeError) {
        try output.append(buffer.bytes)
        buffer.truncate(to: 0)
    }
}
