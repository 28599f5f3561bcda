import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random requests, which all stores must answer like the module's own evaluator over a plain array, which the
/// in-memory stores share.
///
/// A separate evaluator of the tests also checks conditions without arithmetic.
@Suite("Random conditions")
struct RandomConditionTests {
    static let conditionsPerSeed = 25

    /// The identifiers of the rows, or the kind of error.
    enum Answer: Equatable {
        case rows([Int64])
        case failure(PersistenceError.Code)

        init(_ body: () throws -> [Int64]) throws {
            do {
                self = .rows(try body())
            } catch let error as PersistenceError {
                self = .failure(error.code)
            }
        }
    }

    @Test(
        "random conditions return the same rows in the same order in every store",
        arguments: Seeds.first(1, of: UInt64(1)...20))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores = try StoreKind.everyKind.map { try $0.open(model, in: folder) }
        var generator = RandomConditions(seed: seed)
        let rows = (1...40).map { StoredRow(id: $0, values: generator.values.row(using: &generator.random)) }
        var changes = ChangeSet()
        changes["Sample"].insertions = rows.map { .init(id: $0.id, values: $0.values) }
        for store in stores { #expect(try store.save(changes).isEmpty) }

        for number in 1...Self.conditionsPerSeed {
            var request = StoreRequest("Sample", where: generator.condition(depth: 4))
            request.sort = sortKeys(&generator)
            let expected = try Answer { try Self.select(rows, request, model) }
            let whole = try stores.map { store in try Answer { try store.rows(request).map(\.id) } }
            let counts = try stores.map { store in try Answer { [Int64(try store.count(request))] } }
            let comment: Comment = "seed \(seed), condition \(number): \(request)"
            #expect(whole == stores.map { _ in expected }, comment)
            guard case .rows(let ids) = expected else { continue }
            #expect(counts == stores.map { _ in .rows([Int64(ids.count)]) }, comment)

            request.limit = Int.random(in: 0...20, using: &generator.random)
            request.offset = Int.random(in: 0...10, using: &generator.random)
            let window = Array(ids.dropFirst(request.offset).prefix(request.limit ?? 0))
            for store in stores { #expect(try store.rows(request).map(\.id) == window, comment) }
        }
        for store in stores { try store.close() }
    }

    @Test("stores and the separate evaluator agree about random conditions without arithmetic")
    func reference() throws {
        let model = try StoreContract.model()
        let entity = try model.entity(named: "Sample")
        var checked = 0
        let seeds = Seeds.first(5, of: UInt64(101)...110)
        for seed in seeds {
            let folder = try TemporaryFolder()
            let stores = try StoreKind.everyKind.map { try $0.open(model, in: folder) }
            var generator = RandomConditions(seed: seed)
            let rows = (1...40).map { StoredRow(id: $0, values: generator.values.row(using: &generator.random)) }
            var changes = ChangeSet()
            changes["Sample"].insertions = rows.map { .init(id: $0.id, values: $0.values) }
            for store in stores { #expect(try store.save(changes).isEmpty) }
            for number in 1...60 {
                let condition = generator.condition(depth: 2)
                var request = StoreRequest("Sample", where: condition)
                request.sort = sortKeys(&generator)
                let expected: [Int64]
                do {
                    expected = try ReferenceEvaluator.select(rows, entity, request)
                } catch is ReferenceEvaluator.Unsupported {
                    continue
                }
                checked += 1
                for store in stores {
                    let found = try Answer { try store.rows(request).map(\.id) }
                    #expect(found == .rows(expected), "seed \(seed), condition \(number): \(request)")
                }
            }
            for store in stores { try store.close() }
        }
        #expect(checked > 20 * seeds.count)
    }

    @Test("many of the random conditions fail or select only a part of the rows")
    func worthAsking() throws {
        let model = try StoreContract.model()
        var (failed, partial) = (0, 0)
        for seed in UInt64(1)...20 {
            var generator = RandomConditions(seed: seed)
            let rows = (1...40).map { StoredRow(id: $0, values: generator.values.row(using: &generator.random)) }
            for _ in 1...Self.conditionsPerSeed {
                let request = StoreRequest("Sample", where: generator.condition(depth: 4))
                switch try Answer({ try Self.select(rows, request, model) }) {
                case .failure: failed += 1
                case .rows(let ids): partial += ids.isEmpty || ids.count == rows.count ? 0 : 1
                }
            }
        }
        #expect(failed > 20)
        #expect(partial > 150)
    }

    private func sortKeys(_ generator: inout RandomConditions) -> [StoreRequest.Sort] {
        let names = ["text", "label", "short", "long", "ratio", "price", "flag", "instant", "token", "bytes", "id"]
        return (0..<Int.random(in: 0...3, using: &generator.random)).map { _ in
            let name = generator.pick(names, or: "id")
            guard generator.chance(20) else { return StoreRequest.Sort(name, descending: generator.chance(50)) }
            let calculated: FetchOperand =
                name == "label" ? .function(.trimmed, .property(name)) : .function(.length, .property("text"))
            return StoreRequest.Sort(key: .value(calculated), descending: generator.chance(50))
        }
    }

    /// Answers a request from a plain array.
    private static func select(_ rows: [StoredRow], _ request: StoreRequest, _ model: ManagedObjectModel) throws
        -> [Int64]
    {
        let entity = try request.validate(in: model)
        let evaluator = try request.condition.map { try ConditionEvaluator($0, entity: entity) }
        let selected = try rows.filter { try evaluator?.matches(id: $0.id, values: $0.values) ?? true }
        func value(_ row: StoredRow, _ key: StoreRequest.Sort) throws -> StoredValue {
            try ReferenceEvaluator(row, entity).value(try key.operand(of: entity))
        }
        return try selected.sorted { left, right in
            for key in request.sort {
                let (first, second) = (try value(left, key), try value(right, key))
                if first != second { return (first < second) != key.isDescending }
            }
            return left.id < right.id
        }.map(\.id)
    }
}
