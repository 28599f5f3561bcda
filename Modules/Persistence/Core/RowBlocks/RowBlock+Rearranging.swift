extension RowBlock {
    /// Creates a block with the rows of another block as rows of an entity with other columns.
    ///
    /// The values, identifiers, locations and notes do not change.
    ///
    /// - Parameters:
    ///   - block: The rows.
    ///   - entity: The entity of the new rows.
    ///   - sources: For each column of `entity`, the column of `block` with its values, which have the same type; `nil`
    ///       for an absent column.
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

    /// Sets a reference column of a row.
    package mutating func setReference(_ id: Int64?, row: Int, column: Int) {
        cells[row * columnCount + column] = id.map { Cell(bits: $0, kind: .integer) } ?? Cell(bits: 0, kind: .null)
    }

    /// Returns a Boolean value that indicates whether a column of a row was set, including to null.
    package func isSet(row: Int, column: Int) -> Bool { cells[row * columnCount + column].kind != .absent }
}

extension RowBlock {
    /// Creates a block with all rows of a block except the first.
    package init(behindFirstOf block: RowBlock) {
        self.init(like: block)
        bytes = block.bytes
        ids = Array(block.ids.dropFirst())
        cells = Array(block.cells.dropFirst(columnCount))
        takePlaces(of: block, behindFirst: true)
    }

    /// Creates a block with one row of a block.
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
