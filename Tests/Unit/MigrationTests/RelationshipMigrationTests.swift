import StrataCore
import StrataPersistence
import StrataStoreKit
import Testing

/// Migration of relationships.
@Suite("Migration of relationships")
struct RelationshipMigrationTests {
    /// Orders with one customer each.
    private static let orders = [
        EntityDescription(
            "Order", [attribute("number", .integer64), relationship("customer", to: "Customer", inverse: "orders")]),
        EntityDescription(
            "Customer", [attribute("name"), relationship("orders", to: "Order", .toMany, inverse: "customer")]),
    ]
    private static let rows: [String: [Int64: [StoredValue]]] = [
        "Order": [1: [.integer(10), .integer(5)], 2: [.integer(20), .integer(5)], 3: [.integer(30), .null]],
        "Customer": [5: [.string("Ada")], 6: [.string("Grace")]],
    ]

    private static func pairs(_ store: any PersistentStore, _ join: String) throws -> Set<[Int64]> {
        Set(try store.joins(JoinRequest(join)).map { [$0.pair.source, $0.pair.target] })
    }

    @Test(
        "dropping one side of a relationship is reported as a step that changes no row", arguments: StoreKind.allCases)
    func missingEnd(_ kind: StoreKind) throws {
        let song = EntityDescription(
            "Song", [attribute("title"), relationship("singer", to: "Singer", inverse: "songs")])
        let alone = EntityDescription("Song", [attribute("title"), relationship("singer", to: "Singer")])
        let songs = relationship("songs", to: "Song", .toMany, inverse: "singer")
        let rows: [String: [Int64: [StoredValue]]] = [
            "Singer": [1: [.string("a")]], "Song": [1: [.string("b"), .integer(1)]],
        ]
        let earlier = try EarlierStore(
            kind, [EntityDescription("Singer", [attribute("name"), songs]), song], rows: rows)
        let later = [EntityDescription("Singer", [attribute("name")]), alone]
        let step = try #require(try earlier.preview(later).steps.first { $0.kind == .remove })
        #expect(step.entity == "Singer" && step.attribute == "songs" && !step.isPhysical)
        #expect(try earlier.open(later).values("Song") == rows["Song"])
    }

    @Test(
        "a reference can be added and renamed, and is dropped only if the options name the reference",
        arguments: StoreKind.allCases)
    func references(_ kind: StoreKind) throws {
        let plain = [
            EntityDescription("Order", [attribute("number", .integer64)]),
            EntityDescription("Customer", [attribute("name")]),
        ]
        let added = try EarlierStore(
            kind, plain, rows: ["Order": [1: [.integer(10)]], "Customer": [5: [.string("Ada")]]]
        ).open(Self.orders)
        #expect(try added.values("Order") == [1: [.integer(10), .null]])
        let earlier = try EarlierStore(kind, Self.orders, rows: Self.rows)
        let renamed = try earlier.open([
            EntityDescription(
                "Order",
                [
                    attribute("number", .integer64),
                    relationship("buyer", to: "Customer", inverse: "purchases", from: "customer"),
                ]),
            EntityDescription(
                "Customer",
                [attribute("name"), relationship("purchases", to: "Order", .toMany, inverse: "buyer", from: "orders")]),
        ])
        #expect(try renamed.values("Order") == Self.rows["Order"])
        let other = try EarlierStore(kind, Self.orders, rows: Self.rows)
        let error = try #require(failure { _ = try other.open(plain) })
        #expect(error.code == .dataLoss)
        #expect(error.message.contains("Order.customer (2 values)"))
    }

    @Test(
        "a to-one relationship can become many-to-many with the join table on either side",
        arguments: StoreKind.allCases,
        [true, false])
    func manyToMany(_ kind: StoreKind, _ isOwnerFirst: Bool) throws {
        let order = EntityDescription(
            "Order",
            [
                attribute("number", .integer64),
                relationship("customers", to: "Customer", .toMany, inverse: "orders", from: "customer"),
            ])
        let customer = EntityDescription(
            "Customer", [attribute("name"), relationship("orders", to: "Order", .toMany, inverse: "customers")])
        let store = try EarlierStore(kind, Self.orders, rows: Self.rows).open(
            isOwnerFirst ? [order, customer] : [customer, order])
        #expect(try store.values("Order") == [1: [.integer(10)], 2: [.integer(20)], 3: [.integer(30)]])
        if isOwnerFirst {
            #expect(try Self.pairs(store, "Order_customers") == [[1, 5], [2, 5]])
        } else {
            #expect(try Self.pairs(store, "Customer_orders") == [[5, 1], [5, 2]])
        }
    }

