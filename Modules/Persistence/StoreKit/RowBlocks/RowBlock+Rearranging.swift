package import StrataCore

extension RowBlock {
    /// Creates a block from the rows of another block, with the columns of another entity.
    ///
    /// The identifiers, locations, notes and copied values of the rows do not change.
    ///
    /// - Parameters:
    ///   - block: The block with the rows.
    ///   - entity: The entity whose columns the new block has.
    ///   - sources: For each column of `entity`, the index of the column in `block` from which values of the same type
    ///     are copied; `nil` for a column that is absent in the new rows.
    package init(_ block: RowBlock, as entity: EntityDescription, columns sources: [Int?]) {
        self.init(of: entity)
        (bytes, ids) = (block.bytes, block.ids)
        takePlaces(of: block)
        cells.reserveCapacity(ids.count * sources.count)
        for row in ids.indices {
            let start = row * block.columnCount
            for source in sources { cells.append(source.map { block.cells[start + $0] } ?? .absent) }
        }
    }

    /// Sets the reference in a column of a row to an identifier, or to null if the identifier is `nil`.
    package mutating func setReference(_ id: Int64?, row: Int, column: Int) {
        cells[row * columnCount + column] = id.map { Cell(bits: $0, kind: .integer) } ?? Cell(bits: 0, kind: .null)
    }

    /// Returns a Boolean value that indicates whether a column of a row was set to a value or to null.
    package func isSet(row: Int, column: Int) -> Bool { cells[row * columnCount + column].kind != .absent }
}

extension RowBlock {
    /// Creates a block from all rows of another block except the first row.
    package init(behindFirstOf block: RowBlock) {
        self.init(like: block)
        bytes = block.bytes
        ids = Array(block.ids.dropFirst())
        cells = Array(block.cells.dropFirst(columnCount))
        takePlaces(of: block, behindFirst: true)
    }

    /// Creates a block from one row of another block.
    package init(_ block: RowBlock, row: Int) {
        self.init(like: block)
        beginRow(id: block.id(ofRow: row), location: block.location(ofRow: row))
        for column in 0..<columnCount {
            if let value = block.value(row: row, column: column) { set(value, column: column) }
        }
        let note = block.note(ofRow: row)
        if !note.isEmpty { note.withUnsafeBufferPointer { setNote($0.span) } }
    }
}
