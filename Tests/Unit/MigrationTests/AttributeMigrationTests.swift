import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import Testing

/// Migration of attributes and their values.
@Suite("Migration of attributes")
struct AttributeMigrationTests {
    private static let rows: [Int64: [StoredValue]] = [
        1: [.string("Ada"), .integer(36)], 2: [.string("Grace"), .null], 7: [.null, .integer(-3)],
    ]

    private static func customer(_ properties: EntityDescription.Property...) -> [EntityDescription] {
        [EntityDescription("Customer", properties)]
    }

    private static func earlier(_ kind: StoreKind) throws -> EarlierStore {
        try EarlierStore(kind, customer(attribute("name"), attribute("age", .integer16)), rows: ["Customer": rows])
    }

    @Test("an added attribute is null or has its default in old rows", arguments: StoreKind.allCases)
    func added(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        defer { withExtendedLifetime(earlier) {} }
        let store = try earlier.open(
            Self.customer(
                attribute("name"), attribute("age", .integer16), attribute("phone"),
                attribute("level", .integer32, optional: false, default: .constant(.integer(3))),
                attribute("note", default: .constant(.string("it's “new”"))),
                attribute("seen", .date, optional: false, default: .now),
                attribute("token", .uuid, optional: false, default: .newUUID)))
        let values = try store.values("Customer")
        #expect(values.count == 3)
        for (id, row) in Self.rows {
            let now = try #require(values[id])
            #expect(Array(now[0...1]) == row)
            #expect(Array(now[2...4]) == [.null, .integer(3), .string("it's “new”")])
        }
        #expect(Set(values.values.map { $0[5] }).count == 1)
        #expect(Set(values.values.map { $0[6] }).count == 3)
        // New rows are written with the same columns.
        var changes = ChangeSet()
        changes["Customer"].insertions = [
            .init(id: 8, values: [.null, .null, .null, .integer(0), .null, .date(Date()), .uuid(UUID())])
        ]
        #expect(try store.save(changes).isEmpty)
        #expect(try store.reserveIdentifiers(1, of: "Customer") == 9...9)
    }

