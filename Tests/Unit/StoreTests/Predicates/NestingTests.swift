import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// The maximum depth of conditions: every store answers the accepted ones and rejects the same others.
@Suite("Nesting")
struct NestingTests {
    private typealias Wrapper = @Sendable (FetchCondition, Int) -> FetchCondition

    private static let (price, weight, long) = (
        FetchOperand.property("price"), FetchOperand.property("weight"), FetchOperand.property("long")
    )
    private static let (text, label, flag) = (
        FetchOperand.property("text"), FetchOperand.property("label"), FetchOperand.property("flag")
    )
    private static let a = FetchOperand.constant(.string("a"))
    private static let one = FetchOperand.constant(.integer(1))
    private static let failing = FetchCondition.compare(.arithmetic(long, .add, one), .greater, one)

    /// Closures that each wrap a condition in one more node; the number is for those of variable size.
    private static let wrappers: [Wrapper] = [
        { condition, _ in .not(condition) },
        { condition, number in .all(Array(repeating: .isTrue(flag), count: number) + [condition]) },
        { condition, number in .any([condition] + Array(repeating: .isTrue(flag), count: number)) },
        { condition, number in .all(Array(repeating: failing, count: number) + [condition]) },
        { condition, number in .any(Array(repeating: failing, count: number) + [condition, failing]) },
        { condition, _ in .isTrue(.truth(condition)) },
        { condition, _ in .compare(flag, .equal, .truth(.not(condition))) },
        { condition, _ in .compare(.conditional(condition, price, weight), .equal, weight) },
        { condition, _ in .compare(weight, .notEqual, .conditional(condition, price, long)) },
        { condition, _ in .compare(.arithmetic(.conditional(condition, long, one), .add, price), .less, weight) },
        { condition, _ in .compare(price, .equal, .arithmetic(weight, .add, .conditional(condition, long, one))) },
        { condition, _ in .compare(long, .greater, .negated(.conditional(condition, long, one))) },
        { condition, _ in .compare(weight, .equal, .coalesce(price, .conditional(condition, weight, price))) },
        { condition, _ in .startsWith(text, .conditional(condition, a, label), ignoringCase: true) },
        { condition, _ in .startsWith(.conditional(condition, text, label), a, ignoringCase: true) },
        { condition, _ in .contains(label, .conditional(condition, a, text), ignoringCase: true) },
        { condition, _ in .contains(.coalesce(.conditional(condition, text, a), label), a) },
        { condition, _ in .isIn(.conditional(condition, long, .constant(.null)), [.integer(1), .null]) },
        { condition, _ in .endsWith(.conditional(condition, text, label), a, ignoringCase: true) },
        { condition, _ in .endsWith(text, .conditional(condition, a, label), ignoringCase: true) },
        { condition, _ in .like(.conditional(condition, text, label), "*a?", ignoringCase: true) },
        { condition, _ in .isTrue(.conditional(.isTrue(flag), .truth(condition), flag)) },
        { condition, _ in .isTrue(.conditional(.isTrue(flag), flag, .truth(condition))) },
    ]

    private static func isAccepted(
        _ condition: FetchCondition, _ model: ManagedObjectModel, of entity: String = "Sample"
    )
        -> Bool
    {
        do {
            try StoreRequest(entity, where: condition).validate(in: model)
            return true
        } catch {
            return false
        }
    }

    private static func refusal(_ condition: FetchCondition, _ store: any PersistentStore) throws -> PersistenceError {
        try persistenceError { _ = try store.count(StoreRequest("Sample", where: condition)) }
    }

