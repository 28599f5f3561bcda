import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random conditions across relationships: the stores must agree with a separate evaluator over plain arrays.
@Suite("Random conditions across relationships")
struct RandomRelatedConditionTests {
    private static func selected(
        _ condition: FetchCondition, _ entity: String, _ company: RandomCompany
    ) throws -> [Int64] {
        let description = try company.model.entity(named: entity)
        return try (company.rows[entity] ?? [])
            .filter { try ReferenceEvaluator($0, description, in: company).holds(condition) }.map(\.id)
    }

    @Test(
        "random conditions across relationships select the same rows in every store",
        arguments: Seeds.first(1, of: UInt64(1)...20))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores = try StoreKind.everyKind.map { try $0.open(model, in: folder) }
        var generator = RandomRelatedConditions(random: SeededGenerator(seed: seed))
        let company = RandomCompany(model, using: &generator.random)
        for store in stores { #expect(try store.save(company.changes).isEmpty) }
        var partial = 0
        for number in 1...50 {
            let entity = RandomRelatedConditions.relationships.keys.sorted()[number % 6]
            let condition = generator.condition(entity, depth: 4)
            let expected = try Self.selected(condition, entity, company)
            if !expected.isEmpty, expected.count < company.rows[entity]?.count ?? 0 { partial += 1 }
            for store in stores {
                let request = StoreRequest(entity, where: condition)
                let comment: Comment = "seed \(seed), condition \(number), \(store): \(request)"
                #expect(try store.rows(request).map(\.id) == expected, comment)
                #expect(try store.count(request) == expected.count, comment)
            }
        }
        #expect(partial > 8, "the conditions are worth asking")
        for store in stores { try store.close() }
    }
}
