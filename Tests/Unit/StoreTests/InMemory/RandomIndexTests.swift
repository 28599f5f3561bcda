import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Indexes must return the same rows as a full scan after any writes, rejections, rollbacks and copies.
@Suite("Random requests that use indexes")
struct RandomIndexTests {
    /// The rows, or the failure of the evaluation.
    private enum Answer: Equatable {
        case rows([Int64])
        case error
    }

    private static func answer(_ ids: () throws -> [Int64]) throws -> Answer {
        do {
            return .rows(try ids())
        } catch let error as PersistenceError where error.code == .arithmetic {
            return .error
        }
    }

    private static func asked(_ condition: FetchCondition, _ reader: any StoreReader) throws -> Answer {
        try answer { try reader.rows(StoreRequest("House", where: condition)).map(\.id) }
    }

    /// Returns the result of a full scan.
    ///
    /// The evaluator computes it for conditions on a row alone; otherwise the store evaluates a double negation, which
    /// uses no index.
    private static func scanned(_ condition: FetchCondition, _ store: InMemoryStore) throws -> Answer {
        let request = try StoreRequest("House", where: condition).resolved(in: store.model)
        if request.condition?.traversesRelationships == true { return try asked(.not(.not(condition)), store) }
        let evaluator = try ConditionEvaluator(condition, entity: request.entity)
        return try answer {
            try store.rows(StoreRequest("House")).filter { try evaluator.matches(id: $0.id, values: $0.values) }
                .map(\.id)
        }
    }

    @Test("indexes return the same rows as a full scan and as SQLite", arguments: Seeds.first(1, of: UInt64(1)...20))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = try Estate.model()
        var walk = try EstateWalk(model, seed: seed, in: folder)
        var conditions = try EstateConditions(model, SeededGenerator(seed: seed &+ 1_000))
        var answered = 0
        let steps = Seeds.count(24, all: 60)
        for step in 1...steps {
            try walk.step()
            try walk.check("seed \(seed), step \(step)")
            for number in 1...8 {
                let condition = conditions.condition()
                let comment: Comment = "seed \(seed), step \(step), condition \(number): \(condition)"
                let expected = try Self.scanned(condition, walk.memory)
                #expect(try Self.asked(condition, walk.memory) == expected, comment)
                #expect(try Self.asked(condition, walk.disk) == expected, comment)
                if case .rows(let ids) = expected, !ids.isEmpty { answered += 1 }
            }
        }
        #expect(answered > steps * 2 / 3, "the conditions are worth asking")
        try walk.checkKept("seed \(seed)")
        for store in walk.keptStores() {
            for _ in 1...8 {
                let condition = conditions.condition()
                #expect(try Self.asked(condition, store) == Self.scanned(condition, store), "seed \(seed), a copy")
            }
        }
        for store in walk.stores { try store.close() }
    }
}
