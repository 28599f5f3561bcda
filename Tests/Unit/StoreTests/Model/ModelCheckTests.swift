import PersistenceTestSupport
import StrataPersistence
import Testing

/// A contradictory model is rejected, and the error names the location.
@Suite("Models")
struct ModelCheckTests {
    private static func attribute(
        _ name: String, _ type: AttributeType = .string, defaultValue: DefaultValue? = nil, rules: [AttributeRule] = []
    ) -> EntityDescription.Property {
        .attribute(.init(name, type, defaultValue: defaultValue, rules: rules))
    }

    private static func relationship(
        _ name: String, to destination: String, _ cardinality: RelationshipDescription.Cardinality,
        inverse: String? = nil, isOptional: Bool = true
    ) -> EntityDescription.Property {
        .relationship(.init(name, to: destination, cardinality, inverse: inverse, isOptional: isOptional))
    }

    static let invalid: [(String, [EntityDescription])] = [
        (
            "the entity name “a” occurs twice (names must differ in more than case)",
            [EntityDescription("A", []), EntityDescription("a", [])]
        ),
        (
            "A: the property name “X” occurs twice (names must differ in more than case)",
            [EntityDescription("A", [attribute("x"), attribute("X")])]
        ),
        (
            "“a b” is not a valid name of the entity: use letters, digits and _, and begin with a letter",
            [EntityDescription("a b", [])]
        ),
        (
            "A: “_x” is not a valid name of the property: use letters, digits and _, and begin with a letter",
            [EntityDescription("A", [attribute("_x")])]
        ),
        ("A: “ID” is a reserved name", [EntityDescription("A", [attribute("ID")])]),
        ("“sqlite_x” is a reserved name", [EntityDescription("sqlite_x", [])]),
        (
            "A.x: a decimal's scale must be from 0 to 18, not 19",
            [EntityDescription("A", [attribute("x", .decimal(scale: 19))])]
        ),
        (
            "A.x: the default “a” is not of type integer64",
            [EntityDescription("A", [attribute("x", .integer64, defaultValue: .constant(.string("a")))])]
        ),
        (
            "A.x: the default “now” can be used only for dates",
            [EntityDescription("A", [attribute("x", defaultValue: .now)])]
        ),
        (
            "A.x: the minimum 40000 is not of type integer16",
            [EntityDescription("A", [attribute("x", .integer16, rules: [.minimum(.integer(40_000))])])]
        ),
        (
            "A.x: a length rule can be used only for strings and binary values",
            [EntityDescription("A", [attribute("x", .double, rules: [.minimumLength(1)])])]
        ),
        (
            "A.b: the name of its index, “A_b”, is already used by an entity or another index; rename one",
            [
                EntityDescription("a_B", []),
                EntityDescription("A", [.attribute(AttributeDescription("b", .string, isIndexed: true))]),
            ]
        ),
        (
            "A.b: the destination “B” is not in the model",
            [EntityDescription("A", [relationship("b", to: "B", .toOne)])]
        ),
        (
            "A.b: the inverse B.a does not exist or does not refer back",
            [EntityDescription("A", [relationship("b", to: "B", .toOne, inverse: "a")]), EntityDescription("B", [])]
        ),
        (
            "A.b: a to-many relationship needs an inverse",
            [EntityDescription("A", [relationship("b", to: "A", .toMany)])]
        ),
        (
            "A.bs: a mandatory inverse cannot be nullified: choose cascade or deny",
            [
                EntityDescription("A", [relationship("bs", to: "B", .toMany, inverse: "a")]),
                EntityDescription("B", [relationship("a", to: "A", .toOne, inverse: "bs", isOptional: false)]),
            ]
        ),
    ]

    @Test("a contradictory model is rejected, and the error names the location", arguments: invalid)
    func refused(_ message: String, _ entities: [EntityDescription]) throws {
        let error = try persistenceError { _ = try ManagedObjectModel(entities) }
        #expect(error.code == .invalidModel)
        #expect("\(error)" == message)
    }

    @Test("equal models have equal JSON, and a changed entity has another hash and is listed as a difference")
    func json() throws {
        let model = try League.model()
        #expect(try model.json() == League.model().json())
        #expect(try model.differences(fromJSON: model.json()) == [])
        let other = try ManagedObjectModel([EntityDescription("Fan", [Self.attribute("name")])])
        #expect(try model.entityHashes()["Fan"] != other.entityHashes()["Fan"])
        #expect(
            try other.differences(fromJSON: ManagedObjectModel([EntityDescription("Fan", [])]).json())
                == ["Fan.name is in the model, not in the store"])
    }
}
