/// Judges the rows of a bulk write beyond the model's rules: before they are written, where they are whole, and at the end where they kept some of what they had.
final class BulkCheck {
    private let entity: EntityDescription
    private let check: RowCheck
    private let defaults: RowDefaults
    /// Whether absent columns of a row may be those of a stored one.
    private let keepsValues: Bool
    /// The rows to read in the end; anybody of the entity may be one where it is not complete.
    private var noted = IdentifierSet(isComplete: true)

    init(_ entity: EntityDescription, _ options: InsertOptions, check: @escaping RowCheck) {
        self.entity = entity
        self.check = check
        defaults = RowDefaults(entity)
        keepsValues = options.onConflict == .update
    }

    /// Whether nothing is left to be read.
    var isDone: Bool { noted.isEmpty && noted.isComplete }

    /// Judges a row's values.
    func judge(_ values: [StoredValue], id: Int64?, at location: RowLocation) throws {
        let row = StoredRow(id: id ?? identifierRange.lowerBound, values: values)
        try judge(RowReader(ValueRowSource(row)), id: id ?? 0, at: location)
    }

    /// Judges the rows of a block that are whole, before they are written.
    func judge(_ block: RowBlock) throws {
        let source = BlockRowSource(block, defaults)
        for row in 0..<block.count where !keepsValues || !block.hasAbsent(row: row) {
            source.row = row
            try judge(RowReader(source), id: block.id(ofRow: row) ?? 0, at: block.location(ofRow: row))
        }
    }

    /// Notes the rows of a block that was written which may have kept some of their values.
    func note(_ block: RowBlock) {
        guard keepsValues else { return }
        for row in 0..<block.count where block.hasAbsent(row: row) {
            if let id = block.id(ofRow: row) { noted.insert(id) }
        }
    }

    /// Judges what was noted.
    ///
    /// - Parameter reader: Has the rows as they would be stored.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/validation`` for the first row that is refused.
    func judgeNoted(in reader: any StoreReader) throws {
        func judge(where condition: FetchCondition?) throws {
            try reader.fetch(StoreRequest(entity.name, where: condition)) { row in
                try self.judge(row, id: row.rawID, at: nil)
                return .next
            }
        }
        guard noted.isComplete else { return try judge(where: nil) }
        try noted.forEachChunk(of: Self.chunkSize) { ids in
            try judge(where: .isIn(.property("id"), ids.map(StoredValue.integer)))
        }
    }

    /// How many rows are read at once.
    private static let chunkSize = 1_000

    private func judge(_ row: RowReader, id: Int64, at location: RowLocation?) throws {
        do { try check(row) } catch {
            let failure = try PersistenceError.failure(error, id: id, of: entity.name)
            var refused = PersistenceError.refused([failure], by: entity.name, error.cause)
            refused.location = location
            throw refused
        }
    }
}

/// The rows of a block as they will be stored when they are new.
private final class BlockRowSource: RowSource {
    private let block: RowBlock
    private let defaults: RowDefaults
    /// The row that is stood on.
    var row = 0

    init(_ block: RowBlock, _ defaults: RowDefaults) {
        self.block = block
        self.defaults = defaults
    }

    /// A row that the store numbers has none yet.
    var id: Int64 { block.id(ofRow: row) ?? identifierRange.lowerBound }
    var version: Int64 { 1 }

    func value(at index: Int) throws -> StoredValue {
        guard index >= 0, index < block.columnCount else { throw ValueError("there is no column \(index)") }
        return block.value(row: row, column: index) ?? defaults.value(index)
    }
}
