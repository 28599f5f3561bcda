import Foundation
import StrataFiles
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// ``SQLWriter`` and ``SQLLayout`` write SQL only through the dialect: the store fulfills the contract with another
/// dialect too.
@Suite("SQL dialects")
struct SQLDialectTests {
    private func store(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> SQLiteStore {
        let url = folder.file("numbered.sqlite")
        let opening = SQLiteOpening(
            path: url.path, model: model, busyTimeout: .seconds(5), dialect: NumberedDialect())
        if FileStatus(path: url.path) == nil { try opening.create() }
        return try opening.open(url: url, isReadOnly: false)
    }

    @Test(
        "a store with a dialect of numbered parameters and other spellings fulfills the contract",
        arguments: Seeds.spread(60, of: StoreContract.checks))
    func obeys(_ check: StoreContract.Check) throws {
        let folder = try TemporaryFolder()
        for violation in try check.violations({ try store($0, in: folder) }) { Issue.record("\(violation)") }
    }

    @Test("random conditions select the same rows in both dialects", arguments: Seeds.first(2, of: UInt64(1)...10))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores: [any PersistentStore] = [
            try store(model, in: folder), try SQLiteStore.open(at: folder.file("usual.sqlite"), model: model),
        ]
        var generator = RandomConditions(seed: seed)
        var changes = ChangeSet()
        changes["Sample"].insertions = (1...40).map {
            .init(id: $0, values: generator.values.row(using: &generator.random))
        }
        for store in stores { #expect(try store.save(changes).isEmpty) }
        for number in 1...50 {
            let request = StoreRequest("Sample", where: generator.condition(depth: 4))
            let answers = try stores.map { store in
                try RandomConditionTests.Answer { try store.rows(request).map(\.id) }
            }
            #expect(answers[0] == answers[1], "seed \(seed), condition \(number): \(request)")
        }
        for store in stores { try store.close() }
    }

    @Test("a statement that fills a part of a table has the part's bounds as its last parameters")
    func parts() throws {
        func model(isOptional: Bool) throws -> ManagedObjectModel {
            let size = AttributeDescription(
                "size", .integer64, isOptional: isOptional, defaultValue: .constant(.integer(5)))
            return try ManagedObjectModel([EntityDescription("Item", [.attribute(size)])])
        }
        let mapping = ModelMapping(from: try model(isOptional: true), to: try model(isOptional: false))
        let statements = SQLMigration.statements(
            MigrationRoute.Stage(mapping: mapping), dialect: NumberedDialect(), now: .null)
        let fills = statements.compactMap { if case .fill(let filling) = $0 { filling } else { nil } }
        #expect(fills.map(\.values) == [[.integer(5)]])
        #expect(fills[0].sql.contains("?1") && !fills[0].sql.contains("?2"), "\(fills[0].sql)")
        let bounds = #"WHERE t."id" > ?2 AND t."id" <= ?3 "#
        #expect(fills[0].sqlOfPart.contains(bounds), "\(fills[0].sqlOfPart)")
    }
}

/// SQLite's SQL in another form: numbered parameters in any order, and the standard's spelling if SQLite supports it.
private struct NumberedDialect: SQLDialect {
    let marksModelTexts = false
    private let usual = SQLiteDialect()

    func parameter(_ number: Int) -> String { "?\(number)" }
    func columnType(_ type: AttributeType) -> String { usual.columnType(type) }
    var deferredReference: String { "ON DELETE NO ACTION DEFERRABLE INITIALLY DEFERRED" }
    func tableOptions(keyColumns: Int) -> String { "" }
    var historyNumber: String { usual.historyNumber }
    var transactionOrder: String { usual.transactionOrder }
    var historyHorizon: String? { usual.historyHorizon }
    func temporaryTable(_ name: String) -> (creation: String, name: String) {
        ("CREATE TEMPORARY TABLE \"other_\(name)\"", "\"other_\(name)\"")
    }
    func temporaryIndex(_ name: String, on table: String, column: String, isUnique: Bool) -> String {
        usual.temporaryIndex(name, on: "other_\(table)", column: column, isUnique: isUnique)
    }

