import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random writes to an in-memory store and an SQLite store: saves, bulk inserts, transactions, valid and invalid ones,
/// and copies.
struct EstateWalk {
    struct Stop: Error {}

    let model: ManagedObjectModel
    let disk: any PersistentStore
    private(set) var memory: InMemoryStore
    /// Copies and the originals of copies, with the rows that they must keep.
    private var kept: [(store: InMemoryStore, rows: [String: [StoredRow]])] = []
    var random: SeededGenerator

    init(_ model: ManagedObjectModel, seed: UInt64, in folder: TemporaryFolder) throws {
        self.model = model
        memory = InMemoryStore(model: model)
        disk = try StoreKind.sqlite.open(model, in: folder)
        random = SeededGenerator(seed: seed)
    }

    var stores: [any PersistentStore] { [memory, disk] }

    private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    private mutating func id(_ limit: Int64 = 40) -> Int64 { .random(in: 1...limit, using: &random) }

    // MARK: Steps

    /// Applies one step to both stores, which must both accept or both reject it.
    mutating func step() throws {
        switch number(12) {
        case 0...5:
            let edits = edits()
            try both { try save(edits, to: $0, as: $0.save) }
        case 6, 7: try bulk()
        case 8, 9: try transaction()
        case 10: try copy()
        default: try number(4) == 0 ? clear() : fill()
        }
    }

    private func both(_ body: (any PersistentStore) throws -> Void) throws {
        func isDone(_ store: any PersistentStore) throws -> Bool {
            do {
                try body(store)
                return true
            } catch is Stop {
                return false
            } catch let error as PersistenceError where error.code == .uniqueness || error.code == .danglingReference {
                return false
            }
        }
        let (inMemory, onDisk) = (try isDone(memory), try isDone(disk))
        #expect(inMemory == onDisk)
    }

    private mutating func bulk() throws {
        let actions = InsertOptions.ConflictAction.allCases
        var options = InsertOptions(
            onConflict: actions[number(actions.count)], buildsIndexesLast: number(4) > 0)
        options.onMissingReference = number(2) == 0 ? .null : .reject
        options.onFailure = { _ in }
        let stops = number(5) == 0
        let rows = (0..<number(12)).map { _ in (number(2) == 0 ? id() : nil, houseValues()) }
        let streets: [(Int64?, [StoredValue])] = [(id(8), [.string("b")])]
        let pairs = (0..<number(3)).map { _ in JoinRow(JoinPair(source: id(), target: id())) }
        try both { store in
            try store.writeRows { writer in
                try Self.insert(rows, "House", options, writer)
                var options = options
                options.onConflict = .update
                try Self.insert(streets, "Street", options, writer)
                for (number, pair) in pairs.enumerated() {
                    try writer.insert(
                        pair, of: "House_neighbours", location: RowLocation(line: 1, record: 1_000 + number))
                }
                if stops { throw Stop() }
            }
        }
    }

    /// Inserts many rows, so that indexes have more than one chunk.
    private mutating func fill() throws {
        let rows = (0..<number(700)).map { _ in (Int64?.none, houseValues(withCode: false)) }
        let options = InsertOptions(onMissingReference: .null)
        try both { store in try store.writeRows { try Self.insert(rows, "House", options, $0) } }
    }

    private static func insert(
        _ rows: [(id: Int64?, values: [StoredValue])], _ entity: String, _ options: InsertOptions,
        _ writer: any RowWriter
    ) throws {
        let inserter = try writer.inserter(of: entity, options)
        for (number, row) in rows.enumerated() {
            try inserter.insert(
                id: row.id, values: row.values, location: RowLocation(line: number + 1, record: number + 1))
        }
    }

    private mutating func transaction() throws {
        let saves = (0..<number(3) + 1).map { _ in edits() }
        let end = number(4)
        try both { store in
            try store.transaction { transaction in
                for edits in saves { try save(edits, to: transaction, as: transaction.save) }
                if end == 0 { throw Stop() }
                return end == 1 ? .rollBack : .commit
            }
        }
    }

    private mutating func copy() throws {
        let copy = try memory.copy()
        let isKept = number(2) == 0
        kept.append((isKept ? copy : memory, try rows(of: memory)))
        if !isKept { memory = copy }
    }

    private mutating func clear() throws {
        try both { store in
            var changes = ChangeSet()
            changes["House"].deletions = try store.rows(StoreRequest("House"))
                .map { .init(id: $0.id, expectedVersion: $0.version) }
            _ = try store.save(changes)
        }
    }

    // MARK: Changes

