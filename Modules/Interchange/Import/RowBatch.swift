import StrataCore

/// A number of records on their way from the file to the store.
///
/// SAFETY: filled by one thread, then stored by another; ``ReadAhead`` hands it over under a lock, and nobody keeps it.
final class RowBatch: @unchecked Sendable {
    /// The most records of a batch, and about the most bytes of their texts.
    struct Size: Sendable {
        var records: Int
        let bytes: Int

        /// Of so many records, and 128 bytes of texts for each.
        init(records: Int = 1024) { (self.records, bytes) = (records, records * 128) }
    }

    var block: RowBlock
    /// Records that were left out.
    var problems: [ImportProblem] = []
    /// What ended the reading after these records.
    var error: (any Error)?
    var isLast = false
    /// How far the file was read with this batch.
    var records = 0
    var bytes = 0
    /// The fingerprint of the last record, where imports may be resumed.
    var lastRecord: UInt64 = 0
    /// What fits.
    var size = Size()
    /// The names the attributes have in the file, for errors that are found when the record is gone.
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
