/// A cursor over the rows of a block, in the form in which stores return their rows.
package final class BorrowedRows: RawRowSource {
    private let block: RowBlock
    private let cells: UnsafeBufferPointer<RowBlock.Cell>
    private let bytes: UnsafeBufferPointer<UInt8>
    private let ids: UnsafeBufferPointer<Int64>
    /// The index of the current row.
    ///
    /// The exclusivity check is off because it took a twentieth of the total time. Only one thread at a time sets and
    /// reads the property.
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

    /// The version of a new row when it is stored.
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
    /// Calls a closure with a cursor over the rows; absent values are null.
    ///
    /// - Parameter body: Receives the cursor, which is valid until the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: The error that `body` throws.
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
