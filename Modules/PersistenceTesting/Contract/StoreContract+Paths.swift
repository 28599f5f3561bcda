import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// Returns the value of a property of the row that a to-one relationship references.
    private static func across(_ relationship: String, _ property: String) -> FetchOperand {
        .related(relationship, .property(property))
    }

    private static func text(_ text: String) -> FetchOperand { .constant(.string(text)) }

    /// The checks of values that are read across to-one relationships.
    ///
    /// A path such as `department.head.age` reads a value of another row. A store must:
    ///
    /// - return null if a reference on the path is null, and then apply the rules for null
    /// - follow one-to-one relationships from both sides
    /// - accept paths in conditions, calculations, text searches, lists and sort keys
    /// - sort rows without a value first, and keep the identifier as the last sort key
    /// - throw an arithmetic error only for rows whose related row causes it
    /// - reject paths across to-many relationships, with unknown or empty names, or with thousands of parts
    static var paths: [Check] {
        [
            Check("a path across to-one relationships returns a value, or null without a related object") { probe in
                try fillCompany(probe)
                func ids(_ condition: FetchCondition) throws -> [Int64] { try probe.ids("Person", where: condition) }
                let department = across("department", "name")
                probe.expectEqual(try ids(.compare(department, .equal, text("Research"))), [1, 2], "of research")
                probe.expectEqual(try ids(.compare(department, .notEqual, text("Research"))), [3, 4], "of others")
                probe.expectEqual(try ids(.compare(department, .equal, .constant(.null))), [4], "of none")
                probe.expectEqual(try ids(.compare(department, .less, text("Z"))), [1, 2, 3], "before Z")
                probe.expectEqual(try ids(.not(.compare(department, .less, text("Z")))), [4], "not before Z")
                probe.expectEqual(try ids(.contains(department, text("le"))), [3], "with le")
                probe.expectEqual(try ids(.isIn(department, [.string("Sales"), .null])), [3, 4], "of sales or none")
                let number = across("passport", "number")
                probe.expectEqual(try ids(.compare(number, .equal, text("D4"))), [4], "holds D4")
                probe.expectEqual(try ids(.compare(number, .equal, .constant(.null))), [2, 3], "holds none")
                let head = FetchOperand.related("department", across("head", "age"))
                let isYounger = FetchCondition.compare(.property("age"), .less, head)
                probe.expectEqual(try ids(isYounger), [2], "younger than the head")
                let sum = FetchOperand.related("department", .arithmetic(.property("id"), .add, .constant(.integer(1))))
                probe.expectEqual(try ids(.compare(sum, .equal, .constant(.integer(2)))), [1, 2], "calculated")
                let heads = FetchOperand.related("department", .relatedCount("members", .constant(true)))
                probe.expectEqual(try ids(.compare(heads, .greater, .constant(.integer(1)))), [1, 2], "not alone")
            },
            Check("an operand across a relationship fails only if a related object causes an error") { probe in
                try probe.insert("Owner", [(1, ["rank": .integer(Int64.max)]), (2, ["rank": .integer(1)])])
                try probe.insert("Part", [(1, ["owner": .integer(1)]), (2, ["owner": .integer(2)]), (3, [:])])
                let next = FetchOperand.related("owner", .arithmetic(.property("rank"), .add, .constant(.integer(1))))
                let isTwo = FetchCondition.compare(next, .equal, .constant(.integer(2)))
                let others = FetchCondition.not(.compare(.property("owner"), .equal, .constant(.integer(1))))
                probe.expectEqual(try probe.ids("Part", where: others && isTwo), [2], "parts of others")
                probe.expectError(.arithmetic, "all parts") { _ = try probe.ids("Part", where: isTwo) }
            },
            Check("rows are sorted by a path across to-one relationships, with rows without a value first") {
                probe in
                try fillCompany(probe)
                func ids(_ entity: String, _ keys: StoreRequest.Sort...) throws -> [Int64] {
                    try probe.ids(entity, sort: keys)
                }
                probe.expectEqual(try ids("Person", .init("department.name")), [4, 1, 2, 3], "by department")
                probe.expectEqual(
                    try ids("Person", .init("department.name", descending: true), .init("age")), [3, 2, 1, 4],
                    "by department, descending, and age")
                probe.expectEqual(try ids("Person", .init("passport.number")), [2, 3, 1, 4], "by passport")
                probe.expectEqual(
                    try ids("Person", .init("department.head.id"), .init("name", descending: true)), [4, 3, 2, 1],
                    "by the department's head")
                probe.expectEqual(
                    try probe.ids("Passport", sort: [.init("holder.department.name")], limit: 2), [2, 3],
                    "the first two passports by department")
            },
            Check("a path with a to-many relationship or an unknown property is rejected") { probe in
                let values: [FetchOperand] = [
                    across("members", "name"), across("name", "name"), across("head", "nothing"), across("", ""),
                    .related("head", across("friends", "name")),
                ]
                for value in values {
                    let request = StoreRequest("Department", where: .compare(value, .equal, text("a")))
                    probe.expectError(.invalidRequest, "\(value)") { _ = try probe.store.count(request) }
                }
                let deep = Array(repeating: "department.head", count: 5_000).joined(separator: ".")
                for path in ["members.name", "name.name", "head.nothing", "head.", ".name", ".", "head.friends", deep] {
                    let request = StoreRequest("Department", sort: [.init(path)])
                    probe.expectError(.invalidRequest, "the sort path \(path.prefix(40))") {
                        _ = try probe.store.rows(request)
                    }
                }
            },
        ]
    }
}
