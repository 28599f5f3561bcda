import StrataPersistence
import StrataStoreKit
import Synchronization

extension BrokenStore {
    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        let ids = changes.entities.values.flatMap { $0.insertions.map(\.id) }
        order.withLock { $0 += ids }
        switch fault {
        case .ignoresVersions: return try base.save(try changes.expectingCurrentVersions(of: base))
        case .missingIsNeverReported: return try base.save(changes.allowingMissing())
        case .missingIsNoConflict: return try base.save(changes).filter { $0.stored != nil }
        case .checksEveryStep, .halfWrittenSave, .checksEveryStepTogether: return try saveInSteps(changes)
        case .uniqueNulls: try refuseSecondNull(changes)
        case .uniqueNullsTogether: try refuseSecondPair(changes)
        case .ignoresReferences: return try base.save(changes.withoutReferences(in: model))
        case .ignoresReferencesOnDelete: return try saveForgivingDeletions(changes)
        case .writesAllColumns: return try base.save(changes.writingNullElsewhere())
        case .keepsVersions: return try saveAgain(changes)
        default: break
        }
        return try changes.joins.isEmpty && fault != .losesPairsOfReplaced ? base.save(changes) : savePairs(changes)
    }

    /// Checks and saves every part separately; the parts before a failure stay stored.
    private func saveInSteps(_ changes: ChangeSet) throws -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        for entity in model.entities.map(\.name) {
            for update in changes[entity].updates {
                var step = ChangeSet()
                step[entity].updates = [update]
                conflicts += try base.save(step)
            }
            for insertion in changes[entity].insertions {
                var step = ChangeSet()
                step[entity].insertions = [insertion]
                conflicts += try base.save(step)
            }
            var step = ChangeSet()
            step[entity].deletions = changes[entity].deletions
            conflicts += try base.save(step)
        }
        return conflicts
    }

    private func refuseSecondNull(_ changes: ChangeSet) throws {
        for insertions in [changes["Owner"].insertions] where insertions.count(where: { $0.values[0].isNull }) > 1 {
            throw PersistenceError(.uniqueness, "null is there already", entity: "Owner", attribute: "code")
        }
    }

    /// Treats nulls as equal to each other.
    private func refuseSecondPair(_ changes: ChangeSet) throws {
        let pairs = changes["Seat"].insertions.map { Array($0.values.prefix(2)) }
        guard Set(pairs).count < pairs.count else { return }
        throw PersistenceError(.uniqueness, "both are there already", entity: "Seat", attribute: "row, number")
    }

    private func saveForgivingDeletions(_ changes: ChangeSet) throws -> [StoreConflict] {
        do {
            return try base.save(changes)
        } catch let error as PersistenceError where error.code == .danglingReference {
            guard changes.entities.values.contains(where: { !$0.deletions.isEmpty }) else { throw error }
            return []
        }
    }

    /// Deletes and inserts rows instead of updating them, which gives them new versions.
    private func saveAgain(_ changes: ChangeSet) throws -> [StoreConflict] {
        var changed = changes
        for (entity, entityChanges) in changes.entities {
            changed[entity].updates = []
            changed[entity].deletions += entityChanges.updates.map {
                .init(id: $0.id, expectedVersion: $0.expectedVersion)
            }
            changed[entity].insertions += entityChanges.updates.map { .init(id: $0.id, values: $0.values) }
        }
        return try base.save(changed)
    }

    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        switch fault {
        case .repeatsIdentifiers:
            let range = try base.reserveIdentifiers(count, of: entity)
            return max(1, range.lowerBound - 1)...range.upperBound
        case .ignoresExplicitIdentifiers: return 1...Int64(max(count, 1))
        case .startsAtZero:
            let range = try base.reserveIdentifiers(count, of: entity)
            return (range.lowerBound - 1)...(range.upperBound - 1)
        default: return try base.reserveIdentifiers(count, of: entity)
        }
    }

    func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        switch fault {
        case .bulkKeepsRowsOfFailure, .bulkRefusesForwardReferences: try body(EagerWriter(base))
        case .bulkLeavesGaps:
            try base.writeRows { try body(WrappingWriter($0, of: base) { GapInserter($0, behind: 4, step: 2) }) }
        case .bulkNumbersRefused:
            let last = try base.rows(StoreRequest("Owner")).map(\.id).max() ?? 0
            try base.writeRows { try body(WrappingWriter($0, of: base) { GapInserter($0, behind: last, step: 1) }) }
        case .bulkHidesIdentifiers: try base.writeRows { try body(WrappingWriter($0, of: base) { HidingInserter($0) }) }
        case .bulkKeepsPairs:
            var pairs: [(row: JoinRow, join: String, location: RowLocation)] = []
            try base.writeRows { writer in
                let wrapping = WrappingWriter(writer, of: base, fault) { $0 }
                try body(wrapping)
                pairs = wrapping.pairs
            }
            try base.writeRows { writer in
                for pair in pairs { try writer.insert(pair.row, of: pair.join, location: pair.location) }
            }
        case .bulkNamesFirstOfTogether:
            do { try base.writeRows(body) } catch var error as PersistenceError {
                error.attribute = error.attribute?.split(separator: ",").first.map(String.init)
                throw error
            }
        case .bulkKnowsNoConflicts, .bulkKnowsNothingTogether, .bulkUpdatesReplace, .bulkRejectsAlone, .bulkNeverChecks,
            .bulkForgetsMetadata,
            .bulkReadsBefore, .bulkForgetsRowsAfterCheck:
            try base.writeRows { try body(WrappingWriter($0, of: base, fault) { $0 }) }
        case .bulkNamesNoPlace:
            do { try base.writeRows(body) } catch var error as PersistenceError {
                error.location = nil
                throw error
            }
        default: try base.writeRows(body)
        }
    }
}

