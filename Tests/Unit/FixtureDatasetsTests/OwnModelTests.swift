import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import Testing

@Suite("Fixtures of custom entities")
struct OwnModelTests {
    private static let number = FixtureField(
        "number", type: .text, generator: .code(prefix: "N-", digits: 3), mustBeUnique: true)

    private func model(_ attributes: [AttributeDescription]) throws -> ManagedObjectModel {
        try ManagedObjectModel([EntityDescription("Invoice", attributes.map { .attribute($0) })])
    }

    private func message(_ fields: [FixtureField], _ attributes: [AttributeDescription]) throws -> String {
        let description = try FixtureDescription(schema: [FixtureEntity("Invoice", fields, count: 3)])
        do {
            _ = try FixtureDataset(description, model: try model(attributes))
            return "nothing"
        } catch {
            return "\(error)"
        }
    }

    @Test("a directory of custom entities passes the check with the schema of the entities")
    func check() throws {
        let folder = try Folder()
        let schema = [FixtureEntity("Invoice", [Self.number], count: 3)]
        let model = try model([AttributeDescription("number", .string, isUnique: true)])
        let made = "\(folder.path)/made"
        try FixtureDataset(FixtureDescription(schema: schema), model: model).write(
            to: made, options: ExportOptions(format: .csv))
        #expect(try FixtureCheck(directory: made, model: model, schema: schema).run() == [])
    }

    @Test("a field that may be null is rejected for a mandatory column")
    func nulls() throws {
        let note = FixtureField("note", type: .text, generator: .oneOf(["a"]), nulls: .percent(50))
        #expect(
            try message([note], [AttributeDescription("note", .string)])
                == "Invoice.note: the attribute is mandatory in the model, but the field may be null; set isOptional: "
                + "false")
        #expect(try message([note], [AttributeDescription("note", .string, isOptional: true)]) == "nothing")
    }

    @Test("a field with repeatable values is rejected for a unique column")
    func unique() throws {
        let unique = [AttributeDescription("number", .string, isUnique: true)]
        #expect(try message([Self.number], unique) == "nothing")
        #expect(
            try message([FixtureField("number", type: .text, generator: .oneOf(["a", "b"]))], unique)
                == "Invoice.number: the attribute is unique in the model, but the field may repeat values; set "
                + "\"unique\""
        )
    }

    @Test(
        "a value that violates a rule of the model ends the generation, and no file is written",
        arguments: [
            (AttributeDescription("size", .integer16), true, "Invoice 20, size: is not in -32768...32767"),
            (
                AttributeDescription("size", .integer64, rules: [.maximum(.integer(40))]), false,
                "Invoice 1, size: is greater than 40"
            ),
        ] as [(AttributeDescription, Bool, String)])
    func rules(attribute: AttributeDescription, isHostile: Bool, place: String) throws {
        let folder = try Folder()
        let size = FixtureField("size", type: .integer, generator: .uniform(50...60))
        var description = try FixtureDescription(schema: [FixtureEntity("Invoice", [size], count: 500)])
        if isHostile { description.hostile = FixtureDescription.standardHostility }
        let dataset = try FixtureDataset(description, model: try model([attribute]))
        let error = #expect(throws: PersistenceError.self) {
            try dataset.write(to: "\(folder.path)/made", options: ExportOptions(format: .csv))
        }
        #expect(error?.code == .validation)
        #expect(error.map { "\($0)" } == "Invoice: a row breaks rules of the model:\n  \(place)")
        #expect(try folder.files == [])
    }
}
