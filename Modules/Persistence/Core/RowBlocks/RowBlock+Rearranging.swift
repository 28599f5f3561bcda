extension RowBlock {
    /// The rows of another block as rows of an entity with other columns: the values stay as they are, and so do identifiers, locations and notes.
    ///
    /// - Parameters:
    ///   - block: The rows.
    ///   - entity: The entity they become rows of.
    ///   - sources: For each of its columns the column of `block` that has its values, which are of the same type; `nil` leaves it absent.
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

    /// Sets a reference of any row.
    package mutating func setReference(_ id: Int64?, row: Int, column: Int) {
        cells[row * columnCount + column] = id.map { Cell(bits: $0, kind: .integer) } ?? Cell(bits: 0, kind: .null)
    }

    /// Whether a column of a row was set, be it to null.
    package func isSet(row: Int, column: Int) -> Bool { cells[row * columnCount + column].kind != .absent }
}

extension RowBlock {
    /// All rows of a block but the first.
    package init(behindFirstOf block: RowBlock) {
        self.init(like: block)
        bytes = block.bytes
        ids = Array(block.ids.dropFirst())
        cells = Array(block.cells.dropFirst(columnCount))
        takePlaces(of: block, behindFirst: true)
    }

    /// One row of a block by itself.
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