/// A writer that stores every row at once.
private final class EagerWriter: RowWriter {
    private let base: InMemoryStore

    init(_ base: InMemoryStore) { self.base = base }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        EagerInserter(base, try base.model.entity(named: entity), options)
    }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        try base.writeRows { try $0.insert(row, of: join, location: location) }
    }

    func checkReferences() throws {}

    func read(_ body: (any StoreReader) throws -> Void) throws { try body(base) }

    func setMetadata(_ value: String?, forKey key: String) throws {
        try base.writeRows { try $0.setMetadata(value, forKey: key) }
    }
}

private final class EagerInserter: RowInserter {
    let entity: EntityDescription
    private let base: InMemoryStore
    private let options: InsertOptions
    private(set) var counts = InsertCounts()
    let updated = ChangedIdentifiers.none

    init(_ base: InMemoryStore, _ entity: EntityDescription, _ options: InsertOptions) {
        self.base = base
        self.entity = entity
        self.options = options
    }

    func insert(_ block: inout RowBlock) throws {
        try base.writeRows { writer in
            let inserter = try writer.inserter(of: entity.name, options)
            try inserter.insert(&block)
            counts = counts + inserter.counts
        }
    }
}

/// A writer that wraps the store's inserters.
private final class WrappingWriter: RowWriter {
    private let base: any RowWriter
    private let store: any StoreReader
    private let fault: BrokenStore.Fault?
    private let wrap: (any RowInserter) -> any RowInserter
    private(set) var pairs: [(row: JoinRow, join: String, location: RowLocation)] = []
    private var wasChecked = false

    init(
        _ base: any RowWriter, of store: any StoreReader, _ fault: BrokenStore.Fault? = nil,
        _ wrap: @escaping (any RowInserter) -> any RowInserter
    ) {
        self.base = base
        self.store = store
        self.fault = fault
        self.wrap = wrap
    }

    func inserter(of entity: String, _ options: InsertOptions) throws -> any RowInserter {
        var options = options
        switch fault {
        case .bulkKnowsNoConflicts, .bulkKnowsNothingTogether: options.onConflict = .abort
        case .bulkUpdatesReplace where options.onConflict == .update: options.onConflict = .replace
        case .bulkRejectsAlone where options.onMissingReference == .reject: options.onMissingReference = .null
        default: break
        }
        let inserter = try base.inserter(of: entity, options)
        guard fault == .bulkForgetsRowsAfterCheck else { return wrap(inserter) }
        return HidingInserter(inserter) { [self] in wasChecked }
    }

