import StrataCore

/// A decoder that reads the records of one dataset and fills batches with validated rows.
///
/// Only one thread uses the decoder at a time.
protocol RowDecoder: AnyObject {
    /// Reads records until the batch is full.
    ///
    /// - Throws: The first error of the file itself. If the action for invalid records is
    ///   ``ImportOptions/ErrorAction/stop``, also the first error of a record. Rows before the error are in the batch.
    func fill(_ batch: RowBatch) throws

    /// Skips the records that an earlier import processed.
    ///
    /// - Throws: The first error of the file itself.
    func skip(_ records: Int) throws

    /// The verbatim bytes of the header; empty if the file has no header.
    var header: [UInt8] { get }

    /// The number and the fingerprint of the record that was read last.
    var lastRecord: (record: Int, fingerprint: UInt64) { get }

    /// The information about the file that was collected while records were read.
    var findings: FileFindings { get }
}
