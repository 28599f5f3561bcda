import StrataCore

/// Stores the records of one dataset: as rows, or as pairs of a many-to-many relationship, with what they name found.
struct RecordStorage {
    let shape: DatasetShape
    let resolver: KeyResolver

    // MARK: Rows

    /// Stores records that passed validation.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - inserter: Takes rows of the entity.
    ///   - options: What the inserter was made with.
    ///   - writer: The writer of the transaction.
    /// - Throws: `PersistenceError` with the location of the first record that cannot be stored, unless the options take it.
    func store(
        _ records: inout RowBlock, _ inserter: BatchInserter, _ options: InsertOptions, _ writer: BatchWriter
    ) throws {
        guard !shape.isPlain else {
            try inserter.insertValidated(&records)
            if options.onConflict != .abort { resolver.forget(shape.entity.name) }
            return
        }
        let mayRename = options.onConflict == .update || options.onConflict == .replace
        guard !shape.lists.isEmpty || (mayRename && shape.refersToItself) else {
            try insert(records, inserter, options, writer)
            return
        }
        // What a row leads to is stored where the row is: one after the other, as that is told by the counts only. And where a record may give
        // a row another key, the next one may mean that.
        for row in 0..<records.count {
            let record = RowBlock(records, row: row)
            let before = inserter.counts
            let id = try insert(record, inserter, options, writer)
            let counts = inserter.counts
            guard let id, counts.inserted + counts.updated > before.inserted + before.updated else { continue }
            for list in shape.lists {
                // What a row that was there led to gives way; a column that the file does not have changes nothing.
                if counts.updated > before.updated, record.isSet(row: 0, column: list.source) {
                    try writer.removePairs(of: id, isSource: list.isSource, join: list.join.name)
                }
                try store(list, of: record, owner: id, writer)
            }
        }
    }

    /// - Returns: The identifier of the last row.
    @discardableResult
    private func insert(
        _ records: RowBlock, _ inserter: BatchInserter, _ options: InsertOptions, _ writer: BatchWriter
    ) throws -> Int64? {
        var rows = shape.rows(of: records)
        for reference in shape.references {
            for row in 0..<records.count {
                guard reference.sources.contains(where: { records.isSet(row: row, column: $0) }) else { continue }
                guard let value = value(reference.key, reference.sources, records, row) else {
                    rows.setReference(nil, row: row, column: reference.column)
                    continue
                }
                if let id = try resolver.identifier(of: value, in: writer) {
                    rows.setReference(id, row: row, column: reference.column)
                } else {
                    let standIn = resolver.standIn(for: value)
                    rows.setReference(standIn, row: row, column: reference.column)
                    resolver.wait(for: standIn, shape.entity, column: reference.column)
                }
            }
        }
        try inserter.insertValidated(&rows)
        if options.onConflict != .abort { resolver.forget(shape.entity.name) }
        return records.count > 0 ? rows.id(ofRow: records.count - 1) : nil
    }

    private func value(_ key: ReferenceKey, _ sources: [Int], _ records: RowBlock, _ row: Int) -> KeyedValue? {
        var values: [StoredValue] = []
        for source in sources {
            guard let value = records.value(row: row, column: source), !value.isNull else { return nil }
            values.append(value)
        }
        return KeyedValue(key: key, values: values)
    }

    // MARK: Pairs

    /// Stores the pairs of a dataset of pairs.
    ///
    /// - Returns: How many there are.
    func store(_ records: RowBlock, of join: JoinDescription, _ writer: BatchWriter) throws -> Int {
        func integer(_ name: String, _ row: Int) -> Int64? {
            guard let column = shape.external.columnIndex(name),
                case .integer(let value) = records.value(row: row, column: column)
            else { return nil }
            return value
        }
        func end(_ name: String, _ row: Int) -> WaitingPair.End {
            if let reference = shape.references.first(where: { shape.entity.columns[$0.column].name == name }),
                let value = value(reference.key, reference.sources, records, row)
            {
                return .keyed(value)
            }
            return .identifier(integer(name, row) ?? 0)
        }
        for row in 0..<records.count {
            let pair = WaitingPair(
                join: join, source: end("source", row), target: end("target", row),
                sourcePosition: integer("sourcePosition", row), targetPosition: integer("targetPosition", row),
                location: records.location(ofRow: row))
            if try !pair.storeIfComplete(resolver, writer) { resolver.wait(pair) }
        }
        return records.count
    }

    /// Stores what a list names.
    private func store(
        _ listed: ListedPairs, of record: RowBlock, owner: Int64, _ writer: BatchWriter
    ) throws {
        guard case .string(let text) = record.value(row: 0, column: listed.source), !text.isEmpty else { return }
        let location = record.location(ofRow: 0)
        for (place, element) in try ListText.elements(text, listed).enumerated() {
            let other: WaitingPair.End
            switch (listed.key, element) {
            case (let key?, let value): other = .keyed(KeyedValue(key: key, values: [value]))
            case (nil, .integer(let id)): other = .identifier(id)
            case (nil, _): continue
            }
            var pair = WaitingPair(
                join: listed.join, source: listed.isSource ? .identifier(owner) : other,
                target: listed.isSource ? other : .identifier(owner), location: location)
            if listed.isSource, listed.join.isSourceOrdered { pair.sourcePosition = Int64(place) }
            if !listed.isSource, listed.join.isTargetOrdered { pair.targetPosition = Int64(place) }
            if try !pair.storeIfComplete(resolver, writer) { resolver.wait(pair) }
        }
    }
}
