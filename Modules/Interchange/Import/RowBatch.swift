import StrataCore

/// A batch of records between the file and the store.
///
/// SAFETY: filled by one thread, then stored by another; ``ReadAhead`` transfers it under a lock, and no other code
/// retains it.
final class RowBatch: @unchecked Sendable {
    /// The maximum count of records in a batch, and the approximate maximum count of bytes in their texts.
    struct Size: Sendable {
        var records: Int
        let bytes: Int

        /// Creates the size for a count of records, with 128 bytes of texts for each.
        init(records: Int = 1024) { (self.records, bytes) = (records, records * 128) }
    }

    var block: RowBlock
    /// The problems of records that were rejected.
    var problems: [ImportProblem] = []
    /// The error that ended the reading after these records.
    var error: (any Error)?
    var isLast = false
    /// The position in the file after this batch.
    var records = 0
    var bytes = 0
    /// The fingerprint of the last record, if imports may be resumed.
    var lastRecord: UInt64 = 0
    /// The capacity of the batch.
    var size = Size()
    /// The names of the attributes in the file, for errors that are found after the record was dropped.
    var names: [String: String] = [:]

    init(of entity: EntityDescription) {
        block = RowBlock(of: entity)
    }

    func reuse() {
        block.removeAll()
        problems.removeAll(keepingCapacity: true)
        error = nil
        isLast = false
    }
}
