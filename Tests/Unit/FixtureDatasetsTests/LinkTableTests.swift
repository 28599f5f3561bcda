import Foundation
import StrataCore
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Join tables larger than a lookup batch")
struct LinkTableTests {
    private static func model(isSymmetric: Bool) throws -> ManagedObjectModel {
        let code = AttributeDescription("code", .string, isUnique: true)
        let table = ExternalLinkTable(
            "pairs", owner: ExternalKey("code", column: "one"), destination: ExternalKey("code", column: "other"),
            position: isSymmetric ? nil : "place", inversePosition: nil)
        var things = RelationshipDescription(
            "things", to: "Thing", .toMany, inverse: isSymmetric ? "things" : "owners", isOrdered: !isSymmetric)
        things.externalLink = .table(table)
        let owners = RelationshipDescription("owners", to: "Thing", .toMany, inverse: "things")
        return try ManagedObjectModel([
            EntityDescription(
                "Thing", [.attribute(code), .relationship(things)] + (isSymmetric ? [] : [.relationship(owners)]))
        ])
    }

    @Test(
        "a generated join table is written from any store without repeated rows and is imported again",
        arguments: [false, true])
    func pairs(isSymmetric: Bool) throws {
        let model = try Self.model(isSymmetric: isSymmetric)
        let description = try FixtureDescription(model: model, counts: ["Thing": Seeds.count(400, all: 1_500)], seed: 3)
        let dataset = try FixtureDataset(description, model: model)
        try expectImported(dataset, in: try Folder(), .csv, "in memory")
        let folder = try Folder()
        let container = try PersistentContainer(
            model: model, .sqlite(at: URL(fileURLWithPath: "\(folder.path)/rows.sqlite")), mainQueue: .private)
        defer { try? container.close() }
        try dataset.store(in: container)
        let store = container.coordinator.store
        let made = "\(folder.path)/made"
        try dataset.write(to: made, options: ExportOptions(format: .csv), from: store)
        #expect(try FixtureCheck(directory: made, model: model, schema: description.schema).run(from: store) == [])
        let staged = try PersistentContainer.inMemory(model: model)
        defer { try? staged.close() }
        try dataset.store(in: staged)
        #expect(
            try FixtureCheck(directory: made, model: model, schema: description.schema).run(
                from: staged.coordinator.store) == [])
        let lines = try folder.bytes("made/pairs.csv").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == dataset.pairs[0].count + 1 && Set(lines).count == lines.count)
    }
}
