import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// The relationships of a condition, found before any row is checked.
@Suite("Traversed relationships")
struct TraversedRelationshipTests {
    private let plain = FetchCondition.compare(.property("id"), .equal, .constant(.integer(1)))

    @Test("a condition lists the relationships that it traverses at every depth")
    func traversed() throws {
        let model = try StoreContract.model()
        let person = try model.entity(named: "Person")
        let count = FetchOperand.relatedCount("friends", .related("passport", .constant(true)))
        let condition = FetchCondition.all([
            plain,
            .not(.related("department", .any([plain, .related("head", plain)]))),
            .isTrue(.conditional(.isIn(count, [.integer(1)]), .truth(.related("follows", plain)), .constant(.null))),
        ])
        #expect(condition.traversesRelationships)
        #expect(!plain.traversesRelationships)
        #expect(
            try condition.relationships(of: person, in: model) == [
                .init(entity: "Person", name: "department"), .init(entity: "Department", name: "head"),
                .init(entity: "Person", name: "friends"), .init(entity: "Person", name: "passport"),
                .init(entity: "Person", name: "follows"),
            ])
        #expect(try plain.relationships(of: person, in: model) == [])
        let error = try persistenceError {
            _ = try FetchCondition.related("boss", plain).relationships(of: person, in: model)
        }
        #expect("\(error)" == "Person: there is no relationship “boss”")
    }

    @Test("evaluating a condition across a relationship without access to related rows is rejected")
    func rowAlone() throws {
        let person = try StoreContract.model().entity(named: "Person")
        let error = try persistenceError {
            _ = try ConditionEvaluator(.related("department", plain), entity: person)
        }
        #expect(error.code == .invalidRequest)
        #expect(
            "\(error)" == "Person.department: a condition across a relationship cannot be evaluated for a row "
                + "without its related rows")
    }

    /// Counts its calls.
    private final class Relatives: RelatedRows {
        var asked: [String] = []

        func rows(
            of entity: EntityDescription, where condition: ResolvedCondition?
        ) throws -> [(id: Int64, values: [StoredValue])] {
            asked.append("\(entity.name) \(condition?.source ?? .constant(true))")
            return [(7, [.string("Ann"), .null, .integer(1)]), (8, [.string("Bob"), .null, .integer(1)])]
        }

        func joins(of join: JoinDescription) throws -> [JoinRow] {
            asked.append(join.name)
            return [JoinRow(JoinPair(source: 7, target: 8))]
        }
    }

    @Test("the rows of a relationship are read once for all owners, filtered by the condition on them")
    func askedOnce() throws {
        let model = try StoreContract.model()
        let relatives = Relatives()
        let isAnn = FetchCondition.compare(.property("name"), .equal, .constant(.string("Ann")))
        let condition = FetchCondition.related(
            "members", .all([.constant(true), isAnn, .related("friends", .constant(true))]))
        let resolver = ConditionResolver(entity: try model.entity(named: "Department"), model: model)
        let evaluator = try ConditionEvaluator(try resolver.resolve(condition), relatives: relatives)
        for id in Int64(1)...3 { #expect(try evaluator.matches(id: id, values: [.string("d"), .null]) == (id == 1)) }
        #expect(
            relatives.asked == [
                "Person_friends", "Person \(FetchCondition.constant(true))",
                "Person \(FetchCondition.all([.constant(true), isAnn]))",
            ])
    }
}
