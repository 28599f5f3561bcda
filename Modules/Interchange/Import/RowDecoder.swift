import StrataCore

/// A reader of the records in one dataset that fills blocks with validated rows.
///
/// It is used by one thread at a time.
protocol RowDecoder: AnyObject {
    /// Reads records until the batch is full.
    ///
    /// - Throws: The first error of the file itself, and with ``ImportOptions/ErrorAction/stop`` of any record; rows
    ///   before it are in the batch.
    func fill(_ batch: RowBatch) throws

    /// Skips records that were processed before.
    ///
    /// - Throws: The first error of the file itself.
    func skip(_ records: Int) throws

    /// The verbatim header line; empty if there is none.
    var header: [UInt8] { get }

    /// The number and the fingerprint of the record that was read last.
    var lastRecord: (record: Int, fingerprint: UInt64) { get }

    /// The information about the file that was collected.
    var findings: FileFindings { get }
}