    @Test(
        "an ordered list can become unordered, and an unordered list can become ordered", arguments: StoreKind.allCases)
    func ordered(_ kind: StoreKind) throws {
        func model(_ isOrdered: Bool) -> [EntityDescription] {
            [
                EntityDescription(
                    "List", [relationship("songs", to: "Song", .toMany, inverse: "lists", ordered: isOrdered)]),
                EntityDescription(
                    "Song", [attribute("title"), relationship("lists", to: "List", .toMany, inverse: "songs")]),
            ]
        }
        let rows: [String: [Int64: [StoredValue]]] = [
            "List": [1: []], "Song": [1: [.string("a")], 2: [.string("b")]],
        ]
        let pairs = [1, 2].map { JoinRow(JoinPair(source: 1, target: $0), sourcePosition: 3 - $0) }
        let plain = try EarlierStore(kind, model(true), rows: rows, pairs: ["List_songs": pairs]).open(model(false))
        #expect(try Self.pairs(plain, "List_songs") == [[1, 1], [1, 2]])
        let store = try EarlierStore(kind, model(false), rows: rows, pairs: ["List_songs": pairs]).open(model(true))
        #expect(try store.joins(JoinRequest("List_songs", of: .source, ids: [1])).map(\.sourcePosition) == [nil, nil])
        #expect(try Self.pairs(store, "List_songs") == [[1, 1], [1, 2]])
    }

