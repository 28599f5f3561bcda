import PersistenceTestSupport
import StrataPersistence
import Testing

/// The relationships that a model may have, and the tables that store them.
@Suite("Relationships of a model")
struct RelationshipCheckTests {
    private static func entity(
        _ name: String, _ relationships: RelationshipDescription..., attributes: [AttributeDescription] = []
    ) -> EntityDescription {
        EntityDescription(
            name,
            attributes.map(EntityDescription.Property.attribute)
                + relationships.map(EntityDescription.Property.relationship))
    }

    private static let back = RelationshipDescription("a", to: "A", .toOne, inverse: "bs")
    private static let stored = RelationshipDescription("a", to: "A", .toOne, inverse: "b")

    private static let list = ExternalLink.list(ExternalList(column: "bs"))

    /// Returns an external table of join rows with `a` and another column.
    private static func table(_ column: String, position: String? = nil) -> ExternalLink {
        .table(
            ExternalLinkTable(
                "pairs", owner: ExternalKey([], columns: ["a"]), destination: ExternalKey([], columns: [column]),
                position: position))
    }

    /// Returns entities with a many-to-many relationship, whose join rows have the given external form.
    private static func linked(
        _ link: ExternalLink, back: ExternalLink? = nil, isInverseOrdered: Bool = false
    ) -> [EntityDescription] {
        [
            entity("A", .init("bs", to: "B", .toMany, inverse: "as", externalLink: link)),
            entity(
                "B",
                .init("as", to: "A", .toMany, inverse: "bs", isOrdered: isInverseOrdered, externalLink: back)),
        ]
    }

