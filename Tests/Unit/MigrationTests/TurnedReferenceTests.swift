import StrataCore
import StrataSQL
import StrataStoreKit
import Testing

@testable import StrataSQLite

/// Migration of tables whose references move to the other side.
@Suite("References that move to the other side")
struct TurnedReferenceTests {
    private static let many = [
        EntityDescription("Person", [relationship("pass", to: "Pass", inverse: "holders")]),
        EntityDescription("Pass", [relationship("holders", to: "Person", .toMany, inverse: "pass")]),
    ]
    private static let one = [
        EntityDescription("Person", [relationship("pass", to: "Pass", inverse: "holder", keepsKey: false)]),
        EntityDescription("Pass", [relationship("holder", to: "Person", inverse: "pass", from: "holders")]),
    ]

    @Test("references that move to the other side are read with one join, not with a lookup per row")
    func joined() throws {
        let mapping = ModelMapping(from: try ManagedObjectModel(Self.many), to: try ManagedObjectModel(Self.one))
        let statements = SQLMigration.statements(
            MigrationRoute.Stage(mapping: mapping), dialect: SQLiteDialect(), now: .null)
        let fills = statements.compactMap { if case .fill(let filling) = $0 { filling.sql } else { nil } }
        #expect(fills.count == 2)
        #expect(fills.count { $0.contains(#" LEFT JOIN "Person" "#) } == 1, "\(fills)")
        #expect(!fills.contains { $0.contains("(SELECT") }, "\(fills)")
    }
}
