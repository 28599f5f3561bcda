import Foundation
import StrataFixtures

@testable import StrataFixtures

/// Descriptions, fixtures and values for tests.
enum Samples {
    /// Returns an entity `Row` with one field `value`.
    static func entity(_ field: FixtureField, count: Int = 100) -> FixtureEntity {
        FixtureEntity("Row", [field], count: count)
    }

    /// Returns fixtures of one field of one entity.
    static func fixtures(
        _ field: FixtureField, count: Int, seed: UInt64 = 42, fixed: [FixtureValue] = []
    ) throws -> Fixtures {
        var description = try FixtureDescription(seed: seed, schema: [entity(field, count: count)])
        description.entities["Row"]?.fixed = fixed.map { [field.name: $0] }
        return try Fixtures(description)
    }

    /// Returns the values of a field in the first rows.
    static func values(
        _ fixtures: Fixtures, _ name: String = "value", of entity: String = "Row", count: Int? = nil
    ) throws -> [FixtureValue] {
        try (0..<(count ?? fixtures.count(of: entity))).map { index in
            try column(fixtures.row(of: entity, at: index), name)
        }
    }

    private static func column(_ row: FixtureRow, _ name: String) throws -> FixtureValue {
        guard let value = row.values[name] else { throw FixtureError(.unknown, attribute: name, "is not there") }
        return value
    }

    /// Returns bosses and employees related by a reference with bounds.
    static func company(
        bosses: Int, employees: Int, perTarget: ClosedRange<Int>?, without: FixtureShare = .none,
        fixed: [FixtureValue] = [], seed: UInt64 = 42
    ) throws -> Fixtures {
        let schema = [
            FixtureEntity("Boss", [], count: bosses),
            FixtureEntity(
                "Employee", [.reference("boss", to: "Boss", without: without, perTarget: perTarget)], count: employees),
        ]
        var description = try FixtureDescription(seed: seed, schema: schema)
        description.entities["Employee"]?.fixed = fixed.map { ["boss": $0] }
        return try Fixtures(description)
    }

    /// Returns the message of the thrown error, or "nothing" without an error.
    static func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "nothing"
        } catch {
            return "\(error)"
        }
    }
}

extension FixtureValue {
    /// The bytes of the value if it is a text.
    var bytes: [UInt8]? { if case .text(let text) = self { Array(text.utf8) } else { nil } }

    /// The number of the value if it is an integer.
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}
