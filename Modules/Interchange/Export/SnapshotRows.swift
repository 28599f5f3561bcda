import StrataCore
import StrataStoreKit

/// A reader of the rows of one snapshot that writes them as records, block by block.
struct SnapshotRows<Encoding: RecordEncoding> {
    let snapshot: any StoreSnapshot
    private let plan: ExportPlan<Encoding>
    private let related: RelatedValues?

    init(_ snapshot: any StoreSnapshot, _ plan: ExportPlan<Encoding>) throws {
        self.snapshot = snapshot
        self.plan = plan
        related =
            plan.hasPaths
            ? try RelatedValues(plan.columns, of: plan.entity, in: snapshot, hasArrays: Encoding.hasArrays) : nil
    }

    /// Writes rows to a buffer until the buffer contains a count of bytes.
    ///
    /// The count of bytes is exceeded by at most one row, or by one block of rows with related values.
    ///
    /// - Returns: The count of rows that were written, and whether there may be more rows.
    func read(
        _ cursor: any RowCursor, into buffer: inout ByteBuffer, atMost most: Int
    ) throws -> (count: Int, hasMore: Bool) {
        if let related { return try readRelated(related, cursor, into: &buffer, atMost: most) }
        var count = 0
        var raw: (any RawRowSource)?
        let encoder = plan.encoder
        let hasMore = try cursor.read { row in
            // If the first row of a store has no memory to borrow, no row has.
            if count == 0 {
                raw = row.raw
            } else if let known = raw, !row.isRead(from: known) {
                raw = row.raw
            }
            if let raw {
                try encoder.write(row, from: raw, to: &buffer)
            } else {
                try encoder.write(row, to: &buffer)
            }
            count += 1
            return buffer.count >= most ? .stop : .next
        }
        return (count, hasMore)
    }

    /// Reads blocks of rows, whose related values are looked up together.
    private func readRelated(
        _ related: RelatedValues, _ cursor: any RowCursor, into buffer: inout ByteBuffer, atMost most: Int
    ) throws -> (count: Int, hasMore: Bool) {
        var count = 0
        var hasMore = true
        while hasMore, buffer.count < most {
            var rows: [StoredRow] = []
            hasMore = try cursor.read { row in
                rows.append(try StoredRow(copying: row, columns: plan.entity.columns.count))
                return rows.count >= RelatedValues.blockSize ? .stop : .next
            }
            let values = try related.values(of: rows)
            for (row, values) in zip(rows, values) { try plan.encoder.write(values, id: row.id, to: &buffer) }
            count += rows.count
        }
        return (count, hasMore)
    }
}
