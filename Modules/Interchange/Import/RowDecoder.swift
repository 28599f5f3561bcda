import StrataCore

/// Reads records of one dataset into blocks of rows, checked by the entity's rules.
///
/// Used by one thread at a time.
protocol RowDecoder: AnyObject {
    /// Reads records until the batch is full.
    ///
    /// - Throws: The first error of the file itself, and in ``ImportOptions/ErrorAction/stop`` of any record; rows before it are in the batch.
    func fill(_ batch: RowBatch) throws

    /// Passes over records that were dealt with before.
    ///
    /// - Throws: The first error of the file itself.
    func skip(_ records: Int) throws

    /// The line that names the columns as it stands in the file; empty where there is none.
    var header: [UInt8] { get }

    /// The number and the fingerprint of the record that was read last.
    var lastRecord: (record: Int, fingerprint: UInt64) { get }

    /// What was found out about the file.
    var findings: FileFindings { get }
}