    func insert(_ row: JoinRow, of join: String, location: RowLocation) throws {
        if fault == .bulkKeepsPairs { return pairs.append((row, join, location)) }
        try base.insert(row, of: join, location: location)
    }

    func checkReferences() throws {
        wasChecked = true
        if fault != .bulkNeverChecks { try base.checkReferences() }
    }

    func read(_ body: (any StoreReader) throws -> Void) throws {
        if fault == .bulkReadsBefore { try body(store) } else { try base.read(body) }
    }

    func setMetadata(_ value: String?, forKey key: String) throws {
        if fault != .bulkForgetsMetadata { try base.setMetadata(value, forKey: key) }
    }
}

/// An inserter that inserts rows or skips them, and does not report the outcome.
private final class HidingInserter: RowInserter {
    private let base: any RowInserter
    private let isOver: () -> Bool

    init(_ base: any RowInserter, unless isOver: @escaping () -> Bool = { false }) {
        self.base = base
        self.isOver = isOver
    }

    var entity: EntityDescription { base.entity }
    var counts: InsertCounts { base.counts }
    var updated: ChangedIdentifiers { base.updated }

    func insert(_ block: inout RowBlock) throws {
        var copy = block
        if !isOver() { try base.insert(&copy) }
    }
}

/// An inserter that numbers rows itself, whatever their outcome is.
private final class GapInserter: RowInserter {
    private let base: any RowInserter
    private var last: Int64
    private let step: Int64

    init(_ base: any RowInserter, behind last: Int64, step: Int64) {
        self.base = base
        self.last = last
        self.step = step
    }

    var entity: EntityDescription { base.entity }
    var counts: InsertCounts { base.counts }
    var updated: ChangedIdentifiers { base.updated }

    func insert(_ block: inout RowBlock) throws {
        var numbered = RowBlock(of: entity)
        for row in 0..<block.count {
            last = max(last + step, block.id(ofRow: row) ?? 0)
            numbered.beginRow(id: block.id(ofRow: row) ?? last, location: block.location(ofRow: row))
            for column in 0..<block.columnCount {
                if let value = block.value(row: row, column: column) { numbered.set(value, column: column) }
            }
        }
        try base.insert(&numbered)
        block = numbered
    }
}

extension ChangeSet {
    fileprivate func expectingCurrentVersions(of store: InMemoryStore) throws -> ChangeSet {
        var changes = self
        for entity in entities.keys {
            let rows = try store.rows(StoreRequest(entity))
            let versions = Dictionary(rows.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
            for index in self[entity].updates.indices {
                let update = self[entity].updates[index]
                changes[entity].updates[index].expectedVersion = versions[update.id] ?? update.expectedVersion
            }
            for index in self[entity].deletions.indices {
                let deletion = self[entity].deletions[index]
                changes[entity].deletions[index].expectedVersion = versions[deletion.id] ?? deletion.expectedVersion
            }
        }
        return changes
    }

    fileprivate func allowingMissing() -> ChangeSet {
        var changes = self
        for entity in entities.keys {
            for index in self[entity].deletions.indices { changes[entity].deletions[index].allowsMissingRow = true }
        }
        return changes
    }

    fileprivate func withoutReferences(in model: ManagedObjectModel) -> ChangeSet {
        var changes = self
        for entity in model.entities where entities[entity.name] != nil {
            for column in entity.columns.indices where entity.columns[column].destination != nil {
                for index in self[entity.name].insertions.indices {
                    changes[entity.name].insertions[index].values[column] = .null
                }
                for index in self[entity.name].updates.indices {
                    changes[entity.name].updates[index].values[column] = .null
                }
            }
        }
        return changes
    }

    fileprivate func writingNullElsewhere() -> ChangeSet {
        var changes = self
        for entity in entities.keys {
            for index in self[entity].updates.indices {
                let update = self[entity].updates[index]
                changes[entity].updates[index].changedColumns = Array(update.values.indices)
                for column in update.values.indices where !update.changedColumns.contains(column) {
                    changes[entity].updates[index].values[column] = .null
                }
            }
        }
        return changes
    }
}
