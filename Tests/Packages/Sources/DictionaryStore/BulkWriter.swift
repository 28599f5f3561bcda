import StrataCore
import StrataStoreKit

/// A writer of rows of any entity on a copy of the state, which replaces the store's state at the end.
final class BulkWriter: RowWriter {
    /// A written row whose references may be dangling.
    struct Entry {
        let inserter: BulkInserter
        let id: Int64
        let isNew: Bool
        /// The references of the input row, by column.
        let targets: [Int: Int64]
        let location: RowLocation
        let note: [UInt8]
        var isRejected = false
    }

    var database: Database
    private var entries: [Entry] = []
    private var pairs: [(join: JoinDescription, pair: JoinPair, location: RowLocation)] = []
    private var isOver = false

    init(_ database: Database) {
        self.database = database
    }

    /// Ends the writer, so that later calls of it or of its inserters fail.
    func end() { isOver = true }

    func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
    }

    func note(_ entry: Entry) { entries.append(entry) }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        try checkOpen()
        return BulkInserter(try database.model.entity(named: entity), options, writer: self)
    }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try checkOpen()
        let join = try database.model.join(named: join)
        database.add(row, to: join)
        pairs.append((join, join.kept(row.pair), location))
    }

    func setMetadata(_ value: String?, forKey key: String) throws {
        try checkOpen()
        database.metadata[key] = value
    }

    func read(_ body: (any StoreReader) throws -> Void) throws {
        try checkOpen()
        let reader = DictionaryTransaction(database)
        defer { reader.isOver = true }
        try body(reader)
    }

    // MARK: References

    func checkReferences() throws {
        try checkOpen()
        while try rejectMissing() {}
        makeMissingNull()
        try throwFirstMissing()
        for (join, pair, location) in pairs where database.pairs[join.name]?[pair] != nil {
            guard let isTargetMissing = database.missingEnd(of: pair, in: join) else { continue }
            var error = PersistenceError.dangling(join, pair, isTargetMissing: isTargetMissing)
            error.location = location
            throw error
        }
        // Rows are checked only once.
        (entries, pairs) = ([], [])
    }

    /// Returns the first column whose reference of the entry is still dangling; a later row may have changed it.
    private func missingReference(_ entry: Entry) -> (column: Int, target: Int64)? {
        guard let table = database.tables[entry.inserter.entity.name], let row = table.rows[entry.id] else {
            return nil
        }
        for column in table.references {
            guard let target = entry.targets[column], row.values[column] == .integer(target),
                let destination = table.entity.columns[column].destination,
                database.row(target, of: destination) == nil
            else { continue }
            return (column, target)
        }
        return nil
    }

    /// Rejects rows with dangling references and returns `true` if there were any, because other rows may refer to
    /// them.
    private func rejectMissing() throws -> Bool {
        // Collects all dangling entries first, so that all entries that changed the same rejected row are reported.
        let missing = entries.indices.compactMap { index -> (index: Int, column: Int, target: Int64)? in
            let entry = entries[index]
            guard entry.inserter.options.onMissingReference == .reject, !entry.isRejected else { return nil }
            return missingReference(entry).map { (index, $0.column, $0.target) }
        }
        for (index, column, target) in missing {
            let entry = entries[index]
            entries[index].isRejected = true
            guard try entry.inserter.revert(entry) else { continue }
            try entry.inserter.refuse(
                .dangling(entry.inserter.entity, column, from: entry.id, to: target), at: entry.location,
                note: entry.note)
        }
        return !missing.isEmpty
    }

    private func makeMissingNull() {
        for entry in entries where entry.inserter.options.onMissingReference == .null {
            let entity = entry.inserter.entity
            while let missing = missingReference(entry), entity.columns[missing.column].isOptional {
                guard var row = database.row(entry.id, of: entity.name) else { break }
                row.values[missing.column] = .null
                database.tables[entity.name]?.put(row)
                entry.inserter.nulledReference()
            }
        }
    }

    private func throwFirstMissing() throws {
        let waiting = entries.filter { $0.inserter.options.onMissingReference != .reject }
        for entry in waiting.sorted(by: { $0.location < $1.location }) {
            guard let missing = missingReference(entry) else { continue }
            var error = PersistenceError.dangling(
                entry.inserter.entity, missing.column, from: entry.id, to: missing.target)
            error.location = entry.location
            throw error
        }
    }
}
