import Foundation
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

// The examples of the documentation of a later release, line by line.

@Suite("A later release")
struct MigrationExamples {
    private static let old = try? ManagedObjectModel([
        EntityDescription(
            "Customer",
            [
                .attribute(AttributeDescription("name", .string)),
                .attribute(AttributeDescription("fax", .string, isOptional: true)),
            ])
    ])
    private static let new = try? ManagedObjectModel([
        EntityDescription(
            "Customer",
            [
                .attribute(AttributeDescription("firstName", .string)),
                .attribute(AttributeDescription("lastName", .string)),
            ])
    ])

    private static func split(_ first: ManagedObjectModel, _ second: ManagedObjectModel) throws -> MigrationPlan {
        let stage =
            MigrationStage.custom(
                from: "1", to: "2",
                [
                    EntityTransform("Customer") { old, new, rows in
                        let names = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1)
                        try new.set("firstName", to: String(names.first ?? ""))
                        try new.set("lastName", to: String(names.dropFirst().first ?? ""))
                        return .keep
                    }
                ])
        return try MigrationPlan([ModelVersion("1", first), ModelVersion("2", second)], stages: [stage])
    }

    @Test func steps() throws {
        let (old, new) = (try #require(Self.old), try #require(Self.new))
        let mapping = ModelMapping(from: old, to: new)
        for step in mapping.steps { print(step) }
        for step in ModelMapping(from: old, to: new).steps { print(step) }  // add Customer.phone
        #expect(mapping.steps.count == 4)
    }

    @Test func options() {
        var options = MigrationOptions()
        options.drops = .named(["Customer.fax"])
        options.backup = URL(fileURLWithPath: "before.sqlite")
        #expect(options.mode == .migrate)
    }

    @Test func containers() async throws {
        let (first, model) = (try #require(Self.old), try #require(Self.new))
        let folder = try TemporaryFolder()
        let url = folder.file("app.sqlite")
        try PersistentContainer(model: first, .sqlite(at: url), mainQueue: .private).close()
        let preview = try PersistentContainer.canMigrate(model: model, .sqlite(at: url))
        for drop in preview.drops { print("would lose \(drop)") }
        #expect(preview.isPhysical)
        let plan = try Self.split(first, model)
        #expect(try plan.violations() == [])
        let loading = PersistentContainer.loading(model: model, .sqlite(at: url))
        for await progress in loading.progress { print("\(progress.rows) of \(progress.totalRows) rows") }
        let container = try await loading.container
        try container.close()
    }

    @Test func plans() throws {
        let (first, second) = (try #require(Self.old), try #require(Self.new))
        let folder = try TemporaryFolder()
        let url = folder.file("app.sqlite")
        let note = EntityDescription("Note", [.attribute(AttributeDescription("text", .string))])
        let third = try ManagedObjectModel(second.entities + [note])
        let split = EntityTransform("Customer") { _, _, _ in .keep }
        let plan = try MigrationPlan(
            [ModelVersion("1", first), ModelVersion("2", second), ModelVersion("3", third)],
            stages: [.inferred(from: "1", to: "2"), .custom(from: "2", to: "3", [split])])
        var description = PersistentStoreDescription.sqlite(at: url)
        description.migrationPlan = plan
        let container = try PersistentContainer(model: third, description)
        try container.close()
    }

    struct Label: PersistentRecord {
        let id: RecordID<Label>
        var text: String
        var key: String { text.lowercased() }

        static let entity = RecordEntity<Label>(
            "Label", id: \.id, [.attribute("text", \.text), .computed("key", \.key, isUnique: true)],
            computationVersion: 2
        ) { row in
            Label(id: try row.id(), text: try row.next())
        }
    }

    enum Color: String, AttributeValue, CaseIterable, Codable { case red, azure }

    struct Card: PersistentRecord {
        let id: RecordID<Card>
        var color: Color

        static let entity = RecordEntity<Card>(
            "Card", id: \.id,
            [
                .attribute("color", \.color).renamedValues(["blue": Color.azure])
            ]
        ) { try Card(id: $0.id(), color: $0.next()) }
    }

    @Test func models() throws {
        let folder = try TemporaryFolder()
        let text = ModelFile.text(of: try ManagedObjectModel(records: [Customer.self]))
        try Data(text.utf8).write(to: folder.file("model-1.json"))
        let first = ModelVersion("1", try ModelFile(json: Array(Data(contentsOf: folder.file("model-1.json")))).model)
        #expect(first.model.entities.map(\.name) == ["Customer"])
        #expect(try ManagedObjectModel(records: [Label.self, Card.self])["Label"]?.computationVersion == 2)
    }

    @Test func versions() throws {
        let bytes = Array(ModelFile.text(of: try #require(Self.old)).utf8)
        let first = ModelVersion("1", try ModelFile(json: bytes).model)
        let second = ModelVersion("2", try ManagedObjectModel(records: [Customer.self]))
        #expect(first.model.entities.count == second.model.entities.count)
    }

    /// A record type of a later release, whose renamed properties declare their earlier names.
    struct Customer: PersistentRecord {
        let id: RecordID<Customer>
        var email: String?
        var phone: String?

        static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("email", \.email).renamed(from: "mail"),
                .attribute("phone", \.phone),
            ], renamedFrom: ["Client"]
        ) { row in
            Customer(id: try row.id(), email: try row.next(), phone: try row.next())
        }
    }
}
