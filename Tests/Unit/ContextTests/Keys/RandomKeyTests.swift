import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random saves and bulk inserts into few keys, so that many collide.
///
/// Both stores must agree with a scan of all rows.
@Suite("Random rows with unique keys over several attributes")
struct RandomKeyTests {
    /// The result of a write: the rows afterwards, and the error with its location.
    ///
    /// The values that the error names are not compared: if a row breaks two constraints, the error may name either.
    private struct Outcome: Equatable {
        var code: PersistenceError.Code?
        var record: Int?
        var rows: [[StoredValue]] = []
    }

    private static func outcome(_ store: any PersistentStore, _ write: () throws -> Void) throws -> Outcome {
        var outcome = Outcome()
        do { try write() } catch let error as PersistenceError {
            (outcome.code, outcome.record) = (error.code, error.location?.record)
            let isNamed = ["year, number", "show, seat"].contains(error.attribute) && error.value != nil
            #expect(isNamed || error.attribute == "id", "\(error)")
        }
        outcome.rows = try store.rows(StoreRequest("Ticket")).map { [.integer($0.id)] + $0.values }
        return outcome
    }

    /// The rows by identifier, computed without a store; the last write's row wins.
    private struct Oracle {
        var rows: [Int64: [StoredValue]] = [:]

        var isUnique: Bool {
            [[0, 1], [4, 5]].allSatisfy { key in
                let values = rows.values.map { row in key.map { row[$0] } }.filter { !$0.contains(.null) }
                return Set(values).count == values.count
            }
        }
    }

    private static func values(_ random: inout SeededGenerator) -> [StoredValue] {
        Theatre.values(
            [nil, 1, 2].randomElement(using: &random) ?? nil, [nil, 1, 2, 3].randomElement(using: &random) ?? nil,
            note: ["a", "b"].randomElement(using: &random) ?? "", price: Int64.random(in: 0...2, using: &random),
            show: [nil, 1, 2].randomElement(using: &random) ?? nil,
            seat: [nil, "A", "B", "C"].randomElement(using: &random) ?? nil)
    }