    static let mistakes: [(String, [EntityDescription])] = [
        (
            "A.bs: the minimum count is -1, but must be at least 0",
            [entity("A", .init("bs", to: "B", .toMany, inverse: "a", minimumCount: -1)), entity("B", back)]
        ),
        (
            "A.bs: the maximum count is 0, but must be at least 1",
            [entity("A", .init("bs", to: "B", .toMany, inverse: "a", maximumCount: 0)), entity("B", back)]
        ),
        (
            "A.bs: the minimum count 3 is greater than the maximum count 2",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "a", minimumCount: 3, maximumCount: 2)),
                entity("B", back),
            ]
        ),
        (
            "A.b: counts and an order can be declared only for to-many relationships",
            [entity("A", .init("b", to: "B", .toOne, maximumCount: 1)), entity("B")]
        ),
        (
            "A.b: counts and an order can be declared only for to-many relationships",
            [entity("A", .init("b", to: "B", .toOne, isOrdered: true)), entity("B")]
        ),
        (
            "A.bs: ownsForeignKey can be set only for to-one relationships",
            [entity("A", .init("bs", to: "B", .toMany, inverse: "a", ownsForeignKey: false)), entity("B", back)]
        ),
        (
            "A.b: a to-one relationship without a column needs an inverse that has one",
            [entity("A", .init("b", to: "B", .toOne, ownsForeignKey: false)), entity("B")]
        ),
        (
            "B.a: a to-one relationship without a column needs an inverse that has one",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "a")),
                entity("B", .init("a", to: "A", .toOne, inverse: "bs", ownsForeignKey: false)),
            ]
        ),
        (
            "A.b: of a one-to-one relationship exactly one side owns the foreign key; declare the other side with "
                + "ownsForeignKey: false",
            [entity("A", .init("b", to: "B", .toOne, inverse: "a")), entity("B", stored)]
        ),
        (
            "A.b: of a one-to-one relationship exactly one side owns the foreign key; declare the other side with "
                + "ownsForeignKey: false",
            [
                entity("A", .init("b", to: "B", .toOne, inverse: "a", ownsForeignKey: false)),
                entity("B", .init("a", to: "A", .toOne, inverse: "b", ownsForeignKey: false)),
            ]
        ),
        (
            "A.spouse: only a many-to-many relationship can be its own inverse",
            [entity("A", .init("spouse", to: "A", .toOne, inverse: "spouse"))]
        ),
        (
            "A.friends: a symmetric relationship cannot be ordered",
            [entity("A", .init("friends", to: "A", .toMany, inverse: "friends", isOrdered: true))]
        ),
        (
            "A.b: a mandatory inverse cannot be nullified: choose cascade or deny",
            [
                entity("A", .init("b", to: "B", .toOne, inverse: "a", ownsForeignKey: false)),
                entity("B", .init("a", to: "A", .toOne, inverse: "b", isOptional: false)),
            ]
        ),
        (
            "A.bs: an ordered one-to-many relationship must name the destination's attribute of sort keys in "
                + "orderingAttribute",
            [entity("A", .init("bs", to: "B", .toMany, inverse: "a", isOrdered: true)), entity("B", back)]
        ),
        (
            "A.bs: B.rank must be an integer64 attribute that is neither immutable nor unique",
            [entity("A", .init("bs", to: "B", .toMany, inverse: "a", orderingAttribute: "rank")), entity("B", back)]
        ),
        (
            "A.bs: B.rank must be an integer64 attribute that is neither immutable nor unique",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "a", orderingAttribute: "rank")),
                entity("B", back, attributes: [.init("rank", .integer64, isUnique: true)]),
            ]
        ),
        (
            "C.bs: B.rank orders another relationship already",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "a", orderingAttribute: "rank")),
                entity(
                    "B", back, .init("c", to: "C", .toOne, inverse: "bs"), attributes: [.init("rank", .integer64)]),
                entity("C", .init("bs", to: "B", .toMany, inverse: "c", orderingAttribute: "rank")),
            ]
        ),
        (
            "A.bs: a many-to-many relationship stores its order in its join rows; remove orderingAttribute",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "as", orderingAttribute: "rank")),
                entity(
                    "B", .init("as", to: "A", .toMany, inverse: "bs"), attributes: [.init("rank", .integer64)]),
            ]
        ),
        (
            "A.bs: the name of its table, “A_bs”, is already used or reserved; rename the relationship",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "as")),
                entity("B", .init("as", to: "A", .toMany, inverse: "bs")), entity("a_BS"),
            ]
        ),
        (
            "A.bs: the name of its table, “A_bs”, is already used or reserved; rename the relationship",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "as")),
                entity("B", .init("as", to: "A", .toMany, inverse: "bs")),
                entity("A_bs_target"),
            ]
        ),
        (
            "strata.bs: the name of its table, “strata_bs”, is already used or reserved; rename the relationship",
            [
                entity("strata", .init("bs", to: "B", .toMany, inverse: "as")),
                entity("B", .init("as", to: "strata", .toMany, inverse: "bs")),
            ]
        ),
        (
            "A.bs: the form of the join rows in files can be declared only for many-to-many relationships",
            [
                entity("A", .init("bs", to: "B", .toMany, inverse: "a", externalLink: list)),
                entity("B", back),
            ]
        ),
        (
            "B.as: the form of the join rows in files is declared at both sides of the relationship; declare it at one side",
            linked(list, back: list)
        ),
        (
            "A.bs: a list requires a separator between two elements",
            linked(.list(ExternalList(column: "bs", separator: "")))
        ),
        (
            "A.bs: the inverse is ordered, which a list cannot store; use a table of join rows",
            linked(list, isInverseOrdered: true)
        ),
        (
            "A.bs: files cannot refer to B by “code”, which is not one of its columns",
            linked(.list(ExternalList(column: "bs", property: "code")))
        ),
        (
            "A.bs: an ordered relationship must have a column of positions in files, and other relationships must not "
                + "have one",
            linked(table("b", position: "place"))
        ),
        (
            "A.bs: an ordered relationship must have a column of positions in files, and other relationships must not "
                + "have one",
            linked(table("b"), isInverseOrdered: true)
        ),
        ("A.bs: the dataset “pairs” has a column twice", linked(table("a"))),
    ]

    @Test("a relationship that cannot be stored or enforced is rejected", arguments: mistakes)
    func refused(_ message: String, _ entities: [EntityDescription]) throws {
        let error = try persistenceError { _ = try ManagedObjectModel(entities) }
        #expect(error.code == .invalidModel)
        #expect("\(error)" == message)
    }

    @Test(
        "every delete rule is valid for every kind of relationship",
        arguments: [DeleteRule.nullify, .cascade, .deny, .noAction])
    func deleteRules(_ rule: DeleteRule) throws {
        _ = try ManagedObjectModel([
            Self.entity(
                "A", .init("b", to: "B", .toOne, deleteRule: rule),
                .init("bs", to: "B", .toMany, inverse: "as", deleteRule: rule),
                .init("first", to: "B", .toOne, inverse: "last", deleteRule: rule, ownsForeignKey: false),
                .init("parent", to: "A", .toOne, inverse: "children", deleteRule: rule),
                .init("children", to: "A", .toMany, inverse: "parent", deleteRule: rule)),
            Self.entity(
                "B", .init("as", to: "A", .toMany, inverse: "bs", deleteRule: rule),
                .init("last", to: "A", .toOne, inverse: "first", deleteRule: rule)),
        ])
    }

    @Test("a one-to-one relationship has a unique column on one side and no column on the other side")
    func oneToOne() throws {
        let model = try ManagedObjectModel([
            Self.entity("A", .init("b", to: "B", .toOne, inverse: "a", ownsForeignKey: false)),
            Self.entity("B", Self.stored),
            Self.entity("C", .init("a", to: "A", .toOne)),
        ])
        #expect(try model.entity(named: "A").columns.map(\.name) == [])
        #expect(try model.entity(named: "B").columns.map(\.isUnique) == [true])
        #expect(try model.entity(named: "C").columns.map(\.isUnique) == [false])
        #expect(try model.json().contains(#""isUnique":true,"name":"a""#))
    }

    @Test("both sides of a many-to-many relationship use the same join table")
    func joins() throws {
        let model = try ManagedObjectModel([
            Self.entity(
                "A", .init("bs", to: "B", .toMany, inverse: "as", isOrdered: true),
                .init("next", to: "A", .toMany, inverse: "previous"),
                .init("previous", to: "A", .toMany, inverse: "next", isOrdered: true),
                .init("friends", to: "A", .toMany, inverse: "friends")),
            Self.entity("B", .init("as", to: "A", .toMany, inverse: "bs")),
        ])
        #expect(model.joins.map(\.name) == ["A_bs", "A_next", "A_friends"])
        #expect(model.joins.map(\.isSourceOrdered) == [true, false, false])
        #expect(model.joins.map(\.isTargetOrdered) == [false, true, false])
        #expect(model.joins.map(\.isSymmetric) == [false, false, true])
        #expect(model.joins.map(\.targetRelationship) == ["as", "previous", "friends"])
        let (forth, back) = (try #require(model.join(of: "bs", in: "A")), try #require(model.join(of: "as", in: "B")))
        #expect(forth.join == back.join)
        #expect(forth.isSource && !back.isSource)
        #expect(try #require(model.join(of: "friends", in: "A")).isSource)
        #expect(try !#require(model.join(of: "previous", in: "A")).isSource)
        #expect(model.join(of: "bs", in: "B") == nil)
        #expect(model.joins(touching: "B").map(\.name) == ["A_bs"])
    }

    @Test("the JSON of a model that uses no newer features contains no keys of newer features")
    func oldJSON() throws {
        let model = try ManagedObjectModel([
            Self.entity("A", .init("bs", to: "B", .toMany, inverse: "a")), Self.entity("B", Self.back),
        ])
        let text = """
            {"entities":[{"name":"A","properties":[{"deleteRule":"nullify","destination":"B","inverse":"a",\
            "isOptional":true,"name":"bs","type":"toMany"}]},{"name":"B","properties":[{"deleteRule":"nullify",\
            "destination":"A","inverse":"bs","isOptional":true,"name":"a","type":"toOne"}]}]}
            """
        #expect(try model.json() == text)
    }

    @Test("a relationship may have equal minimum and maximum counts")
    func exactCount() throws {
        let model = try ManagedObjectModel([
            Self.entity("A", .init("bs", to: "B", .toMany, inverse: "a", minimumCount: 2, maximumCount: 2)),
            Self.entity("B", Self.back),
        ])
        #expect(model["A"]?.relationship(named: "bs")?.maximumCount == 2)
    }

    @Test("a difference in an attribute is reported, including the name of the attribute's domain")
    func attributeDifferences() throws {
        func model(_ attribute: AttributeDescription) throws -> ManagedObjectModel {
            try ManagedObjectModel([EntityDescription("A", [.attribute(attribute)])])
        }
        let old = try model(.init("day", .date))
        let new = try model(
            .init("day", .date, isOptional: true, isImmutable: true, domain: AttributeDomain(name: "Late") { $0 }))
        #expect(
            try new.differences(fromJSON: old.json()) == [
                "A.day is date in the store, optional date, immutable, domain Late in the model"
            ])
    }

    @Test("a difference in the order of one side of a many-to-many relationship is reported")
    func orderDifferences() throws {
        func model(_ isOrdered: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                Self.entity("A", .init("bs", to: "B", .toMany, inverse: "as", isOrdered: isOrdered)),
                Self.entity("B", .init("as", to: "A", .toMany, inverse: "bs")),
            ])
        }
        let words = "optional toMany, to B, inverse as, delete rule nullify"
        #expect(
            try model(true).differences(fromJSON: model(false).json())
                == ["A.bs is \(words) in the store, \(words), ordered in the model"])
    }

    @Test("a difference in a relationship is reported")
    func differences() throws {
        func model(_ relationship: RelationshipDescription) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                Self.entity("A", relationship),
                Self.entity("B", Self.back, attributes: [.init("rank", .integer64)]),
            ])
        }
        let old = try model(.init("bs", to: "B", .toMany, inverse: "a"))
        let new = try model(
            .init(
                "bs", to: "B", .toMany, inverse: "a", isOptional: false, minimumCount: 1, maximumCount: 9,
                orderingAttribute: "rank"))
        #expect(
            try new.differences(fromJSON: old.json()) == [
                "A.bs is optional toMany, to B, inverse a, delete rule nullify in the store, toMany, to B, inverse a, "
                    + "delete rule nullify, minimum count 1, maximum count 9, ordered by rank in the model"
            ])
    }
}