    /// The changes of a save by identifiers; each store has its own versions.
    private struct Edits {
        var insertions: [String: [Int64: [StoredValue]]] = [:]
        var updates: [Int64: [Int: StoredValue]] = [:]
        var deletions: [String: Set<Int64>] = [:]
        var pairs: (removed: [JoinPair], added: [JoinPair]) = ([], [])
        var isStale = false
    }

    private mutating func edits() -> Edits {
        var edits = Edits()
        for _ in 0...number(6) {
            switch number(9) {
            case 0, 1, 2: edits.insertions["House", default: [:]][id()] = houseValues()
            case 3: edits.insertions["Street", default: [:]][id(8)] = [.string(number(2) == 0 ? "a" : "b")]
            case 4: edits.insertions["Keyholder", default: [:]][id(12)] = [.string("Ada")]
            case 5:
                var changes: [Int: StoredValue] = [:]
                for _ in 0...number(3) {
                    let column = number(8)
                    changes[column] = EstateConditions.value(column, &random)
                }
                edits.updates[id()] = changes
            case 6: edits.deletions[["House", "Street", "Keyholder"][number(3)], default: []].insert(id(12))
            case 7: edits.deletions["House", default: []].insert(id())
            default:
                edits.pairs.added.append(JoinPair(source: id(), target: id()))
                edits.pairs.removed.append(JoinPair(source: id(), target: id()))
            }
        }
        edits.isStale = number(10) == 0
        return edits
    }

    private mutating func houseValues(withCode: Bool = true) -> [StoredValue] {
        (0..<8).map { column in
            let isUnique = column == Estate.Column.code || column == Estate.Column.keyholder
            // If there are many, most saves would fail for unique values and dangling references.
            if isUnique, !withCode || number(3) > 0 { return .null }
            if column == Estate.Column.annexOf || column == Estate.Column.street, number(3) > 0 { return .null }
            return EstateConditions.value(column, &random)
        }
    }

    /// Saves valid changes: inserts new rows and changes existing ones.
    private func save(
        _ edits: Edits, to reader: any StoreReader, as save: (ChangeSet) throws -> [StoreConflict]
    ) throws {
        var changes = ChangeSet()
        for entity in model.entities.map(\.name) {
            let rows = Dictionary(uniqueKeysWithValues: try reader.rows(StoreRequest(entity)).map { ($0.id, $0) })
            let deleted = (edits.deletions[entity] ?? []).filter { rows[$0] != nil }
            changes[entity].deletions = deleted.sorted()
                .map { .init(id: $0, expectedVersion: (rows[$0]?.version ?? 0) + (edits.isStale ? 1 : 0)) }
            changes[entity].insertions = (edits.insertions[entity] ?? [:]).sorted { $0.key < $1.key }
                .filter { rows[$0.key] == nil }.map { .init(id: $0.key, values: $0.value) }
            guard entity == "House" else { continue }
            for (id, columns) in edits.updates.sorted(by: { $0.key < $1.key }) where !deleted.contains(id) {
                guard let row = rows[id] else { continue }
                var values = row.values
                for (column, value) in columns { values[column] = value }
                changes[entity].updates.append(
                    .init(
                        id: id, expectedVersion: row.version, values: values, changedColumns: columns.keys.sorted()))
            }
        }
        changes.joins["House_neighbours"] = JoinChanges()
        changes.joins["House_neighbours"]?.removed = edits.pairs.removed
        changes.joins["House_neighbours"]?.added = edits.pairs.added.map { JoinRow($0) }
        let conflicts = try save(changes)
        let staleCount = edits.isStale ? changes.entities.values.map(\.deletions.count).reduce(0, +) : 0
        #expect(conflicts.count == staleCount)
    }

    // MARK: What the stores have

    func rows(of reader: any StoreReader) throws -> [String: [StoredRow]] {
        var rows: [String: [StoredRow]] = [:]
        for entity in model.entities { rows[entity.name] = try reader.rows(StoreRequest(entity.name)) }
        return rows
    }

    /// Expects that both stores have the same rows except for versions, and that the copies are unchanged.
    func check(_ comment: Comment) throws {
        let (inMemory, onDisk) = (try rows(of: memory), try rows(of: disk))
        for entity in model.entities.map(\.name) {
            #expect(inMemory[entity]?.map(\.id) == onDisk[entity]?.map(\.id), comment)
            #expect(inMemory[entity]?.map(\.values) == onDisk[entity]?.map(\.values), comment)
        }
        let pairs = try stores.map { try $0.joins(JoinRequest("House_neighbours")) }
        #expect(pairs[0] == pairs[1], comment)
    }

    /// Returns the copies and originals that are not written any more.
    func keptStores() -> [InMemoryStore] { kept.map(\.store) }

    func checkKept(_ comment: Comment) throws {
        for (store, expected) in kept { #expect(try rows(of: store) == expected, comment) }
    }
}
