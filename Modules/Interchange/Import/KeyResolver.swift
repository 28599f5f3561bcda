import StrataCore
import StrataStoreKit

/// A resolver that finds the objects that files reference by keys, and replaces objects that do not exist yet by
/// placeholders.
///
/// An object is looked up when a record references it, and recent results are cached. If the object does not exist, a
/// placeholder represents it: an identifier that no object can have. If the object exists at the end of the
/// transaction, its identifier replaces the placeholder. Otherwise the store finds a dangling reference and handles it
/// according to the options.
///
/// The required memory grows only with the count of objects that are referenced before they are imported, and with the
/// count of waiting join rows: some hundred bytes for each. A join row waits if one of its ends does not exist yet, or,
/// rarely, if it follows a list that replaces a waiting list.
final class KeyResolver {
    /// The maximum count of cached objects of each key; the cache is cleared when it is full.
    private static let mostRemembered = 1 << 14

    /// A reference column of an entity.
    private struct Reference: Hashable {
        let entity: String
        let column: Int
    }

    private struct Owner: Hashable {
        let join: String
        let id: Int64
    }

    /// A step that is performed at the end of the transaction, in the order of the files.
    private enum WaitingStep {
        case pair(WaitingPair)
        case removal(Owner, isSource: Bool)
    }

    private struct KeyName: Hashable {
        let entity: String
        let key: UniqueKey
    }

    private var known: [KeyName: [UniqueValue: Int64]] = [:]
    private var placeholders: [KeyedValue: Int64] = [:]
    private var values: [Int64: KeyedValue] = [:]
    /// The placeholders that occur in each reference column.
    private var waiting: [Reference: Set<Int64>] = [:]
    private var entities: [String: EntityDescription] = [:]
    private var waitingSteps: [WaitingStep] = []
    /// The rows whose list columns contain waiting join rows.
    private var waitingOwners: Set<Owner> = []
    /// The relationships with join rows to be removed at the end; later join rows of them must wait too.
    private var waitingJoins: Set<String> = []
    /// Rejected objects of the import that other objects reference, by the names of their entities.
    private var leftOut: [String: [Int64: StoredRow]] = [:]
    /// The errors why references to existing objects could not be set, by placeholder.
    private var refusals: [Int64: PersistenceError] = [:]

    /// Returns the identifier of the object with key values; `nil` if it does not exist yet.
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

    /// Clears the cache of an entity, whose objects may have other keys now.
    func forget(_ entity: String) {
        for name in known.keys where name.entity == entity { known[name] = nil }
    }

    /// Returns the placeholder of an object that does not exist, which is the same for equal values.
    func placeholder(for value: KeyedValue) -> Int64 {
        if let id = placeholders[value] { return id }
        let id = ownPlaceholder(for: value)
        placeholders[value] = id
        return id
    }

    /// Returns a placeholder for one record only.
    ///
    /// It is needed for a reference that must be unique. With a shared placeholder, two records would reference the
    /// same object before it is known whether the object exists.
    func ownPlaceholder(for value: KeyedValue) -> Int64 {
        let id = -Int64(values.count) - 1
        values[id] = value
        return id
    }

    /// Returns the key values that a placeholder represents.
    func value(ofPlaceholder id: Int64) -> KeyedValue? { values[id] }

    /// Returns the error why a reference could not be set although the object of the placeholder exists.
    func refusal(ofPlaceholder id: Int64) -> PersistenceError? { refusals[id] }

    /// Records that rows with a placeholder in a reference column were stored.
    func wait(for placeholder: Int64, _ entity: EntityDescription, column: Int) {
        entities[entity.name] = entity
        waiting[Reference(entity: entity.name, column: column), default: []].insert(placeholder)
    }

    /// Stores a join row now, or at the end if one of its ends comes later or earlier steps wait.
    ///
    /// - Parameters:
    ///   - pair: The join row.
    ///   - owner: The row whose list column contains it.
    ///   - writer: The writer of the transaction.
    /// - Throws: `PersistenceError` if the join row cannot be stored.
    func store(_ pair: WaitingPair, of owner: Int64? = nil, in writer: BatchWriter) throws {
        let join = pair.inserter.join.name
        let found = try pair.found(self, writer)
        if !waitingJoins.contains(join), try found.storeIfComplete() { return }
        if let owner { waitingOwners.insert(Owner(join: join, id: owner)) }
        waitingSteps.append(.pair(found))
    }

    /// Removes the join rows of a row that gets new ones, or defers the removal to the end.
    ///
    /// If some of them wait, the removal waits too, because the store restores them if it rejects the new ones.
    func removePairs(of owner: Int64, isSource: Bool, join: String, in writer: BatchWriter) throws {
        let row = Owner(join: join, id: owner)
        guard waitingJoins.contains(join) || waitingOwners.contains(row) else {
            return try writer.rows.removePairs(of: owner, isSource: isSource, join: join)
        }
        waitingJoins.insert(join)
        waitingSteps.append(.removal(row, isSource: isSource))
    }

    // MARK: - What was left out

    /// Stores an object that was rejected although other objects reference it.
    func noteLeftOut(_ row: StoredRow, of entity: EntityDescription) {
        leftOut[entity.name, default: [:]][row.id] = row
    }

    /// Returns the key values of a rejected object; `nil` if there is none, or if a part of its key is not found.
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

    /// Replaces placeholders by identifiers if the objects exist now.
    func finish(_ writer: BatchWriter) throws {
        leftOut = [:]
        try writer.rows.writeWaitingRows()
        // A found object may be part of the key of another object, so repeat until nothing changes.
        var isChanged = true
        while isChanged, !waiting.isEmpty {
            isChanged = false
            for (reference, placeholders) in waiting {
                guard let entity = entities[reference.entity] else { continue }
                var found: [Int64: Int64] = [:]
                for placeholder in placeholders {
                    if let value = values[placeholder] { found[placeholder] = try identifier(of: value, in: writer) }
                }
                guard !found.isEmpty else { continue }
                isChanged = true
                waiting[reference] = placeholders.subtracting(found.keys)
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
        // Objects that are rejected at the end of a transaction no longer exist, so the cache is cleared.
        known = [:]
    }
}
