import StrataCore
import StrataModelFiles
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Renamed cases of enumerations, and other values that are replaced.
@Suite("Renamed values")
struct RenamedValueTests {
    enum Color: String, AttributeValue, CaseIterable, Codable { case red, azure }

    struct EarlierCard: PersistentRecord {
        let id: RecordID<EarlierCard>
        var color: String
        static let entity = RecordEntity<EarlierCard>("Card", id: \.id, [.attribute("color", \.color)]) {
            try EarlierCard(id: $0.id(), color: $0.next())
        }
    }
    struct Card: PersistentRecord {
        let id: RecordID<Card>
        var color: Color
        static let entity = RecordEntity<Card>(
            "Card", id: \.id, [.attribute("color", \.color).renamedValues(["blue": Color.azure])]
        ) { try Card(id: $0.id(), color: $0.next()) }
    }

    private static let rows: [String: [Int64: [StoredValue]]] = [
        "Card": [1: [.string("red")], 2: [.string("blue")]]
    ]

    private static func card(
        _ name: String? = "Color", renamed: [(StoredValue, StoredValue)] = [], type: AttributeType = .string,
        rules: [AttributeRule] = [], unique: Bool = false
    ) -> [EntityDescription] {
        [
            EntityDescription(
                "Card",
                [
                    .attribute(
                        AttributeDescription(
                            "color", type, isOptional: true, rules: rules, isUnique: unique,
                            renamedValues: renamed.map { RenamedValue(from: $0.0, to: $0.1) }))
                ])
        ]
    }

    @Test("rows with a renamed enumeration case get the new value", arguments: StoreKind.allCases)
    func renamedCase(_ kind: StoreKind) async throws {
        let earlier = try EarlierStore(kind, try ManagedObjectModel(records: [EarlierCard.self]), rows: Self.rows)
        let model = try ManagedObjectModel(records: [Card.self])
        let preview = try PersistentContainer.canMigrate(model: model, earlier.description)
        #expect(preview.steps.map(\.description).contains("rename-value Card.color “blue” “azure”"))
        #expect(preview.violations.isEmpty)
        let container = try PersistentContainer(model: model, earlier.description, mainQueue: .private)
        let records: any RecordContext = container.backgroundContext
        #expect(try await records.fetch(FetchRequest<Card>()).map(\.color) == [.red, .azure])
        try container.close()
        guard kind.isChecked else { return }
        #expect(try PersistentContainer.canMigrate(model: model, earlier.description).steps.isEmpty)
    }

    @Test("a stage's code runs even if both versions have the same columns", arguments: StoreKind.allCases)
    func stage(_ kind: StoreKind) throws {
        let first = try ManagedObjectModel(Self.card(rules: [.oneOf([.string("red"), .string("blue")])]))
        let second = try ManagedObjectModel(Self.card(rules: [.oneOf([.string("red"), .string("azure")])]))
        let earlier = try EarlierStore(kind, first, rows: Self.rows)
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", first), ModelVersion("2", second)],
            stages: [
                .custom(
                    from: "1", to: "2",
                    [
                        EntityTransform("Card") { old, new, _ in
                            if try old.value("color", as: String.self) == "blue" { try new.set("color", to: "azure") }
                            return .keep
                        }
                    ])
            ])
        #expect(try PersistentContainer.canMigrate(model: second, description).violations.isEmpty)
        let container = try PersistentContainer(model: second, description, mainQueue: .private)
        #expect(try container.coordinator.store.values("Card") == [1: [.string("red")], 2: [.string("azure")]])
        try container.close()
    }

    @Test("a store that matches no version exactly is migrated from the nearest version")
    func nearest() throws {
        func version(_ choices: [String], length: Int) throws -> ManagedObjectModel {
            let note = EntityDescription("Note", [attribute("text", rules: [.maximumLength(length)])])
            return try ManagedObjectModel(Self.card(rules: [.oneOf(choices.map(StoredValue.string))]) + [note])
        }
        let (first, second) = (try version(["red", "blue"], length: 9), try version(["red", "azure"], length: 8))
        let earlier = try EarlierStore(.sqlite, try version(["red", "blue"], length: 7), rows: Self.rows)
        var description = earlier.description
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", first), ModelVersion("2", second)],
            stages: [
                .custom(
                    from: "1", to: "2",
                    [
                        EntityTransform("Card") { _, new, _ in
                            try new.set("color", to: "azure")
                            return .keep
                        }
                    ])
            ])
        let container = try PersistentContainer(model: second, description, mainQueue: .private)
        #expect(try container.coordinator.store.values("Card").values.allSatisfy { $0 == [.string("azure")] })
        try container.close()
    }

    @Test("a plan with code between equal models is rejected")
    func equalModels() throws {
        let model = try ManagedObjectModel(Self.card())
        let error = #expect(throws: PersistenceError.self) {
            try MigrationPlan(
                [ModelVersion("1", model), ModelVersion("2", model)],
                stages: [.custom(from: "1", to: "2", [EntityTransform("Card") { _, _, _ in .keep }])])
        }
        #expect(error?.message.contains("are the same") == true)
    }

    @Test(
        "two values can be exchanged, and a value can be replaced while the attribute's type changes",
        arguments: StoreKind.allCases)
    func exchanged(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.card(), rows: Self.rows)
        let exchanged = Self.card(renamed: [
            (.string("red"), .string("blue")), (.string("blue"), .string("red")),
        ])
        let store = try earlier.open(exchanged)
        #expect(try store.values("Card") == [1: [.string("blue")], 2: [.string("red")]])
        try store.close()
        let numbers = try EarlierStore(
            kind, Self.card(type: .integer32), rows: ["Card": [1: [.integer(1)], 2: [.integer(7)], 3: [.null]]])
        let later = try numbers.open(
            Self.card(renamed: [(.integer(7), .integer(2))], type: .integer64, rules: [.maximum(.integer(2))]))
        #expect(try later.values("Card") == [1: [.integer(1)], 2: [.integer(2)], 3: [.null]])
        try later.close()
    }

    @Test("rows whose unique values become equal by a replacement are reported", arguments: StoreKind.allCases)
    func shared(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(kind, Self.card(unique: true), rows: Self.rows)
        let error = #expect(throws: PersistenceError.self) {
            try earlier.open(Self.card(renamed: [(.string("blue"), .string("red"))], unique: true))
        }
        #expect(error?.message.contains("rows have equal values") == true)
        #expect(error?.message.contains("1, 2") == true)
    }

    @Test("a model file stores renamed values, and a renaming without exactly two values is rejected")
    func modelFile() throws {
        let model = try ManagedObjectModel(
            Self.card(renamed: [(.string("blue"), .string("azure"))]))
        let text = ModelFile.text(of: model)
        #expect(text.contains(#""strata:renamedValues""#))
        let read = try ModelFile(json: Array(text.utf8)).model
        #expect(
            read["Card"]?.attributes.first?.renamedValues
                == [RenamedValue(from: .string("blue"), to: .string("azure"))])
        let wrong = text.replacing("\"azure\"", with: "\"azure\", \"third\"")
        #expect(throws: ModelFileError.self) { try ModelFile(json: Array(wrong.utf8)) }
    }

    @Test("a renamed value that is invalid for the attribute or has two new values is rejected")
    func invalid() {
        #expect(throws: PersistenceError.self) {
            try ManagedObjectModel(Self.card(renamed: [(.string("one"), .integer(1))], type: .integer64))
        }
        #expect(throws: PersistenceError.self) {
            try ManagedObjectModel(
                Self.card(renamed: [(.string("a"), .string("b")), (.string("a"), .string("c"))]))
        }
    }
}
