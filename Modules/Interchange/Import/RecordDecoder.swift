/// A decoder of the records in one dataset, for any format.
final class RecordDecoder<Source: RecordSource & ~Copyable>: RowDecoder {
    private var source: Source
    private let input: ByteInput
    private var fingerprint: UInt64 = 0

    init(_ source: consuming Source, input: ByteInput) {
        self.source = source
        self.input = input
    }

    var header: [UInt8] { source.header }
    var findings: FileFindings { source.findings }
    var lastRecord: (record: Int, fingerprint: UInt64) { (source.record, fingerprint) }

    func fill(_ batch: RowBatch) throws {
        if source.decoding.options.isCancelled() { throw CancellationError() }
        defer {
            batch.records = source.record
            batch.bytes = input.bytesRead
            batch.names = source.names
            batch.lastRecord = fingerprint
        }
        do {
            batch.isLast = try source.fill(
                &batch.block, problems: &batch.problems, lastRecord: &fingerprint, size: batch.size)
        } catch {
            // If another process changed the file, report this instead of the error in the record.
            try input.checkUnchanged()
            throw error
        }
        try input.checkUnchanged()
    }

    func skip(_ count: Int) throws { try source.skip(to: count, lastRecord: &fingerprint) }
}
