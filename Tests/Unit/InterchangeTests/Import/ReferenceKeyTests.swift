import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Tests of the keys by which files may refer to rows.
@Suite("Keys for references")
struct ReferenceKeyTests {
    private static func key(_ name: String) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, .string, isUnique: true))
    }

    private static func optional(_ name: String) -> EntityDescription.Property {
        .attribute(AttributeDescription(name, .string, isOptional: true))
    }

    @Test("the export rejects a reference to a row without a key instead of writing null")
    func keyless() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "A", [.attribute(AttributeDescription("code", .string, isOptional: true, isUnique: true))]),
            EntityDescription(
                "B",
                [
                    .relationship(
                        RelationshipDescription("a", to: "A", .toOne, externalKey: ExternalKey("code", column: "a")))
                ]),
        ])
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        try container.coordinator.store.insertRows(of: "A") {
            try $0.insert(id: 5, values: [.null], location: RowLocation(line: 0, record: 0))
        }
        try container.coordinator.store.insertRows(of: "B") {
            try $0.insert(id: 1, values: [.integer(5)], location: RowLocation(line: 0, record: 0))
            try $0.insert(id: 2, values: [.null], location: RowLocation(line: 0, record: 0))
        }
        let error = try #require(throws: InterchangeError.self) { _ = try container.exported("B", .csv) }
        #expect(
            error.message.hasPrefix("B 1 refers to A 5, which has no value in a.code, which identifies it in files;"))
    }

    @Test("a model with an invalid key for references is rejected with the reason")
    func models() {
        func message(_ key: ExternalKey, of properties: [EntityDescription.Property]) -> String? {
            do {
                _ = try ManagedObjectModel([
                    EntityDescription(
                        "A",
                        properties + [
                            .relationship(RelationshipDescription("a", to: "A", .toOne, externalKey: key))
                        ], uniquenessConstraints: [["x", "y"]])
                ])
                return nil
            } catch { return (error as? PersistenceError)?.message }
        }
        let properties = [Self.optional("x"), Self.optional("y"), Self.key("z")]
        #expect(message(ExternalKey("z", column: "to"), of: properties) == nil)
        #expect(message(ExternalKey(["y", "x"], columns: ["a", "b"]), of: properties) == nil)
        for (key, expected) in [
            (ExternalKey("q", column: "a"), "files cannot refer to A by “q”, which is not one of its columns"),
            (
                ExternalKey("x", column: "a"),
                "files cannot refer to A by (x): no uniqueness is declared for these "
                    + "columns"
            ),
            (
                ExternalKey(["x", "y"], columns: ["a"]),
                "the reference key has 2 values, but 1 columns are named"
            ),
            (ExternalKey([], columns: ["a"]), "a reference key must have at least one property"),
            (ExternalKey("z", column: "x"), "two columns in files have the name “x”"),
        ] {
            #expect(message(key, of: properties) == expected)
        }
        #expect(throws: PersistenceError.self) {
            // A key that contains its own reference is infinite.
            _ = try ManagedObjectModel([
                EntityDescription(
                    "A",
                    [
                        Self.optional("x"),
                        .relationship(
                            RelationshipDescription(
                                "a", to: "A", .toOne, externalKey: ExternalKey(["x", "a"], columns: ["b", "c"]))),
                    ], uniquenessConstraints: [["x", "a"]])
            ])
        }
    }
}
