import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// A store that changes rows with set-based statements has the same result as one that changes them row by row.
@Suite("Batches with set-based statements and row by row")
struct SetBasedBatchTests {
    /// The rows, the result and the error of a batch.
    private struct Outcome: Equatable {
        var rows: [[StoredRow]] = []
        var pairs: [JoinRow] = []
        var selectedCount = 0
        var changes: SavedChanges?
        var identifiers: [Int64] = []
        var error = ""
    }

    private static func outcome(_ stack: TestStack, _ batch: () throws -> BatchResult) throws -> Outcome {
        var outcome = Outcome()
        do {
            let result = try batch()
            (outcome.selectedCount, outcome.changes) = (result.selectedCount, result.changes)
            outcome.identifiers = result.identifiers
        } catch let error as PersistenceError {
            outcome.error = error.code == .uniqueness ? "uniqueness" : error.debugDescription
        }
        let store = stack.container.coordinator.store
        outcome.rows = try store.model.entities.map { try store.rows(StoreRequest($0.name)) }
        outcome.pairs = try store.model.joins.flatMap { try store.joins(JoinRequest($0.name)) }
        return outcome
    }

    /// The stores with set-based changes.
    ///
    /// The in-memory store changes row by row and is the reference.
    private static let kinds = StoreKind.allCases.filter { $0 != .inMemory }

    @Test(
        "every store except the in-memory store changes rows with set-based statements", arguments: StoreKind.everyKind)
    func ability(_ kind: StoreKind) throws {
        let stack = try kind.stack(try Self.model())
        var isSetBased = false
        try stack.container.coordinator.store.transaction { transaction in
            isSetBased = transaction is any SetBasedTransaction
            return .rollBack
        }
        #expect(isSetBased == Self.kinds.contains(kind))
    }

    /// Runs a batch in a set-based store and in the row-based one.
    private static func outcomes(
        _ kind: StoreKind, _ changes: ChangeSet, _ batch: (PersistentContainer) throws -> BatchResult
    ) throws -> (sets: Outcome, rows: Outcome) {
        let stacks = try [kind, .inMemory].map { kind in
            let stack = try kind.stack(try model())
            _ = try stack.container.coordinator.store.save(changes)
            return stack
        }
        let outcomes = try stacks.map { stack in try outcome(stack) { try batch(stack.container) } }
        return (outcomes[0], outcomes[1])
    }

    private static func number(_ number: Int64) -> FetchOperand { .constant(.integer(number)) }

    // MARK: Updates

    /// The yard's model without record types, so that no initializer takes part.
    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(try Yard.model().entities)
    }

    private static func assignments(using random: inout SeededGenerator) -> [String: FetchOperand] {
        let size = FetchOperand.property("size")
        let small = number(.random(in: -2...12, using: &random))
        let choices: [(String, FetchOperand)] = [
            ("size", number(.random(in: -10...1_010, using: &random))),
            ("size", .arithmetic(size, .add, small)), ("size", .arithmetic(size, .multiply, small)),
            ("size", .arithmetic(number(100), .divideWhole, .arithmetic(size, .subtract, number(50)))),
            ("size", .coalesce(.related("original", size), small)),
            ("size", .conditional(.compare(size, .less, number(50)), size, small)),
            ("size", .relatedCount("copies", .constant(true))), ("size", .constant(.null)),
            ("code", .constant(.null)), ("code", .constant(.string("c3"))), ("code", .constant(.string("new"))),
            ("folder", .constant(.null)), ("folder", small), ("folder", .property("original")),
            ("original", .property("id")), ("original", .property("folder")),
        ]
        var values: [String: FetchOperand] = [:]
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard let (name, operand) = choices.randomElement(using: &random) else { continue }
            values[name] = operand
        }
        return values
    }

    private static func condition(using random: inout SeededGenerator) -> FetchCondition? {
        let size = FetchOperand.property("size")
        let bound = number(.random(in: 0...100, using: &random))
        return [
            nil, .compare(size, .less, bound), .compare(.property("code"), .notEqual, .constant(.null)),
            .related("folder", .related("keeper", .constant(true))),
            .related("copies", .compare(size, .greater, bound)),
            .compare(.arithmetic(number(60), .divideWhole, size), .greater, number(2)),
            .isIn(.property("id"), (0..<3).map { _ in .integer(.random(in: 1...10, using: &random)) }),
        ].randomElement(using: &random) ?? nil
    }

    @Test(
        "random updates have the same result with set-based statements and row by row", arguments: kinds,
        Seeds.first(1, of: UInt64(1)...30))
    func updates(_ kind: StoreKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 1...30 {
            let changes = Yard.changes(using: &random)
            let (values, condition) = (Self.assignments(using: &random), Self.condition(using: &random))
            let (sets, rows) = try Self.outcomes(kind, changes) {
                try $0.batchUpdate("File", where: condition, set: values)
            }
            #expect(sets == rows, "seed \(seed), round \(round): \(values) where \(String(describing: condition))")
        }
    }

    @Test(
        "a batch evaluates a condition on related rows of the same entity before it changes a row", arguments: kinds,
        [7, 26])
    func selfReference(_ kind: StoreKind, seed: UInt64) throws { try updates(kind, seed: seed) }

    // MARK: Deletions

    @Test(
        "random deletions have the same result with set-based statements and row by row", arguments: kinds,
        Seeds.first(1, of: UInt64(1)...30))
    func deletions(_ kind: StoreKind, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for round in 1...30 {
            let changes = Yard.changes(using: &random)
            let entity = ["Keeper", "Folder", "File", "Label", "Seal"].randomElement(using: &random) ?? ""
            var condition: FetchCondition? = .compare(
                .property("id"), .greater, Self.number(.random(in: 0...10, using: &random)))
            if entity == "File" { condition = Self.condition(using: &random) }
            let (sets, rows) = try Self.outcomes(kind, changes) { try $0.batchDelete(entity, where: condition) }
            #expect(sets == rows, "seed \(seed), round \(round): \(entity) where \(String(describing: condition))")
        }
    }

    @Test(
        "delete rules have the same result with set-based statements and row by row",
        arguments: kinds, [nil, 2, 9])
    func rules(_ kind: StoreKind, from first: Int64?) throws {
        var changes = ChangeSet()
        changes["Keeper"].insertions = [.init(id: 1, values: [.string("k")])]
        changes["Folder"].insertions = (1...3).map { .init(id: $0, values: [.null, .integer(1)]) }
        changes["Seal"].insertions = (1...3).map { .init(id: $0, values: [.integer($0)]) }
        changes["Label"].insertions = [.init(id: 1, values: [.string("l")])]
        changes["File"].insertions = (1...4).map { .init(id: $0, values: [.integer(5), .null, .null, .null]) }
        changes.joins["File_labels", default: .init()].added = [4, 1].map { JoinRow(JoinPair(source: $0, target: 1)) }
        let condition = first.map { FetchCondition.compare(.property("id"), .greaterOrEqual, Self.number($0)) }
        for entity in ["Folder", "Seal", "File"] {
            let (sets, rows) = try Self.outcomes(kind, changes) { try $0.batchDelete(entity, where: condition) }
            #expect(sets == rows, "\(entity)")
            if entity == "Folder" {
                #expect(sets.changes?.deleted["Seal"]?.count == (first.map { $0 > 3 ? nil : 2 } ?? 3))
            }
        }
    }
}