    @Test(
        "every store answers the deepest accepted conditions of each node and of mixed nodes",
        arguments: Seeds.first(NestingTests.wrappers.count + 5, of: 0..<60))
    func deepest(seed: Int) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores = try StoreKind.allCases.map { try $0.open(model, in: folder) }
        var random = SeededGenerator(seed: UInt64(seed))
        let leaves: [FetchCondition] = [
            .compare(Self.price, .equal, Self.weight),
            .startsWith(Self.text, .coalesce(Self.text, Self.label), ignoringCase: true),
            .isIn(Self.price, [.decimal(ScaledDecimal(unscaled: 1, scale: 2)), .null]),
        ]
        var condition = leaves[seed % leaves.count]
        var depth = 0
        while true {
            let wrapper =
                seed < Self.wrappers.count
                ? Self.wrappers[seed] : Self.wrappers.randomElement(using: &random) ?? Self.wrappers[0]
            let next = wrapper(condition, seed < Self.wrappers.count ? 1 : Int.random(in: 0...9, using: &random))
            guard Self.isAccepted(next, model) else { break }
            condition = next
            depth += 1
        }
        #expect(depth >= 2)
        for store in stores {
            do {
                for windowed in [false, true] {
                    var request = StoreRequest("Sample", where: condition, sort: [.init("text")])
                    if windowed { (request.limit, request.offset) = (5, 1) }
                    _ = try store.count(request)
                    _ = try store.rows(request)
                }
            } catch let error as PersistenceError {
                Issue.record("depth \(depth): \(error.debugDescription.prefix(300)) \(condition)")
            }
        }
        for store in stores { try store.close() }
    }

    private static let isFailing = FetchCondition.compare(.arithmetic(.property("age"), .add, one), .greater, one)

    /// Closures that each wrap a condition on people in one on people across a relationship.
    private static let relatedWrappers: [Wrapper] = [
        { condition, _ in .related("friends", condition) },
        { condition, _ in .related("follows", condition) },
        { condition, _ in .related("department", .related("members", condition)) },
        { condition, _ in .related("department", .related("head", .not(condition))) },
        { condition, _ in .related("passport", .related("holder", condition)) },
        { condition, _ in .not(.related("followers", condition)) },
        { condition, _ in .compare(.relatedCount("friends", condition), .greater, one) },
        { condition, _ in .compare(one, .notEqual, .relatedCount("follows", condition)) },
        { condition, _ in
            .compare(
                .property("age"), .equal,
                .arithmetic(one, .add, .relatedCount("passport", .related("holder", condition))))
        },
        { condition, number in .related("friends", .all(Array(repeating: isFailing, count: number) + [condition])) },
        { condition, number in .related("department", .related("members", .any([condition, isFailing]))) },
        { condition, _ in .related("department", .related("head", .all([isFailing, condition]))) },
        { condition, _ in .isTrue(.truth(.related("friends", .isTrue(.truth(condition))))) },
        { condition, _ in .isTrue(.related("department", .related("head", .truth(condition)))) },
        { condition, _ in
            .compare(
                one, .less, .related("passport", .related("holder", .conditional(condition, one, .property("age")))))
        },
        { condition, _ in .isIn(.conditional(condition, .relatedCount("friends", condition), one), [.integer(1)]) },
    ]

    @Test(
        "every store answers the deepest accepted conditions across relationships",
        arguments: Seeds.first(NestingTests.relatedWrappers.count + 5, of: 0..<60))
    func deepestRelated(seed: Int) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores = try StoreKind.allCases.map { try $0.open(model, in: folder) }
        var random = SeededGenerator(seed: UInt64(seed))
        let leaves: [FetchCondition] = [
            .startsWith(.property("name"), .coalesce(.property("name"), Self.a), ignoringCase: true), Self.isFailing,
            .isIn(.property("age"), [.integer(1), .null]),
        ]
        var condition = leaves[seed % leaves.count]
        var depth = 0
        while depth < 40 {
            let wrapper =
                seed < Self.relatedWrappers.count
                ? Self.relatedWrappers[seed]
                : Self.relatedWrappers.randomElement(using: &random) ?? Self.relatedWrappers[0]
            let next = wrapper(condition, 1)
            guard Self.isAccepted(next, model, of: "Person") else { break }
            condition = next
            depth += 1
        }
        // Some wrappers cross two relationships at once.
        #expect(depth >= 1)
        for store in stores {
            do {
                for windowed in [false, true] {
                    var request = StoreRequest("Person", where: condition, sort: [.init("name")])
                    if windowed { (request.limit, request.offset) = (5, 1) }
                    _ = try store.count(request)
                    _ = try store.rows(request)
                }
            } catch let error as PersistenceError {
                Issue.record("depth \(depth): \(error.debugDescription.prefix(300)) \(condition)")
            }
        }
        for store in stores { try store.close() }
    }

    @Test("a condition that needs more than 72 open symbols of the SQL parser is rejected")
    func boundary() throws {
        let model = try StoreContract.model()
        func negated(_ condition: FetchCondition, times: Int) -> FetchCondition {
            (0..<times).reduce(condition) { condition, _ in .not(condition) }
        }
        // A negation leaves four symbols open, and so does a list of values.
        #expect(Self.isAccepted(negated(.constant(true), times: 18), model))
        #expect(!Self.isAccepted(negated(.constant(true), times: 19), model))
        let list = FetchCondition.isIn(Self.long, [.integer(1)])
        #expect(Self.isAccepted(negated(list, times: 17), model))
        #expect(!Self.isAccepted(negated(list, times: 18), model))
    }

    @Test("a value calculated from null or chosen as null is unequal to every value", arguments: StoreKind.allCases)
    func nullable(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try StoreContract.model(), in: folder)
        var changes = ChangeSet()
        let entity = try store.model.entity(named: "Sample")
        changes["Sample"].insertions = [
            .init(id: 1, values: [.string("")] + Array(repeating: .null, count: entity.columns.count - 1))
        ]
        #expect(try store.save(changes).isEmpty)
        let isNew = FetchCondition.compare(.property("id"), .greater, Self.one)
        for operand in [
            FetchOperand.arithmetic(Self.long, .add, Self.one), .arithmetic(Self.one, .add, Self.long),
            .conditional(isNew, Self.one, Self.long), .conditional(.not(isNew), Self.long, Self.one),
        ] {
            let request = StoreRequest("Sample", where: .compare(operand, .notEqual, Self.one))
            #expect(try store.rows(request).map(\.id) == [1], "\(operand)")
        }
        try store.close()
    }

    @Test("every store rejects a condition that is nested too deeply", arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try StoreContract.model(), in: folder)
        var (negation, sum) = (FetchCondition.isTrue(Self.flag), Self.long)
        for _ in 1...2000 {
            negation = .not(negation)
            sum = .arithmetic(sum, .add, Self.one)
        }
        for condition in [negation, .compare(sum, .equal, Self.one), .all([.isTrue(.truth(negation))])] {
            let error = try Self.refusal(condition, store)
            #expect(error.code == .invalidRequest)
            #expect(
                "\(error)"
                    == "Sample: the condition is nested too deeply; join its parts in lists, or ask in several requests"
            )
        }
        try store.close()
    }
}
