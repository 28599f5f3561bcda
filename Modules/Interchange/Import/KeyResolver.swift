import StrataCore

/// Finds the objects that files name by keys, and keeps what names an object that is not there yet.
///
/// An object is looked up once it is asked for, and the last ones are remembered. What comes later in the import, or never, is stood for by an
/// identifier that no object can have: where the object came by the end of the transaction its own takes that place, and otherwise the store
/// finds a reference that leads nowhere, and does with it what the options say.
///
/// Of all that is remembered only the objects that come later, and pairs that wait, grow with the import: some hundred bytes for each. A pair waits for an end
/// that comes later, and behind a list that takes the place of one that waits, which is rare.
final class KeyResolver {
    /// How many objects of each key are remembered, until they are forgotten all at once.
    private static let mostRemembered = 1 << 14

    /// A column of references.
    private struct Reference: Hashable {
        let entity: String
        let column: Int
    }

    private struct Owner: Hashable {
        let join: String
        let id: Int64
    }

    /// What is done at the end, in the order of the files.
    private enum WaitingStep {
        case pair(WaitingPair)
        case removal(Owner, isSource: Bool)
    }

    private struct KeyName: Hashable {
        let entity: String
        let key: UniqueKey
    }

    private var known: [KeyName: [UniqueValue: Int64]] = [:]
    private var standIns: [KeyedValue: Int64] = [:]
    private var values: [Int64: KeyedValue] = [:]
    /// Which columns lead to what stands for an object.
    private var waiting: [Reference: Set<Int64>] = [:]
    private var entities: [String: EntityDescription] = [:]
    private var waitingSteps: [WaitingStep] = []
    /// The rows in whose columns pairs stand that wait.
    private var waitingOwners: Set<Owner> = []
    /// The relationships of which pairs are removed at the end: what comes behind that waits, too.
    private var waitingJoins: Set<String> = []
    /// Objects of the import that were left out though others had been led to them, by the names of their entities.
    private var leftOut: [String: [Int64: StoredRow]] = [:]
    /// Why references cannot lead to what came.
    private var refusals: [Int64: PersistenceError] = [:]

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

    /// Forgets what is known of an entity's objects: some of them may have other keys now.
    func forget(_ entity: String) {
        for name in known.keys where name.entity == entity { known[name] = nil }
    }

    /// What stands for an object that is not there: always the same for the same one, and never an identifier.
    func standIn(for value: KeyedValue) -> Int64 {
        if let id = standIns[value] { return id }
        let id = ownStandIn(for: value)
        standIns[value] = id
        return id
    }

    /// What stands for an object for one record alone: where no two may refer to the same one they would have the same before it is known whether it is
    /// there.
    func ownStandIn(for value: KeyedValue) -> Int64 {
        let id = -Int64(values.count) - 1
        values[id] = value
        return id
    }

    /// The object that a number stands for.
    func value(ofStandIn id: Int64) -> KeyedValue? { values[id] }

    /// Why a reference could not lead to what a number stands for, though that came.
    func refusal(ofStandIn id: Int64) -> PersistenceError? { refusals[id] }

    /// Notes that rows were stored which lead to what stands for an object.
    func wait(for standIn: Int64, _ entity: EntityDescription, column: Int) {
        entities[entity.name] = entity
        waiting[Reference(entity: entity.name, column: column), default: []].insert(standIn)
    }

    /// Stores a pair, now or at the end: where an end of it is to come, or what is before it waits.
    ///
    /// - Parameters:
    ///   - pair: The pair.
    ///   - owner: The row in whose column it stands.
    ///   - writer: The writer of the transaction.
    /// - Throws: `PersistenceError` where the pair cannot be stored.
    func store(_ pair: WaitingPair, of owner: Int64? = nil, in writer: BatchWriter) throws {
        let join = pair.inserter.join.name
        let found = try pair.found(self, writer)
        if !waitingJoins.contains(join), try found.storeIfComplete() { return }
        if let owner { waitingOwners.insert(Owner(join: join, id: owner)) }
        waitingSteps.append(.pair(found))
    }

    /// Removes the pairs of a row, which gets others: at the end where some of them wait, as the row has them again where the others are left out.
    func removePairs(of owner: Int64, isSource: Bool, join: String, in writer: BatchWriter) throws {
        let row = Owner(join: join, id: owner)
        guard waitingJoins.contains(join) || waitingOwners.contains(row) else {
            return try writer.rows.removePairs(of: owner, isSource: isSource, join: join)
        }
        waitingJoins.insert(join)
        waitingSteps.append(.removal(row, isSource: isSource))
    }

    // MARK: - What was left out

    /// Notes an object that was left out when others had been led to it.
    func noteLeftOut(_ row: StoredRow, of entity: EntityDescription) {
        leftOut[entity.name, default: [:]][row.id] = row
    }

    /// What files call an object that was left out; `nil` where none was, or a part of its name cannot be found any more.
    func name(ofLeftOut id: Int64, by key: ReferenceKey, in writer: BatchWriter?) throws -> KeyedValue? {
        guard let row = leftOut[key.entity.name]?[id], let values = try keyValues(of: row, key, in: writer) else {
            return nil
        }
        return KeyedValue(key: key, values: values)
    }

    private func keyValues(of row: StoredRow, _ key: ReferenceKey, in writer: BatchWriter?) throws -> [StoredValue]? {
        var found = [StoredValue](repeating: .null, count: key.values.count)
        for (part, column) in zip(key.parts, key.key.columns) {
            guard let nested = part.nested else {
                found[part.values.lowerBound] = row.values[column]
                continue
            }
            guard case .integer(let id) = row.values[column] else { return nil }
            var inner = values[id]?.values
            if inner == nil,
                let row = try leftOut[nested.entity.name]?[id] ?? writer?.rows.row(id, of: nested.entity)
            {
                inner = try keyValues(of: row, nested, in: writer)
            }
            guard let inner else { return nil }
            for (place, value) in zip(part.values, inner) { found[place] = value }
        }
        return found
    }

    // MARK: - At the end of a transaction

    /// Puts identifiers in the places of what stood for them, as far as the objects came.
    func finish(_ writer: BatchWriter) throws {
        leftOut = [:]
        try writer.rows.writeWaitingRows()
        // One that was found may be part of what names another.
        var isChanged = true
        while isChanged, !waiting.isEmpty {
            isChanged = false
            for (reference, standIns) in waiting {
                guard let entity = entities[reference.entity] else { continue }
                var found: [Int64: Int64] = [:]
                for standIn in standIns {
                    if let value = values[standIn] { found[standIn] = try identifier(of: value, in: writer) }
                }
                guard !found.isEmpty else { continue }
                isChanged = true
                waiting[reference] = standIns.subtracting(found.keys)
                refusals.merge(
                    try writer.rows.redirectReferences(of: entity, column: reference.column, found)
                ) { first, _ in first }
            }
        }
        for step in waitingSteps {
            switch step {
            case .pair(let pair): try pair.store(self, writer)
            case .removal(let owner, let isSource):
                try writer.rows.removePairs(of: owner.id, isSource: isSource, join: owner.join)
            }
        }
        (waiting, waitingSteps, waitingOwners, waitingJoins) = ([:], [], [], [])
        // What is left out at the end of a transaction is there no more.
        known = [:]
    }
}
