package import StrataCore

/// A cursor over the rows of a ``RowBlock``, in the form in which stores return rows.
package final class BorrowedRows: RawRowSource {
    private let block: RowBlock
    private let cells: UnsafeBufferPointer<RowBlock.Cell>
    private let bytes: UnsafeBufferPointer<UInt8>
    private let ids: UnsafeBufferPointer<Int64>
    /// The index of the current row in the block.
    ///
    /// The exclusivity check is disabled because it took a twentieth of the total time. Only one thread at a time sets
    /// and reads the property.
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

    /// The version that a new row gets when it is stored: 1.
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
    /// Calls a closure with a cursor over the rows of the block; absent values are null.
    ///
    /// - Parameter body: A closure that receives the cursor, which is valid until the closure returns.
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
