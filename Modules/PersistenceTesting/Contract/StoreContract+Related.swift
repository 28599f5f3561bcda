import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// Returns the condition that the name equals a text.
    private static func isNamed(_ name: String) -> FetchCondition {
        .compare(.property("name"), .equal, .constant(.string(name)))
    }

    /// Returns the condition that the title equals a text.
    private static func isTitled(_ title: String) -> FetchCondition {
        .compare(.property("title"), .equal, .constant(.string(title)))
    }

    /// Fills a store with a company.
    ///
    /// Research (1) has Ann (1) and Bob (2). Sales (2) has Cid (3). Law (3) has no people. Dee (4) is in no department.
    /// Ann heads Research and is a friend of Cid. Bob follows Ann and Cid. Ann and Dee have passports.
    static func fillCompany(_ probe: ContractProbe) throws {
        try probe.insert(
            "Department",
            [(1, "Research"), (2, "Sales"), (3, "Law")].map { ($0.0, ["name": .string($0.1)]) })
        let people: [(id: Int64, name: String, age: Int64?, department: Int64?)] = [
            (1, "Ann", 40, 1), (2, "Bob", 30, 1), (3, "Cid", 50, 2), (4, "Dee", nil, nil),
        ]
        try probe.insert(
            "Person",
            people.map { person in
                (
                    person.id,
                    [
                        "name": .string(person.name), "age": person.age.map(StoredValue.integer) ?? .null,
                        "department": person.department.map(StoredValue.integer) ?? .null,
                    ]
                )
            })
        try probe.insert(
            "Passport",
            [
                (1, ["number": .string("A1"), "holder": .integer(1)]),
                (2, ["number": .string("D4"), "holder": .integer(4)]), (3, ["number": .string("none")]),
            ])
        var changes = probe.linking("Person_friends", adding: [(3, 1)])
        changes.joins["Person_follows"] =
            probe.linking("Person_follows", adding: [(2, 1), (2, 3)])
            .joins["Person_follows"]
        changes["Department"].updates = [try probe.update("Department", id: 1, ["head": .integer(1)])]
        try probe.save(changes)
    }

    /// The checks of conditions on related objects.
    ///
    /// A condition can apply to the rows that a relationship references. A store must:
    ///
    /// - follow to-one, one-to-one, to-many, many-to-many and symmetric relationships, from either side
    /// - consider the condition true if at least one related row fulfills it, and false if there is no related row
    /// - return every row once, also if several related rows fulfill the condition
    /// - negate the whole condition, not the condition on the related row
    /// - accept nested conditions, also several times along one relationship of an entity to itself
    /// - throw an error only for related rows that exist and whose condition fails
    /// - reject an unknown relationship, or an attribute of another entity, with the code `invalidRequest`
    static var related: [Check] {
        [
            Check("a condition follows a reference, and is false if the reference is null") { probe in
                try fillCompany(probe)
                let research = FetchCondition.related("department", isNamed("Research"))
                probe.expectEqual(try probe.ids("Person", where: research), [1, 2], "people of research")
                probe.expectEqual(try probe.ids("Person", where: .not(research)), [3, 4], "all others")
                let any = FetchCondition.related("department", .constant(true))
                probe.expectEqual(try probe.ids("Person", where: any), [1, 2, 3], "people of any department")
                let isTrue = FetchCondition.isTrue(.truth(.not(research)))
                probe.expectEqual(try probe.ids("Person", where: isTrue), [3, 4], "all others, as a value")
                let none = FetchCondition.related("department", isNamed("Tax"))
                probe.expectEqual(try probe.ids("Person", where: .not(none)), [1, 2, 3, 4], "people not of tax")
            },
            Check("a to-many condition needs at least one related object that fulfills it") { probe in
                try fillCompany(probe)
                let older = FetchCondition.compare(.property("age"), .greater, .constant(.integer(35)))
                let departments = FetchCondition.related("members", older)
                probe.expectEqual(try probe.ids("Department", where: departments), [1, 2], "with a person over 35")
                let every = FetchCondition.not(.related("members", .not(older)))
                probe.expectEqual(try probe.ids("Department", where: every), [2, 3], "with no other")
                let empty = FetchCondition.not(.related("members", .constant(true)))
                probe.expectEqual(try probe.ids("Department", where: empty), [3], "with no person")
            },
            Check("a negated condition on related objects is true if no object fulfills the condition") { probe in
                try fillCompany(probe)
                let condition = FetchCondition.not(.related("members", isNamed("Ann")))
                probe.expectEqual(try probe.ids("Department", where: condition), [2, 3], "departments without Ann")
            },
            Check("a one-to-one relationship is followed from the sides with and without the column") { probe in
                try fillCompany(probe)
                let number = FetchCondition.compare(.property("number"), .equal, .constant(.string("D4")))
                probe.expectEqual(try probe.ids("Person", where: .related("passport", number)), [4], "holds D4")
                let none = FetchCondition.not(.related("passport", .constant(true)))
                probe.expectEqual(try probe.ids("Person", where: none), [2, 3], "hold none")
                let held = FetchCondition.related("holder", isNamed("Ann"))
                probe.expectEqual(try probe.ids("Passport", where: held), [1], "Ann's passport")
            },
            Check("many-to-many relationships are followed from both ends") { probe in
                try probe.insert("Article", [(1, ["slug": .string("a")]), (2, ["slug": .string("b")]), (3, [:])])
                try probe.insert("Tag", [(1, ["word": .string("x")]), (2, ["word": .string("y")])])
                try probe.save(probe.linking("Article_tags", adding: [(1, 1), (1, 2), (2, 2)]))
                let x = FetchCondition.related("tags", .compare(.property("word"), .equal, .constant(.string("x"))))
                probe.expectEqual(try probe.ids("Article", where: x), [1], "articles with x")
                probe.expectEqual(try probe.ids("Article", where: .not(x)), [2, 3], "articles without")
                let b = FetchCondition.related("articles", .compare(.property("slug"), .equal, .constant(.string("b"))))
                probe.expectEqual(try probe.ids("Tag", where: b), [2], "tags of b")
                probe.expectEqual(try probe.ids("Tag", where: .related("articles", x)), [1, 2], "tags next to x")
            },
            Check(
                "a symmetric relationship is followed from both ends, and an asymmetric one in one direction"
            ) {
                probe in
                try fillCompany(probe)
                probe.expectEqual(
                    try probe.ids("Person", where: .related("friends", isNamed("Ann"))), [3], "friends of Ann")
                probe.expectEqual(
                    try probe.ids("Person", where: .related("friends", isNamed("Cid"))), [1], "friends of Cid")
                probe.expectEqual(
                    try probe.ids("Person", where: .related("follows", isNamed("Cid"))), [2], "who follows Cid")
                probe.expectEqual(
                    try probe.ids("Person", where: .related("followers", isNamed("Bob"))), [1, 3], "whom Bob follows")
                probe.expectEqual(
                    try probe.ids("Person", where: .related("follows", isNamed("Bob"))), [], "who follows Bob")
            },
            Check("nested conditions on an entity's relationship to itself apply to the right level") { probe in
                let rows: [(Int64, String, Int64?)] = [
                    (1, "a", nil), (2, "b", 1), (3, "a", 2), (4, "b", 3), (5, "c", 5),
                ]
                try probe.insert(
                    "Node",
                    rows.map { id, title, parent in
                        (id, ["title": .string(title), "parent": parent.map(StoredValue.integer) ?? .null])
                    })
                let a = isTitled("a")
                probe.expectEqual(try probe.ids("Node", where: .related("parent", a)), [2, 4], "below a")
                let below = FetchCondition.related("parent", isTitled("b") && .related("parent", a))
                probe.expectEqual(try probe.ids("Node", where: below), [3], "below b below a")
                let above = FetchCondition.related("children", isTitled("b") && .related("children", a))
                probe.expectEqual(try probe.ids("Node", where: above), [1], "above b above a")
                let sibling = FetchCondition.related("parent", .related("children", isTitled("c")))
                probe.expectEqual(try probe.ids("Node", where: sibling), [5], "next to c")
                let within = a && FetchCondition.related("children", isTitled("b")) && .not(.related("parent", a))
                probe.expectEqual(try probe.ids("Node", where: within), [1, 3], "a above b and not below a")
            },
            Check("conditions on related objects can be nested") { probe in
                try fillCompany(probe)
                let condition = FetchCondition.related(
                    "department", .related("head", .related("friends", isNamed("Cid"))))
                probe.expectEqual(try probe.ids("Person", where: condition), [1, 2], "whose head is a friend of Cid's")
                let other = FetchCondition.related(
                    "department", .related("members", .related("follows", isNamed("Cid"))))
                probe.expectEqual(try probe.ids("Person", where: other), [1, 2], "next to a follower of Cid")
                let not = FetchCondition.related(
                    "department", .not(.related("members", .related("follows", isNamed("Cid")))))
                probe.expectEqual(try probe.ids("Person", where: not), [3], "next to no follower")
            },
            Check("a condition on related objects fails only if a related object causes an error") { probe in
                try probe.insert("Owner", [(1, ["rank": .integer(2)]), (2, ["rank": .integer(0)])])
                try probe.insert("Part", [(1, ["owner": .integer(1)]), (2, [:])])
                let quotient = FetchOperand.arithmetic(.constant(.integer(10)), .divideWhole, .property("rank"))
                let condition = FetchCondition.related("owner", .compare(quotient, .equal, .constant(.integer(5))))
                probe.expectEqual(
                    try probe.ids("Part", where: condition), [1], "the parts, while no part is of owner 2")
                try probe.insert("Part", [(3, ["owner": .integer(2)])])
                probe.expectError(.arithmetic, "a part of owner 2") { _ = try probe.ids("Part", where: condition) }
            },
            Check("a condition on an unknown relationship or attribute is rejected") { probe in
                for (entity, name) in [("Person", "boss"), ("Person", "name"), ("Department", "tags")] {
                    probe.expectError(.invalidRequest, "\(entity).\(name)") {
                        _ = try probe.ids(entity, where: .related(name, .constant(true)))
                    }
                }
                probe.expectError(.invalidRequest, "an attribute of the wrong entity") {
                    _ = try probe.ids("Person", where: .related("department", isTitled("x")))
                }
            },
        ]
    }

    /// The checks of the numbers of related objects.
    ///
    /// A store must count the related rows of every kind of relationship, with or without a condition on them. The
    /// count is 0 without related rows, and not null. It can be compared, used in calculations and nested in another
    /// count.
    static var relatedCounts: [Check] {
        [
            Check("related objects that fulfill a condition can be counted") { probe in
                try fillCompany(probe)
                func count(_ name: String, _ condition: FetchCondition = .constant(true)) -> FetchOperand {
                    .relatedCount(name, condition)
                }
                func ids(_ entity: String, _ operand: FetchOperand, _ comparison: FetchComparison, _ number: Int64)
                    throws
                    -> [Int64]
                {
                    try probe.ids(entity, where: .compare(operand, comparison, .constant(.integer(number))))
                }
                probe.expectEqual(try ids("Department", count("members"), .equal, 2), [1], "two members")
                probe.expectEqual(try ids("Department", count("members"), .less, 2), [2, 3], "fewer members")
                probe.expectEqual(try ids("Department", count("members"), .equal, 0), [3], "no members")
                probe.expectEqual(
                    try ids("Department", count("members", isNamed("Ann")), .greaterOrEqual, 1), [1], "Anns")
                probe.expectEqual(try ids("Person", count("department"), .equal, 0), [4], "no department")
                probe.expectEqual(try ids("Person", count("passport"), .equal, 1), [1, 4], "a passport")
                probe.expectEqual(try ids("Person", count("friends"), .equal, 1), [1, 3], "a friend")
                probe.expectEqual(try ids("Person", count("follows"), .equal, 2), [2], "follows two")
                probe.expectEqual(try ids("Person", count("followers"), .notEqual, 0), [1, 3], "followed")
                let nested = count("members", .compare(count("friends"), .equal, .constant(.integer(1))))
                probe.expectEqual(try ids("Department", nested, .equal, 1), [1, 2], "a member with a friend")
                let sum = FetchOperand.arithmetic(count("follows"), .add, count("followers"))
                probe.expectEqual(try ids("Person", sum, .greater, 0), [1, 2, 3], "follow or are followed")
                let isGreater = FetchCondition.compare(count("follows"), .greater, count("friends"))
                probe.expectEqual(try probe.ids("Person", where: isGreater), [2], "follows more than befriends")
            }
        ]
    }
}
