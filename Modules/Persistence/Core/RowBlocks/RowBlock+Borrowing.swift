/// The rows of a block, borrowed one after the other in the form in which stores give theirs.
package final class BorrowedRows: RawRowSource {
    private let block: RowBlock
    private let cells: UnsafeBufferPointer<RowBlock.Cell>
    private let bytes: UnsafeBufferPointer<UInt8>
    private let ids: UnsafeBufferPointer<Int64>
    /// The row that is stood on.
    ///
    /// Unchecked, as looking for overlapping accesses took a twentieth of the whole; it is set and read by one thread, in turn.
    @exclusivity(unchecked) package var row = 0

    fileprivate init(
        _ block: RowBlock, cells: UnsafeBufferPointer<RowBlock.Cell>, bytes: UnsafeBufferPointer<UInt8>,
        ids: UnsafeBufferPointer<Int64>
    ) {
        self.block = block
        self.cells = cells
        self.bytes = bytes
        self.ids = ids
    }

    package var id: Int64 { ids[row] }

    /// New rows have their first version when they are stored.
    package var version: Int64 { 1 }

    package func value(at index: Int) -> StoredValue { block.value(row: row, column: index) ?? .null }

    package func raw(at index: Int) -> RawValue {
        let cell = cells[row * block.columnCount + index]
        switch cell.kind {
        case .absent, .null: return .null
        case .integer: return .integer(cell.bits)
        case .real: return .real(cell.real)
        case .text: return .text(UnsafeBufferPointer(rebasing: bytes[cell.range]))
        case .blob: return .blob(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[cell.range])))
        }
    }
}

extension RowBlock {
    /// Gives the rows; absent values are null.
    ///
    /// - Parameter body: Takes the rows, valid until it returns.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package func withRows<Result>(_ body: (BorrowedRows) throws -> Result) rethrows -> Result {
        try cells.withUnsafeBufferPointer { cells in
            try bytes.withUnsafeBufferPointer { bytes in
                try ids.withUnsafeBufferPointer { ids in
                    try body(BorrowedRows(self, cells: cells, bytes: bytes, ids: ids))
                }
            }
        }
    }
}