    @Test(
        "ordering join rows changes the tables, and ordering by an attribute changes only the model",
        arguments: StoreKind.allCases)
    func orders(_ kind: StoreKind) throws {
        func model(ordered: Bool = false, by attributeName: String? = nil) -> [EntityDescription] {
            [
                EntityDescription(
                    "List",
                    [
                        relationship("songs", to: "Song", .toMany, inverse: "list", by: attributeName),
                        relationship("picks", to: "Song", .toMany, inverse: "pickedBy", ordered: ordered),
                    ]),
                EntityDescription(
                    "Song",
                    [
                        attribute("place", .integer64), relationship("list", to: "List", inverse: "songs"),
                        relationship("pickedBy", to: "List", .toMany, inverse: "picks"),
                    ]),
            ]
        }
        let earlier = try EarlierStore(kind, model())
        let byPlace = try earlier.preview(model(by: "place"))
        #expect(byPlace.steps.map(\.description) == ["change-relationship List.songs"])
        #expect(!byPlace.isPhysical)
        let amongPairs = try earlier.preview(model(ordered: true))
        #expect(
            amongPairs.steps.map(\.description)
                == ["change-relationship List.picks", "change-relationship Song.pickedBy"])
        #expect(amongPairs.isPhysical)
    }

    @Test(
        "a list ordered by an attribute keeps its order if the list is changed to join rows",
        arguments: StoreKind.allCases)
    func orderedByAttribute(_ kind: StoreKind) throws {
        let old = [
            EntityDescription(
                "Song", [attribute("place", .integer64), relationship("list", to: "List", inverse: "songs")]),
            EntityDescription("List", [relationship("songs", to: "Song", .toMany, inverse: "list", by: "place")]),
        ]
        let new = [
            EntityDescription(
                "Song",
                [
                    attribute("place", .integer64),
                    relationship("lists", to: "List", .toMany, inverse: "songs", from: "list"),
                ]),
            EntityDescription("List", [relationship("songs", to: "Song", .toMany, inverse: "lists", ordered: true)]),
        ]
        let earlier = try EarlierStore(
            kind, old,
            rows: ["Song": [1: [.integer(9), .integer(1)], 2: [.integer(4), .integer(1)]], "List": [1: []]])
        let store = try earlier.open(new)
        let rows = try store.joins(JoinRequest("Song_lists", of: .target, ids: [1]))
        #expect(rows.map(\.pair.source) == [2, 1])
    }

    @Test("the column of a one-to-one relationship can move to the other side", arguments: StoreKind.allCases)
    func otherSide(_ kind: StoreKind) throws {
        func model(_ keepsAtPerson: Bool) -> [EntityDescription] {
            [
                EntityDescription(
                    "Person",
                    [
                        attribute("name"),
                        relationship("passport", to: "Passport", inverse: "holder", keepsKey: keepsAtPerson),
                    ]),
                EntityDescription(
                    "Passport",
                    [
                        attribute("number"),
                        relationship("holder", to: "Person", inverse: "passport", keepsKey: !keepsAtPerson),
                    ]),
            ]
        }
        let earlier = try EarlierStore(
            kind, model(true),
            rows: [
                "Person": [1: [.string("Ada"), .integer(8)], 2: [.string("Grace"), .null]],
                "Passport": [8: [.string("P8")], 9: [.string("P9")]],
            ])
        let store = try earlier.open(model(false))
        #expect(try store.values("Person") == [1: [.string("Ada")], 2: [.string("Grace")]])
        #expect(try store.values("Passport") == [8: [.string("P8"), .integer(1)], 9: [.string("P9"), .null]])
    }

    @Test(
        "a many-to-one relationship can become one-to-one only if no object is referenced twice",
        arguments: StoreKind.allCases)
    func otherSideOfMany(_ kind: StoreKind) throws {
        let turned = [
            EntityDescription(
                "Order",
                [
                    attribute("number", .integer64),
                    relationship("client", to: "Client", inverse: "last", keepsKey: false, from: "customer"),
                ]),
            EntityDescription(
                "Client", [attribute("name"), relationship("last", to: "Order", inverse: "client", from: "orders")],
                renamedFrom: ["Customer"]),
        ]
        let shared = try EarlierStore(kind, Self.orders, rows: Self.rows)
        let error = try #require(failure { _ = try shared.open(turned) })
        #expect(error.code == .validation)
        #expect(
            error.message.hasSuffix(
                "Client.last references one object, but several rows referenced this row: 1 row, Client 5"),
            "\(error.message)")
        // The column cannot store a second reference, whatever the options allow.
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        #expect(failure { _ = try shared.open(turned, options) }?.message == error.message)
        var rows = Self.rows
        rows["Order"]?[2] = [.integer(20), .integer(6)]
        let earlier = try EarlierStore(kind, Self.orders, rows: rows)
        let store = try earlier.open(turned)
        #expect(try store.values("Order").mapValues { $0[0] } == rows["Order"]?.mapValues { $0[0] })
        let references = try store.values("Client").mapValues { $0[1] }
        #expect(references[5] == .integer(1))
        #expect(references[6] == .integer(2))
    }

    @Test(
        "a one-to-one relationship can become one-to-many, and back if no object is referenced twice",
        arguments: StoreKind.allCases)
    func oneToOne(_ kind: StoreKind) throws {
        let single = [
            EntityDescription(
                "Order", [attribute("number", .integer64), relationship("customer", to: "Customer", inverse: "orders")]),
            EntityDescription(
                "Customer",
                [attribute("name"), relationship("orders", to: "Order", inverse: "customer", keepsKey: false)]),
        ]
        let earlier = try EarlierStore(kind, Self.orders, rows: Self.rows)
        let error = try #require(failure { _ = try earlier.open(single) })
        #expect(error.code == .validation)
        #expect(error.message.hasSuffix("Order.customer is unique, but rows have equal values: 2 rows, Order 1, 2"))
        var rows = Self.rows
        rows["Order"]?[2] = [.integer(20), .integer(6)]
        let before = try EarlierStore(kind, Self.orders, rows: rows)
        let after = try EarlierStore(kind, single, rows: rows)
        defer { withExtendedLifetime((before, after)) {} }
        let store = try before.open(single)
        #expect(try store.values("Order") == rows["Order"])
        var changes = ChangeSet()
        changes["Order"].insertions = [.init(id: 4, values: [.null, .integer(6)])]
        #expect(failure { _ = try store.save(changes) }?.code == .uniqueness)
        let many = try after.open(Self.orders)
        #expect(try many.save(changes).isEmpty)
    }

    @Test(
        "a many-to-many relationship can become to-one only if its join rows may be dropped",
        arguments: StoreKind.allCases
    )
    func toOne(_ kind: StoreKind) throws {
        let many = [
            EntityDescription("Order", [relationship("customer", to: "Customer", .toMany, inverse: "orders")]),
            EntityDescription("Customer", [relationship("orders", to: "Order", .toMany, inverse: "customer")]),
        ]
        let one = [
            EntityDescription("Order", [relationship("customer", to: "Customer", inverse: "orders")]),
            EntityDescription("Customer", [relationship("orders", to: "Order", .toMany, inverse: "customer")]),
        ]
        let earlier = try EarlierStore(
            kind, many, rows: ["Order": [1: []], "Customer": [5: []]],
            pairs: ["Order_customer": [JoinRow(JoinPair(source: 1, target: 5))]])
        #expect(failure { _ = try earlier.open(one) }?.code == .dataLoss)
        var options = MigrationOptions()
        options.drops = .named(["Order.customer"])
        #expect(try earlier.open(one, options).values("Order") == [1: [.null]])
    }

    @Test(
        "a symmetric relationship can become two relationships, with join rows in both directions",
        arguments: StoreKind.allCases)
    func mutual(_ kind: StoreKind) throws {
        let mutual = [
            EntityDescription(
                "Person", [attribute("name"), relationship("friends", to: "Person", .toMany, inverse: "friends")])
        ]
        let people: [Int64: [StoredValue]] = [1: [.string("a")], 2: [.string("b")], 3: [.string("c")]]
        let earlier = try EarlierStore(
            kind, mutual, rows: ["Person": people],
            pairs: [
                "Person_friends": [JoinRow(JoinPair(source: 1, target: 2)), JoinRow(JoinPair(source: 2, target: 3))]
            ])
        defer { withExtendedLifetime(earlier) {} }
        let store = try earlier.open([
            EntityDescription(
                "Person",
                [
                    attribute("name"), relationship("friends", to: "Person", .toMany, inverse: "friendOf"),
                    relationship("friendOf", to: "Person", .toMany, inverse: "friends"),
                ])
        ])
        let join = try #require(store.model.joins.first?.name)
        #expect(try Self.pairs(store, join) == [[1, 2], [2, 1], [2, 3], [3, 2]])
        try store.close()
    }
}