    @Test(
        "a new mandatory attribute without a default is rejected if the entity has rows", arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let model = Self.customer(attribute("name"), attribute("age", .integer16), attribute("phone", optional: false))
        let error = try #require(failure { _ = try earlier.open(model) })
        #expect(error.code == .validation)
        #expect(
            error.message == """
                rows of the store break rules of the model; nothing was changed:
                  Customer.phone is mandatory and new, but has no default: 3 rows, Customer 1, 2, 7
                """)
        #expect(
            try earlier.open(Self.customer(attribute("name"), attribute("age", .integer16))).values("Customer")
                == Self.rows)
        let empty = try EarlierStore(kind, Self.customer(attribute("name"), attribute("age", .integer16)))
        #expect(try empty.open(model).values("Customer").isEmpty)
    }

    @Test(
        "a renamed attribute keeps its values if the store has an older one of its earlier names",
        arguments: StoreKind.allCases)
    func renamed(_ kind: StoreKind) throws {
        let store = try Self.earlier(kind).open(
            Self.customer(attribute("fullName", from: "displayName", "name"), attribute("age", .integer16)))
        #expect(try store.values("Customer") == Self.rows)
        let request = StoreRequest(
            "Customer", where: .compare(.property("fullName"), .equal, .constant(.string("Ada"))))
        #expect(try store.count(request) == 1)
    }

    @Test(
        "attributes keep their values if two names are exchanged or a name changes its case",
        arguments: StoreKind.allCases)
    func crossing(_ kind: StoreKind) throws {
        let store = try Self.earlier(kind).open(
            Self.customer(attribute("AGE", .integer16), attribute("label", from: "name"), attribute("name", .integer64))
        )
        let values = try store.values("Customer")
        for (id, row) in Self.rows { #expect(values[id] == [row[1], row[0], .null]) }
    }

    @Test(
        "an attribute that exists under its current name keeps its values instead of those of its earlier name",
        arguments: StoreKind.allCases)
    func notRenamed(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("Item", [attribute("name"), attribute("title")])],
            rows: ["Item": [1: [.string("n"), .string("t")]]])
        var options = MigrationOptions()
        options.drops = .named(["Item.title"])
        let store = try earlier.open([EntityDescription("Item", [attribute("name", from: "title")])], options)
        #expect(try store.values("Item") == [1: [.string("n")]])
    }

    @Test(
        "an attribute with values is dropped only if the migration options name the attribute",
        arguments: StoreKind.allCases)
    func dropped(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let model = Self.customer(attribute("name"))
        let error = try #require(failure { _ = try earlier.open(model) })
        #expect(error.code == .dataLoss)
        #expect(error.entity == "Customer" && error.attribute == "age")
        #expect(
            error.message
                == "the migration would drop data; nothing was changed. Allow it by name: Customer.age (2 values)"
        )
        var options = MigrationOptions()
        options.drops = .named(["Customer.name"])
        #expect(failure { _ = try earlier.open(model, options) }?.code == .dataLoss)
        #expect(try earlier.preview(model).drops == [MigrationDrop(entity: "Customer", attribute: "age", count: 2)])
        options.drops = .named(["Customer.age"])
        #expect(
            try earlier.open(model, options).values("Customer").mapValues { $0[0] } == Self.rows.mapValues { $0[0] })
    }

    @Test("a probable rename is reported and not assumed", arguments: StoreKind.allCases)
    func hinted(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let error = try #require(
            failure { _ = try earlier.open(Self.customer(attribute("fullName"), attribute("age", .integer16))) })
        #expect(error.code == .dataLoss)
        #expect(
            error.message.hasSuffix(
                "Customer.name is missing and fullName is new: if it is the same property, state that fullName is "
                    + "renamed from name"
            ))
    }

    @Test(
        "an attribute can become mandatory if the attribute has a default for rows with null",
        arguments: StoreKind.allCases)
    func optionality(_ kind: StoreKind) throws {
        let earlier = try Self.earlier(kind)
        let error = try #require(
            failure {
                _ = try earlier.open(Self.customer(attribute("name", optional: false), attribute("age", .integer16)))
            })
        #expect(error.code == .validation)
        #expect(error.message.hasSuffix("Customer.name is mandatory, null is not allowed: 1 row, Customer 7"))
        let store = try earlier.open(
            Self.customer(
                attribute("name", optional: false, default: .constant(.string("?"))), attribute("age", .integer16)))
        #expect(try store.values("Customer")[7] == [.string("?"), .integer(-3)])
        #expect(try store.values("Customer")[1] == Self.rows[1])
    }

    @Test("a mandatory attribute can become optional", arguments: StoreKind.allCases)
    func loosened(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, Self.customer(attribute("name", optional: false)), rows: ["Customer": [1: [.string("Ada")]]])
        let store = try earlier.open(Self.customer(attribute("name")))
        var changes = ChangeSet()
        changes["Customer"].updates = [
            ChangeSet.Update(id: 1, expectedVersion: 1, values: [.null], changedColumns: [0])
        ]
        #expect(try store.save(changes).isEmpty)
    }

    @Test("the default of a new attribute of any type is stored unchanged in old rows", arguments: StoreKind.allCases)
    func defaults(_ kind: StoreKind) throws {
        let earlier = try EarlierStore(
            kind, [EntityDescription("Item", [attribute("name")])], rows: ["Item": [1: [.null]]])
        defer { withExtendedLifetime(earlier) {} }
        let values: [(AttributeType, StoredValue)] = [
            (.binary, .binary(Data(0...255))), (.string, .string("it's \"ä\"\\")), (.integer64, .integer(.min)),
            (.double, .double(0.1)), (.boolean, .boolean(true)),
            (.decimal(scale: 2), .decimal(ScaledDecimal(unscaled: -5, scale: 2))),
            (.uuid, .uuid(UUID(uuid: (0, 1, 15, 16, 17, 127, 128, 255, 0, 1, 2, 3, 4, 5, 6, 7)))),
        ]
        let attributes = values.enumerated().map { number, value in
            attribute("a\(number)", value.0, default: .constant(value.1))
        }
        let store = try earlier.open([EntityDescription("Item", [attribute("name")] + attributes)])
        #expect(try store.values("Item") == [1: [.null] + values.map(\.1)])
        try store.close()
    }
}
