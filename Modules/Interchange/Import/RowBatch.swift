import StrataCore
import StrataStoreKit

/// A batch of records that one thread reads from a file and another thread stores.
///
/// SAFETY: filled by one thread, then stored by another; ``ReadAhead`` transfers it under a lock, and no other code
/// retains it.
///
/// A batch ends at its size, at a multiple of the commit interval, at the end of the file, or at an error. An error
/// does not make the records before it invalid: they are stored first.
final class RowBatch: @unchecked Sendable {
    /// The maximum count of records in a batch, and the approximate maximum count of bytes in their texts.
    struct Size: Sendable {
        var records: Int
        let bytes: Int

        /// Creates the size of a batch by its count of records, with 128 bytes of texts for each record.
        init(records: Int = 1024) { (self.records, bytes) = (records, records * 128) }
    }

    var block: RowBlock
    /// The problems of those records of the batch that were rejected.
    var problems: [ImportProblem] = []
    /// The error that ended the reading after the records of the batch; `nil` if reading continues.
    var error: (any Error)?
    var isLast = false
    /// The number of the batch's last record in the file.
    var records = 0
    var bytes = 0
    /// The fingerprint of the batch's last record, if the import may be resumed.
    var lastRecord: UInt64 = 0
    /// The maximum size up to which the batch is filled.
    var size = Size()
    /// The names of the attributes in the file, for errors that are found after the record was dropped.
    var names: [String: String] = [:]

    init(of entity: EntityDescription) {
        block = RowBlock(of: entity)
    }

    /// Removes the content, and keeps the memory for the next records.
    func reuse() {
        block.removeAll()
        problems.removeAll(keepingCapacity: true)
        error = nil
        isLast = false
    }
}
