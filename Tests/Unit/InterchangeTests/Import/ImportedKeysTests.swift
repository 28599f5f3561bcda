import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Imports into an entity with attributes that are unique in combination.
@Suite("Imports of unique combinations")
struct ImportedKeysTests {
    private func seats() throws -> [(PersistentContainer, TemporaryDirectory)] {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Seat",
                [
                    .attribute(AttributeDescription("row", .string, isOptional: true)),
                    .attribute(AttributeDescription("number", .integer64, isOptional: true)),
                    .attribute(AttributeDescription("guest", .string, isOptional: true)),
                ], uniquenessConstraints: [["row", "number"]])
        ])
        return try containers(model)
    }

    @Test("the error for a repeated unique combination contains the line, all columns and the values")
    func named() throws {
        for (container, _) in try seats() {
            let error = try #require(throws: InterchangeError.self) {
                _ = try container.importing("Reihe,number\nA,1\nA,2\n,2\n,2\nA,2\n", .csv, into: "Seat") {
                    $0.reading.mapping = ["Reihe": "row"]
                }
            }
            #expect(
                error.description == """
                    data:6: record 5, column Reihe, number: object 5: another object already has these values, which \
                    must be unique together (“A”, 2)
                    """)
            #expect(error.code == .conflict)
            #expect(try container.coordinator.store.count(StoreRequest("Seat")) == 0)
        }
    }

    @Test("a record with an existing unique combination updates the existing row or is ignored")
    func updated() throws {
        for (container, _) in try seats() {
            _ = try container.importing("row,number,guest\nA,1,Ann\nA,2,Bob\n", .csv, into: "Seat")
            let updated = try container.importing("number,row,guest\n2,A,Eve\n3,A,Dan\n", .csv, into: "Seat") {
                $0.onConflict = .update
            }
            #expect(updated.map { $0.values[2] } == ["Ann", "Eve", "Dan"].map(StoredValue.string))
            let ignored = try container.importing("number,row,guest\n2,A,Zoe\n4,A,Pia\n", .csv, into: "Seat") {
                $0.onConflict = .ignore
            }
            #expect(ignored.map { $0.values[2] } == ["Ann", "Eve", "Dan", "Pia"].map(StoredValue.string))
        }
    }

    @Test("a record with a repeated unique combination is rejected and reported, and other records are stored")
    func rejected() throws {
        for (container, _) in try seats() {
            var lines: [Int] = []
            let rows = try container.importing("row,number\nA,1\nA,1\nB,1\n", .csv, into: "Seat") {
                $0.onError = .reject
                $0.onProblem = { lines.append($0.error.line ?? 0) }
            }
            #expect(rows.count == 2 && lines == [3])
        }
    }
}
