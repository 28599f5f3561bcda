import Foundation
import PersistenceTestSupport
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random requests over random models that are read from files: the stores must agree with each other and with a
/// separate evaluator.
@Suite("Random requests with a model from a file")
struct RandomModelRequestTests {
    /// A random seed for each run in addition to the fixed ones; the names of the tests contain it.
    private static let drawn = UInt64.random(in: 1...UInt64(UInt32.max))

    /// Returns the result of a store: identifiers, or the kind of error.
    private func answer(_ store: any PersistentStore, _ request: StoreRequest) throws -> String {
        do {
            return "\(try store.rows(request).map(\.id))"
        } catch let error as PersistenceError {
            return "\(error.code)"
        }
    }

    @Test(
        "random requests over a random model have the same results in every store",
        arguments: Seeds.first(2, of: Array(UInt64(1)...100)) + [drawn])
    func agree(seed: UInt64) throws {
        var drawing = RandomModel(seed: seed)
        let model = try ModelFile(json: Array(ModelFile.text(of: drawing.model()).utf8)).model
        let folder = try TemporaryFolder()
        let stores = try StoreKind.everyKind.map { try $0.open(model, in: folder) }
        var random = RandomModelRequests(model, seed: seed)
        for entity in model.entities {
            for id in Int64(1)...12 {
                var changes = ChangeSet()
                changes[entity.name].insertions = [.init(id: id, values: random.row(of: entity))]
                let outcomes = stores.map { store in
                    // Every store must reject duplicate values and references to missing rows.
                    do { return try store.save(changes).isEmpty } catch { return false }
                }
                #expect(outcomes[0] == outcomes[1], "seed \(seed), \(entity.name) \(id)")
            }
        }
        for number in 1...60 {
            let entity = random.pick(model.entities)
            var request = StoreRequest(entity.name, where: random.condition(of: entity, depth: 2))
            request.sort = random.sort(of: entity)
            let comment: Comment = "seed \(seed), request \(number): \(request)"
            let answers = try stores.map { try answer($0, request) }
            #expect(answers[0] == answers[1], comment)
            guard !answers[0].isEmpty, answers[0].hasPrefix("[") else { continue }
            let rows = try stores[0].rows(StoreRequest(entity.name))
            if let expected = try reference(rows, entity, request) { #expect(answers[0] == "\(expected)", comment) }
        }
        for store in stores { try store.close() }
    }

    /// Returns the result of the separate evaluator, or `nil` if it does not support the request.
    private func reference(
        _ rows: [StoredRow], _ entity: EntityDescription, _ request: StoreRequest
    ) throws -> [Int64]? {
        let hasForms = entity.attributes.contains { $0.domain?.format?.isOrdered ?? false }
        guard !hasForms else { return nil }
        do {
            return try ReferenceEvaluator.select(rows, entity, request)
        } catch is ReferenceEvaluator.Unsupported {
            return nil
        }
    }
}
