import StrataCore
import StrataStoreKit

/// Stores the records of one dataset as rows or join rows, and resolves their references.
///
/// If files reference rows by identifiers only, records are rows and are stored without changes. Otherwise keys are
/// replaced by identifiers or placeholders, and lists by join rows.
struct RecordStorage {
    let shape: DatasetShape
    let resolver: KeyResolver

    // MARK: Rows

    /// Stores records that passed validation.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - inserter: The inserter for rows of the entity.
    ///   - lists: The inserters for the join rows of the entity's list columns, in their order.
    ///   - options: The options of the inserters.
    ///   - writer: The writer of the transaction.
    /// - Throws: `PersistenceError` with the location of the first record that cannot be stored, unless the options
    ///   accept it.
    func store(
        _ records: inout RowBlock, _ inserter: BatchInserter, lists: [BatchPairInserter], _ options: InsertOptions,
        _ writer: BatchWriter
    ) throws {
        guard !shape.isPlain else {
            try inserter.insertValidated(&records)
            if options.onConflict != .abort { resolver.forget(shape.entity.name) }
            return
        }
        let mayRename = options.onConflict == .update || options.onConflict == .replace
        var rest = records
        if !lists.isEmpty, records.count > 1 {
            // Join rows are stored together with their row, so the outcome of each row must be known. For a single row
            // the counts determine the outcome; for several rows the store must report it.
            let saysOutcomes = try store(RowBlock(records, row: 0), inserter, lists, options, writer)
            rest = RowBlock(behindFirstOf: records)
            if saysOutcomes, !(mayRename && shape.refersToItself) {
                try store(rest, inserter, lists, options, writer)
                return
            }
        } else if !(mayRename && shape.refersToItself) {
            try store(records, inserter, lists, options, writer)
            return
        }
        // A record may change the key of a row, and the next record may reference the new key.
        for row in 0..<rest.count { try store(RowBlock(rest, row: row), inserter, lists, options, writer) }
    }

    /// Stores records together, and then the join rows of their list columns.
    ///
    /// - Returns: `true` if the store reports the outcome of each row.
    @discardableResult
    private func store(
        _ records: RowBlock, _ inserter: BatchInserter, _ lists: [BatchPairInserter], _ options: InsertOptions,
        _ writer: BatchWriter
    ) throws -> Bool {
        let before = inserter.counts
        let rows = try insert(records, inserter, options, writer)
        guard !lists.isEmpty else { return false }
        for row in 0..<records.count {
            let outcome =
                rows.outcomes.isEmpty ? RowOutcome(of: inserter.counts, since: before) : rows.outcomes[row]
            guard outcome != .leftOut, let id = rows.id(ofRow: row) else { continue }
            for (list, pairs) in zip(shape.lists, lists) {
                // The new join rows replace those of an existing row; a column that the file does not have changes
                // nothing.
                if outcome == .updated, records.isSet(row: row, column: list.source) {
                    try resolver.removePairs(
                        of: id, isSource: list.isSource, join: list.join.name, in: writer)
                }
                try store(list, pairs, of: records, row, owner: id, isOwnerNew: outcome == .inserted, writer)
            }
        }
        return !rows.outcomes.isEmpty
    }

    /// Inserts the rows of records, with their references resolved or replaced by placeholders.
    ///
    /// - Returns: The rows as they were stored.
    private func insert(
        _ records: RowBlock, _ inserter: BatchInserter, _ options: InsertOptions, _ writer: BatchWriter
    ) throws -> RowBlock {
        var rows = shape.rows(of: records)
        rows.reportsOutcomes = !shape.lists.isEmpty
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
                    let placeholder =
                        reference.isExclusive ? resolver.ownPlaceholder(for: value) : resolver.placeholder(for: value)
                    rows.setReference(placeholder, row: row, column: reference.column)
                    resolver.wait(for: placeholder, shape.entity, column: reference.column)
                }
            }
        }
        try inserter.insertValidated(&rows)
        if options.onConflict != .abort { resolver.forget(shape.entity.name) }
        return rows
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

    /// Stores the join rows of a dataset of join rows.
    func store(_ records: RowBlock, _ pairs: BatchPairInserter, _ writer: BatchWriter) throws {
        func column(_ name: String) -> Int? { shape.external.columnIndex(name) }
        func reference(_ name: String) -> DatasetShape.KeyedReference? {
            shape.references.first { shape.entity.columns[$0.column].name == name }
        }
        func integer(_ column: Int?, _ row: Int) -> Int64? {
            guard let column, case .integer(let value) = records.value(row: row, column: column) else { return nil }
            return value
        }
        let ends = (source: (reference("source"), column("source")), target: (reference("target"), column("target")))
        let positions = (column("sourcePosition"), column("targetPosition"))
        func end(_ end: (DatasetShape.KeyedReference?, Int?), _ row: Int) -> WaitingPair.End {
            if let reference = end.0, let value = value(reference.key, reference.sources, records, row) {
                return .keyed(value)
            }
            return .identifier(integer(end.1, row) ?? 0)
        }
        for row in 0..<records.count {
            let pair = WaitingPair(
                inserter: pairs, source: end(ends.source, row), target: end(ends.target, row),
                sourcePosition: integer(positions.0, row), targetPosition: integer(positions.1, row),
                location: records.location(ofRow: row), note: records.note(ofRow: row))
            try resolver.store(pair, in: writer)
        }
    }

    /// Stores the join rows of a list.
    private func store(
        _ listed: ListedPairs, _ pairs: BatchPairInserter, of records: RowBlock, _ row: Int, owner: Int64,
        isOwnerNew: Bool, _ writer: BatchWriter
    ) throws {
        guard case .string(let text) = records.value(row: row, column: listed.source), !text.isEmpty else { return }
        for (place, element) in try ListText.elements(text, listed).enumerated() {
            let other: WaitingPair.End
            switch (listed.key, element) {
            case (let key?, let value): other = .keyed(KeyedValue(key: key, values: [value]))
            case (nil, .integer(let id)): other = .identifier(id)
            case (nil, _): continue
            }
            var pair = WaitingPair(
                inserter: pairs, source: listed.isSource ? .identifier(owner) : other,
                target: listed.isSource ? other : .identifier(owner), location: records.location(ofRow: row),
                note: records.note(ofRow: row), isOwnerNew: isOwnerNew)
            if listed.isSource, listed.join.isSourceOrdered { pair.sourcePosition = Int64(place) }
            if !listed.isSource, listed.join.isTargetOrdered { pair.targetPosition = Int64(place) }
            try resolver.store(pair, of: owner, in: writer)
        }
    }
}