    var relationNames: String { usual.relationNames }
    var viewDefinitions: String { usual.viewDefinitions }
    func shortened(_ name: String, with ending: String) -> String { usual.shortened(name, with: ending) }
    func fileValue(_ column: String, _ type: AttributeType) -> String { usual.fileValue(column, type) }

    func truth(_ value: Bool) -> String { value ? "TRUE" : "FALSE" }
    func isSame(_ left: String, _ right: String) -> String { "NOT (\(isDifferent(left, right)))" }
    func isDifferent(_ left: String, _ right: String) -> String { "(\(right)) IS NOT (\(left))" }
    func orderingTerm(_ value: String, isDescending: Bool) -> String {
        isDescending ? "\(value) DESC NULLS LAST" : "\(value) ASC NULLS FIRST"
    }

    func arithmetic(
        _ operation: FetchArithmetic, of left: String, and right: String, as kind: OperandType.Kind
    ) -> String {
        usual.arithmetic(operation, of: "(\(left))", and: "(\(right))", as: kind)
    }
    func known(_ value: String) -> String { "CASE WHEN random() IS NULL THEN NULL ELSE \(value) END" }
    func null(as kind: OperandType.Kind) -> String {
        kind.type.map { "CAST(NULL AS \(columnType($0)))" } ?? "NULL"
    }
    func function(_ function: FetchFunction, _ argument: String, of kind: OperandType.Kind) -> String {
        "(\(usual.function(function, "(\(argument))", of: kind)))"
    }
    func comparison(of left: String, scale leftScale: UInt8, with right: String, scale rightScale: UInt8) -> String {
        "-(\(usual.comparison(of: right, scale: rightScale, with: left, scale: leftScale)))"
    }
    func greater(_ left: String, _ right: String) -> String {
        "CASE WHEN \(left) > \(right) THEN \(left) ELSE \(right) END"
    }
    func lesser(_ left: String, _ right: String) -> String {
        "CASE WHEN \(left) < \(right) THEN \(left) ELSE \(right) END"
    }
    func aggregate(_ aggregate: ResolvedAggregate, of columns: [String]) -> String {
        "(\(usual.aggregate(aggregate, of: columns.map { "(\($0))" })))"
    }
    func literal(_ value: StoredValue) -> String { usual.literal(value) }
    var newUUID: String { usual.newUUID }
    func keeps(_ conversion: ValueConversion) -> Bool { usual.keeps(conversion) }
    func converted(_ value: String, _ conversion: ValueConversion) -> String? { usual.converted(value, conversion) }
    func counted(_ number: String) -> String { usual.counted(number) }

    func lowercased(_ text: String) -> String { usual.lowercased(text) }
    func contains(_ text: String, _ part: String) -> String { "0 < instr(\(text), \(part))" }
    func endsWith(_ text: String, _ part: String) -> String { usual.endsWith(text, part) }
    func like(_ text: String, _ pattern: String, ignoringCase: Bool) -> String {
        usual.like(text, pattern, ignoringCase: ignoringCase)
    }

    func isMember(_ value: String, ofList list: String) -> String {
        "EXISTS (SELECT 1 FROM json_each(\(list)) AS member WHERE member.value = \(value))"
    }
    func list(_ numbers: [Int64]) -> StoredValue { usual.list(numbers) }
    func isText(_ value: String, ofList list: String) -> String { isMember(value, ofList: list) }
    func list(_ texts: [String]) -> StoredValue { usual.list(texts) }
    func window(limit: String?, offset: String?) -> String { " LIMIT \(offset ?? "0"), \(limit ?? "-1")" }
    var orderedJoin: String { "INNER JOIN" }
}