    private static func changes(of oracle: inout Oracle, _ reader: any StoreReader, _ random: inout SeededGenerator)
        throws -> ChangeSet
    {
        var changes = ChangeSet()
        for row in try reader.rows(StoreRequest("Ticket")) {
            let dice = Int.random(in: 0..<10, using: &random)
            if dice == 0 {
                changes["Ticket"].deletions.append(.init(id: row.id, expectedVersion: row.version))
                oracle.rows[row.id] = nil
            } else if dice < 5 {
                let new = values(&random)
                let changed = row.values.indices.filter { _ in Bool.random(using: &random) }
                guard !changed.isEmpty else { continue }
                var values = row.values
                for column in changed { values[column] = new[column] }
                changes["Ticket"].updates.append(
                    .init(id: row.id, expectedVersion: row.version, values: values, changedColumns: changed))
                oracle.rows[row.id] = values
            }
        }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let id = Int64.random(in: 1000...1_000_000, using: &random)
            guard oracle.rows[id] == nil else { continue }
            let values = values(&random)
            changes["Ticket"].insertions.append(.init(id: id, values: values))
            oracle.rows[id] = values
        }
        return changes
    }

    @Test(
        "every store accepts the same random writes and finds the same rows as a scan of all rows",
        arguments: Seeds.first(1, of: UInt64(1)...40))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let stores = try StoreKind.everyKind.map { try $0.open(try Theatre.model(), in: folder) }
        for store in stores {
            _ = try store.insertRows(of: "Show") { shows in
                for title in ["Faust", "Hamlet"] {
                    _ = try shows.insert(
                        id: nil, values: [.string(title)], location: RowLocation(line: 1, record: 1))
                }
            }
        }
        var random = SeededGenerator(seed: seed)
        var oracle = Oracle()
        var (stored, refused) = (0, 0)
        for step in 1...150 {
            let comment: Comment = "seed \(seed), step \(step)"
            if Bool.random(using: &random) {
                var wanted = oracle
                // Each store has its own row versions.
                let start = random
                let outcomes = try stores.map { store in
                    (random, wanted) = (start, oracle)
                    let changes = try Self.changes(of: &wanted, store, &random)
                    return try Self.outcome(store) { try Self.save(changes, in: store) }
                }
                #expect(outcomes[0] == outcomes[1], comment)
                #expect((outcomes[0].code == nil) == wanted.isUnique, comment)
                #expect(outcomes[0].code == nil || outcomes[0].code == .uniqueness, comment)
                if wanted.isUnique { oracle = wanted }
                let rows = oracle.rows.sorted { $0.key < $1.key }.map { [.integer($0.key)] + $0.value }
                #expect(outcomes[0].rows == rows, comment)
                if wanted.isUnique { stored += 1 } else { refused += 1 }
            } else {
                let start = random
                let outcomes = try stores.map { store in
                    random = start
                    return try Self.outcome(store) { try Self.insert(into: store, &random) }
                }
                #expect(outcomes[0] == outcomes[1], comment)
                oracle.rows = [:]
                for row in outcomes[0].rows {
                    if case .integer(let id) = row[0] { oracle.rows[id] = Array(row.dropFirst()) }
                }
                #expect(oracle.isUnique, comment)
                if outcomes[0].code == nil { stored += 1 } else { refused += 1 }
            }
            try Self.check(stores, &random, comment)
        }
        #expect(stored > 20 && refused > 20, "\(stored) stored, \(refused) refused")
        for store in stores { try store.close() }
    }

    private static func save(_ changes: ChangeSet, in store: any PersistentStore) throws {
        let conflicts = try store.save(changes)
        #expect(conflicts.isEmpty)
    }

    /// Inserts one block of new or existing rows with some of the columns, rejected all at once or one by one.
    private static func insert(into store: any PersistentStore, _ random: inout SeededGenerator) throws {
        let known = try store.rows(StoreRequest("Ticket")).map(\.id)
        var options = InsertOptions(
            onConflict: InsertOptions.ConflictAction.allCases.randomElement(using: &random) ?? .abort)
        if Bool.random(using: &random) { options.onFailure = { _ in } }
        options.buildsIndexesLast = Bool.random(using: &random)
        var block = RowBlock(of: try store.model.entity(named: "Ticket"))
        for record in 1...Int.random(in: 1...4, using: &random) {
            let isKnown = Int.random(in: 0..<3, using: &random) == 0
            block.beginRow(
                id: isKnown ? known.randomElement(using: &random) : nil,
                location: RowLocation(line: record, record: record))
            for (column, value) in values(&random).enumerated() {
                if column == 2 || Int.random(in: 0..<5, using: &random) > 0 { block.set(value, column: column) }
            }
        }
        try store.writeRows { try $0.inserter(of: "Ticket", options).insert(&block) }
    }

    /// Expects that requests that use indexes return the same rows as a scan of all rows.
    private static func check(
        _ stores: [any PersistentStore], _ random: inout SeededGenerator, _ comment: Comment
    ) throws {
        let values = values(&random)
        func equals(_ name: String, _ column: Int) -> FetchCondition {
            .compare(.property(name), .equal, .constant(values[column]))
        }
        let conditions: [FetchCondition] = [
            equals("year", 0) && equals("number", 1), equals("seat", 5) && equals("show", 4),
            equals("note", 2) && equals("price", 3),
        ]
        for condition in conditions + [.any(conditions), .all([conditions[0], conditions[2]])] {
            var answers: Set<[Int64]> = []
            for store in stores {
                for asked in [condition, .not(.not(condition))] {
                    answers.insert(try store.rows(StoreRequest("Ticket", where: asked)).map(\.id))
                }
            }
            #expect(answers.count == 1, comment)
        }
    }
}
