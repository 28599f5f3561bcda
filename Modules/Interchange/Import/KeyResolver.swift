import StrataCore

/// Finds the objects that files name by keys, and keeps what names an object that is not there yet.
///
/// An object is looked up once it is asked for, and the last ones are remembered. What comes later in the import, or never, is stood for by an
/// identifier that nothing has: where the object came by the end of the transaction its own takes that place, and otherwise the store finds
/// a reference that leads nowhere, and does with it what the options say.
///
/// Of all that is remembered only what names objects that come later grows with the import: about 150 bytes for each such reference.
final class KeyResolver {
    /// How many objects of each key are remembered, until they are forgotten all at once.
    private static let mostRemembered = 1 << 14

    /// A reference whose object was not there.
    struct Waiting {
        let entity: EntityDescription
        let owner: Int64
        let column: Int
        let value: KeyedValue
        let location: RowLocation
        let options: InsertOptions
    }

    private struct KeyName: Hashable {
        let entity: String
        let key: UniqueKey
    }

    private var known: [KeyName: [UniqueValue: Int64]] = [:]
    private var standIns: [KeyedValue: Int64] = [:]
    private var values: [Int64: KeyedValue] = [:]
    private var waiting: [Waiting] = []
    private var waitingPairs: [WaitingPair] = []
    private var refusals: [RowLocation: PersistenceError] = [:]

    /// The identifier of the object that values name; `nil` where there is none yet.
    func identifier(of value: KeyedValue, in writer: BatchWriter) throws -> Int64? {
        try identifier(value.key, value.values, in: writer)
    }

    private func identifier(_ key: ReferenceKey, _ values: [StoredValue], in writer: BatchWriter) throws -> Int64? {
        var parts: [StoredValue] = []
        for part in key.parts {
            guard let nested = part.nested else {
                parts.append(values[part.values.lowerBound])
                continue
            }
            guard let id = try identifier(nested, Array(values[part.values]), in: writer) else { return nil }
            parts.append(.integer(id))
        }
        var next = parts.makeIterator()
        guard let value = key.key.value({ _ in next.next() }) else { return nil }
        let name = KeyName(entity: key.entity.name, key: key.key)
        if let id = known[name]?[value] { return id }
        guard let id = try writer.identifier(of: key.entity, by: key.key, value) else { return nil }
        if known[name]?.count ?? 0 >= Self.mostRemembered { known[name] = [:] }
        known[name, default: [:]][value] = id
        return id
    }

    /// What stands for an object that is not there: always the same for the same one.
    ///
    /// From the upper end of what an identifier can be, where a store that counts from 1 does not come.
    func standIn(for value: KeyedValue) -> Int64 {
        if let id = standIns[value] { return id }
        let id = identifierRange.upperBound - Int64(standIns.count)
        standIns[value] = id
        values[id] = value
        return id
    }

    /// The object that an identifier stands for.
    func value(ofStandIn id: Int64) -> KeyedValue? { values[id] }

    /// Why a record could not have what it refers to, though that came.
    func refusal(at location: RowLocation) -> PersistenceError? { refusals[location] }

    func wait(_ reference: Waiting) { waiting.append(reference) }
    func wait(_ pair: WaitingPair) { waitingPairs.append(pair) }

    // MARK: - At the end of a transaction

    /// Puts identifiers in the places of what stood for them, as far as the objects came.
    func finish(_ writer: BatchWriter) throws {
        // One that was found may be part of what names another.
        var isChanged = true
        while isChanged, !waiting.isEmpty {
            isChanged = false
            var found: [(Waiting, Int64)] = []
            var rest: [Waiting] = []
            for reference in waiting {
                if let id = try identifier(of: reference.value, in: writer) {
                    found.append((reference, id))
                } else {
                    rest.append(reference)
                }
            }
            waiting = rest
            if !found.isEmpty {
                isChanged = true
                try store(found, writer)
            }
        }
        for pair in waitingPairs { try pair.store(self, writer) }
        (waiting, waitingPairs) = ([], [])
        // What is left out at the end of a transaction is there no more.
        known = [:]
    }

    private func store(_ found: [(reference: Waiting, id: Int64)], _ writer: BatchWriter) throws {
        for (_, group) in Dictionary(grouping: found, by: { $0.reference.entity.name }).sorted(by: { $0.key < $1.key })
        {
            guard let first = group.first?.reference else { continue }
            var options = first.options
            options.onConflict = .update
            options.buildsIndexesLast = false
            if options.onFailure != nil {
                // The record is told of by who stored it first: there what stood for the object leads nowhere then.
                options.onFailure = { [unowned self] failure in
                    if failure.error.code != .danglingReference { refusals[failure.location] = failure.error }
                }
            }
            let inserter = try writer.inserter(of: first.entity.name, options)
            for start in stride(from: 0, to: group.count, by: RowBatch.maximumRecords) {
                let chunk = group[start..<min(start + RowBatch.maximumRecords, group.count)]
                var block = try block(Array(chunk), writer)
                try inserter.insertValidated(&block)
            }
        }
    }

    /// The rows that still have what stood for an object: a row that was there and stayed as it was never had it, and a later record may have changed it.
    private func block(_ found: [(reference: Waiting, id: Int64)], _ writer: BatchWriter) throws -> RowBlock {
        let entity = found[0].reference.entity
        var stored: [Int64: StoredRow] = [:]
        let owners = Set(found.map(\.reference.owner)).sorted().map(StoredValue.integer)
        try writer.read { reader in
            try reader.fetch(StoreRequest(entity.name, where: .isIn(.property("id"), owners))) { row in
                stored[row.rawID] = try StoredRow(copying: row, columns: entity.columns.count)
                return .next
            }
        }
        var block = RowBlock(of: entity)
        for (reference, id) in found {
            guard let standIn = standIns[reference.value],
                stored[reference.owner]?.values[reference.column] == .integer(standIn)
            else { continue }
            block.beginRow(id: reference.owner, location: reference.location)
            block.setInteger(id, column: reference.column)
        }
        return block
    }
}
