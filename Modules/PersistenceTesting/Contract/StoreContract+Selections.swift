import Foundation
import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of selected values, groups and aggregates.
    ///
    /// A store that uses the default implementation of `StoreReader.select(_:_:)` obeys them. A store that evaluates
    /// selections by a database must:
    ///
    /// - ignore null operands, and treat null keys as one group that is sorted first
    /// - add whole numbers and decimals exactly, and throw an arithmetic error only if the final sum does not fit
    /// - round averages of decimals half away from zero
    /// - compare keys by their bytes, and minimum and maximum of texts with a format by their meaning
    /// - aggregate related objects once for each owner
    /// - take dates by the day in UTC that contains them
    static var selections: [Check] {
        [
            Check("an aggregate of no rows is null, or 0 for a count and a total") { probe in
                let results = try probe.select("Sample", allAggregates("long"))
                let zero = StoredValue.integer(0)
                probe.expectEqual(results, [[zero, zero, zero, .null, zero, .null, .null, .null]], "without keys")
                let keyed = StoreSelection.Grouping(by: [.property("text")])
                probe.expectEqual(
                    try probe.select("Sample", [.aggregate(.count)], keyed), [], "with keys there are no groups")
            },
            Check("aggregates ignore null, except the count of rows") { probe in
                try probe.insert(
                    "Sample",
                    [
                        (1, ["long": .integer(4), "ratio": .double(1.5), "price": price(250)]), (2, [:]),
                        (3, ["long": .integer(-1), "ratio": .double(0.25), "price": price(-1)]),
                        (4, ["long": .integer(4), "ratio": .double(1.5), "price": price(250)]),
                    ])
                let (four, three, two) = (StoredValue.integer(4), StoredValue.integer(3), StoredValue.integer(2))
                let whole: [StoredValue] = [
                    four, three, two, .integer(7), .integer(7), .double(7.0 / 3), .integer(-1), .integer(4),
                ]
                probe.expectEqual(try probe.select("Sample", allAggregates("long")), [whole], "of whole numbers")
                let doubles: [StoredValue] = [
                    four, three, two, .double(3.25), .double(3.25), .double(3.25 / 3), .double(0.25), .double(1.5),
                ]
                probe.expectEqual(try probe.select("Sample", allAggregates("ratio")), [doubles], "of doubles")
                let decimals: [StoredValue] = [
                    four, three, two, price(499), price(499), decimal(166_333_333, 8), price(-1), price(250),
                ]
                probe.expectEqual(try probe.select("Sample", allAggregates("price")), [decimals], "of decimals")
            },
            Check("a sum fails only if the final sum does not fit in 64 bits") { probe in
                let (most, one) = (StoredValue.integer(Int64.max), StoredValue.integer(1))
                try probe.insert(
                    "Sample",
                    [
                        (1, ["long": most, "price": price(Int64.max)]), (2, ["long": one, "price": price(1)]),
                        (3, ["long": .integer(-1), "price": price(-1)]),
                    ])
                let sums: [FetchOperand] = [
                    .aggregate(.sum(.property("long"))), .aggregate(.total(.property("price"))),
                ]
                probe.expectEqual(try probe.select("Sample", sums), [[most, price(Int64.max)]], "the sum fits")
                let first = FetchCondition.compare(.property("id"), .less, .constant(.integer(3)))
                for sum in sums {
                    probe.expectError(.arithmetic, "\(sum) of two rows") {
                        _ = try probe.select(StoreSelection(StoreRequest("Sample", where: first), [sum]))
                    }
                }
                let average = FetchOperand.aggregate(.average(.property("long")))
                probe.expectEqual(
                    try probe.select(StoreSelection(StoreRequest("Sample", where: first), [average])),
                    [[.double(0x1p62)]], "the average of a sum of 2^63")
            },
            Check("a sum of doubles that is not finite is an error") { probe in
                let large = StoredValue.double(1.5e308)
                try probe.insert("Sample", [(1, ["ratio": large]), (2, ["ratio": large])])
                for sum in [FetchAggregate.sum(.property("ratio")), .total(.property("ratio"))] {
                    probe.expectError(.arithmetic, "\(sum)") { _ = try probe.select("Sample", [.aggregate(sum)]) }
                }
                let maximum = FetchOperand.aggregate(.maximum(.property("ratio")))
                probe.expectEqual(try probe.select("Sample", [maximum]), [[large]], "the maximum")
            },
            Check("the average of decimals is rounded half away from zero") { probe in
                for (sign, id) in [(Int64(1), Int64(1)), (-1, 101)] {
                    let rows = (0..<32).map { row in
                        (id + Int64(row), ["text": StoredValue.string("\(sign)"), "price": price(row == 0 ? sign : 0)])
                    }
                    try probe.insert("Sample", rows)
                }
                // 0.01 / 32 is 0.0003125. A price times 10^-12, divided by 32, ends with a half of the eighteenth
                // digit.
                try probe.insert("Sample", [(201, ["text": .string("none")])])
                let average = FetchOperand.aggregate(.average(.property("price")))
                let grouping = StoreSelection.Grouping(by: [.property("text")])
                probe.expectEqual(
                    try probe.select("Sample", [.property("text"), average], grouping),
                    [
                        [.string("-1"), decimal(-31_250, 8)], [.string("1"), decimal(31_250, 8)],
                        [.string("none"), .null],
                    ], "averages")
                let half = FetchOperand.aggregate(.average(.arithmetic(.property("price"), .multiply, decimalUnit)))
                probe.expectEqual(
                    try probe.select("Sample", [.property("text"), half], grouping).map { $0.last ?? .null },
                    [decimal(-313, 18), decimal(313, 18), .null], "averages of the price times 10^-12")
            },
            Check("groups have equal keys, and null is one group that is first") { probe in
                try probe.insert(
                    "Sample",
                    [
                        (1, ["text": .string("b"), "long": .integer(2)]), (2, ["long": .integer(3)]),
                        (3, ["text": .string("B")]), (4, [:]), (5, ["text": .string("b"), "long": .integer(5)]),
                        (6, ["text": .string("b "), "long": .integer(5)]),
                    ])
                let columns: [FetchOperand] = [
                    .property("text"), .aggregate(.count), .aggregate(.sum(.property("long"))),
                ]
                let grouping = StoreSelection.Grouping(by: [.property("text")])
                let groups: [[StoredValue]] = [
                    [.null, .integer(2), .integer(3)], [.string("B"), .integer(1), .null],
                    [.string("b"), .integer(2), .integer(7)], [.string("b "), .integer(1), .integer(5)],
                ]
                probe.expectEqual(try probe.select("Sample", columns, grouping), groups, "by text")
                try windows(probe, columns, grouping, groups)
            },
            Check("the condition and the order of groups refer to keys, aggregates and calculations") { probe in
                try probe.insert(
                    "Sample",
                    (1...9).map { id in
                        (id, ["text": StoredValue.string("abc"[id % 3]), "long": .integer(id * id % 7)])
                    })
                // The sums are a: 2 + 1 + 4 = 7, b: 1 + 2 + 0 = 3, c: 4 + 4 + 1 = 9.
                let sum = FetchOperand.aggregate(.sum(.property("long")))
                var grouping = StoreSelection.Grouping(by: [.property("text")])
                grouping.having = .compare(sum, .greater, .constant(.integer(3)))
                grouping.order = [StoreRequest.Sort(key: .value(sum), descending: true)]
                let columns = [
                    FetchOperand.function(.uppercased, .property("text")),
                    .arithmetic(sum, .multiply, .aggregate(.count)),
                ]
                probe.expectEqual(
                    try probe.select("Sample", columns, grouping),
                    [[.string("C"), .integer(27)], [.string("A"), .integer(21)]], "large sums")
                grouping.having = .startsWith(.property("text"), .constant(.string("b")))
                probe.expectEqual(
                    try probe.select("Sample", columns, grouping), [[.string("B"), .integer(9)]], "by a key")
            },
            Check("a value that is neither a key nor inside an aggregate is rejected") { probe in
                let selections = [
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.count), .property("text")]),
                    StoreSelection(
                        StoreRequest("Sample"), [.property("text")], grouping: .init(by: [.property("long")])),
                    StoreSelection(
                        StoreRequest("Sample"), [.property("text")],
                        grouping: .init(
                            by: [.property("text")], having: .compare(.property("long"), .equal, .constant(.null)))),
                    StoreSelection(
                        StoreRequest("Sample"), [.property("text")],
                        grouping: .init(by: [.property("text")], order: [StoreRequest.Sort("long")])),
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.sum(.aggregate(.count)))]),
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.sum(.property("text")))]),
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.maximum(.constant(.null)))]),
                    StoreSelection(StoreRequest("Sample"), [.constant(.null)]),
                    StoreSelection(StoreRequest("Sample"), []),
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.countDistinct([]))]),
                    StoreSelection(StoreRequest("Sample"), [.aggregate(.count)], distinct: true),
                    StoreSelection(
                        StoreRequest("Sample", where: .compare(.aggregate(.count), .equal, .constant(.integer(1)))),
                        [.property("text")]),
                    StoreSelection(
                        StoreRequest("Sample", sort: [StoreRequest.Sort("long")]), [.property("text")], distinct: true),
                ]
                for selection in selections {
                    probe.expectError(.invalidRequest, "\(selection.columns)") { _ = try probe.select(selection) }
                }
            },
            Check("keys and aggregates of every type have the values of the rows") { probe in
                let values: [[String: StoredValue]] = try [0, 1].map { try everyType($0) }
                try probe.insert("Sample", [(1, values[1]), (2, values[0]), (3, [:]), (4, values[1])])
                for name in values[0].keys.sorted() {
                    let (low, high) = (values[0][name] ?? .null, values[1][name] ?? .null)
                    let operand = FetchOperand.property(name)
                    probe.expectEqual(
                        try probe.select("Sample", [operand, .aggregate(.count)], .init(by: [operand])),
                        [[.null, .integer(1)], [low, .integer(1)], [high, .integer(2)]], "groups by \(name)")
                    let columns: [FetchOperand] = [
                        .aggregate(.minimum(operand)), .aggregate(.maximum(operand)),
                        .aggregate(.countValues(operand)), .aggregate(.countDistinct([operand])),
                        .aggregate(.countDistinct([operand, .property("label")])),
                    ]
                    probe.expectEqual(
                        try probe.select("Sample", columns), [[low, high, .integer(3), .integer(2), .integer(2)]],
                        "aggregates of \(name)")
                }
            },
            Check("a count of different values of several operands ignores rows with a null") { probe in
                let (one, two) = (StoredValue.integer(1), StoredValue.integer(2))
                try probe.insert(
                    "Sample",
                    [
                        (1, ["long": one, "text": .string("1")]), (2, ["long": one]), (3, ["text": .string("1")]),
                        (4, [:]),
                        (5, ["long": one, "text": .string("1")]), (6, ["long": two, "text": .string("1")]),
                        (7, ["long": one, "text": .string("1,'")]),
                    ])
                let count = FetchAggregate.countDistinct([.property("long"), .property("text")])
                probe.expectEqual(try probe.select("Sample", [.aggregate(count)]), [[.integer(3)]], "pairs")
            },
            Check("texts with a format are grouped by their bytes, and their least and greatest is by meaning") {
                probe in
                let figures = ["10", "9", "1e1", "-2", "-2.0", "010"]
                try probe.insert(
                    "Reading",
                    figures.enumerated().map { (Int64($0 + 1), ["figure": StoredValue.string($1)]) } + [(9, [:])])
                let figure = FetchOperand.property("figure")
                probe.expectEqual(
                    try probe.select("Reading", [.aggregate(.minimum(figure)), .aggregate(.maximum(figure))]),
                    [[.string("-2"), .string("1e1")]], "least and greatest")
                probe.expectEqual(
                    try probe.select("Reading", [figure], .init(by: [figure])),
                    [
                        .null, .string("-2"), .string("-2.0"), .string("9"), .string("010"), .string("10"),
                        .string("1e1"),
                    ]
                    .map { [$0] }, "groups")
            },
            Check("parts of dates are those of the day in UTC that contains the instant") { probe in
                // The second instant is less than a microsecond before midnight.
                let instants = [-1.0, -0.0000001, 0, 86_399.999_999_9]
                try probe.insert(
                    "Sample",
                    instants.enumerated().map {
                        (Int64($0 + 1), ["instant": StoredValue.date(Date(timeIntervalSinceReferenceDate: $1))])
                    } + [(5, ["birthday": .day(try Day(year: 0, month: 2, day: 29))])])
                let parts = [FetchFunction.year, .yearMonth, .day]
                let last: [StoredValue] = [
                    .integer(2000), .string("2000-12"), .day(try Day(year: 2000, month: 12, day: 31)),
                ]
                let first: [StoredValue] = [
                    .integer(2001), .string("2001-01"), .day(try Day(year: 2001, month: 1, day: 1)),
                ]
                probe.expectEqual(
                    try probe.select("Sample", parts.map { .function($0, .property("instant")) }),
                    [last, last, first, first, [.null, .null, .null]], "of instants")
                probe.expectEqual(
                    try probe.select("Sample", parts.map { .function($0, .property("birthday")) }).last ?? [],
                    [.integer(0), .string("0000-02"), .day(try Day(year: 0, month: 2, day: 29))], "of a day")
                let isOld = FetchCondition.compare(
                    .function(.year, .property("instant")), .less, .constant(.integer(2001)))
                probe.expectEqual(try probe.ids("Sample", where: isOld), [1, 2], "in a condition")
            },
            Check("a part of a date outside the years 0 to 9999 is an error") { probe in
                let edges = [-63_145_526_400.0, 252_423_993_599.5]
                try probe.insert(
                    "Sample",
                    (edges + [-63_145_526_400.5, 252_423_993_600]).enumerated().map {
                        (Int64($0 + 1), ["instant": StoredValue.date(Date(timeIntervalSinceReferenceDate: $1))])
                    })
                let month = FetchOperand.function(.yearMonth, .property("instant"))
                func rows(_ ids: Int64...) -> StoreRequest {
                    StoreRequest("Sample", where: .isIn(.property("id"), ids.map(StoredValue.integer)))
                }
                probe.expectEqual(
                    try probe.select(StoreSelection(rows(1, 2), [month])),
                    [[.string("0000-01")], [.string("9999-12")]],
                    "the first and the last month")
                for id in [Int64(3), 4] {
                    probe.expectError(.arithmetic, "row \(id)") {
                        _ = try probe.select(StoreSelection(rows(id), [month]))
                    }
                }
            },
            Check("related objects are aggregated once for each owner") { probe in
                try fillCompany(probe)
                try probe.insert("Department", [(9, ["name": .string("Empty")])])
                let members = FetchOperand.relatedAggregate("members", .sum(.property("age")), .constant(true))
                let ages = try memberAges(probe)
                let sums = ages.mapValues { ages in ages.isEmpty ? StoredValue.null : .integer(ages.reduce(0, +)) }
                let ids = ages.keys.sorted()
                let most = FetchOperand.relatedAggregate("members", .maximum(.property("name")), .constant(true))
                let found = try probe.select("Department", [.property("id"), members, most])
                probe.expectEqual(found.map { $0[1] }, ids.map { sums[$0] ?? .null }, "the sum of the members' ages")
                // The count of pairs of a department with a member and with its head is greater than the sum.
                let both = try probe.select(
                    "Department", [.aggregate(.sum(members)), .aggregate(.count)], .init())
                let total = ages.values.flatMap(\.self).reduce(0, +)
                probe.expectEqual(both, [[.integer(total), .integer(Int64(ids.count))]], "the sum of the sums")
                let isOld = FetchCondition.compare(members, .greater, .constant(.integer(50)))
                probe.expectEqual(
                    try probe.ids("Department", where: isOld), ids.filter { (ages[$0] ?? []).reduce(0, +) > 50 },
                    "in a condition")
                let sorted = try probe.ids(
                    "Department", sort: [StoreRequest.Sort(key: .value(members), descending: true)])
                let values = sorted.map { sums[$0] ?? .null }
                probe.expectEqual(values, values.sorted().reversed(), "as a sort key")
            },
            Check("related objects of a many-to-many relationship are aggregated with a condition") { probe in
                try fillCompany(probe)
                let isNamed = FetchCondition.compare(.property("name"), .notEqual, .constant(.string("")))
                let count = FetchOperand.relatedCount("friends", isNamed)
                let names = FetchOperand.relatedAggregate("friends", .countDistinct([.property("name")]), isNamed)
                let least = FetchOperand.relatedAggregate(
                    "friends", .minimum(.property("id")), .constant(false))
                for result in try probe.select("Person", [count, names, least]) {
                    probe.expectEqual(result[1], result[0], "different names of friends")
                    probe.expectEqual(result[2], .null, "the least of no friends")
                }
            },
            Check("selected values are those of the rows, in their order and inside their window") { probe in
                try probe.insert(
                    "Sample",
                    [
                        (1, ["text": .string("b"), "long": .integer(2)]), (2, ["text": .string("a")]),
                        (3, ["text": .string("b"), "long": .integer(2)]), (4, ["text": .string("c")]),
                    ])
                let request = StoreRequest("Sample", sort: [StoreRequest.Sort("text", descending: true)], limit: 3)
                let columns: [FetchOperand] = [
                    .property("text"), .property("long"), .coalesce(.property("ratio"), .property("long")),
                ]
                let b: [StoredValue] = [.string("b"), .integer(2), .double(2)]
                probe.expectEqual(
                    try probe.select(StoreSelection(request, columns)), [[.string("c"), .null, .null], b, b], "in order"
                )
                probe.expectEqual(
                    try probe.select(StoreSelection(request, columns, distinct: true)),
                    [[.string("c"), .null, .null], b, [.string("a"), .null, .null]],
                    "different values, before the limit")
                var first: [[StoredValue]] = []
                try probe.store.select(StoreSelection(request, columns)) { result in
                    first.append(result)
                    return .stop
                }
                probe.expectEqual(first.count, 1, "results after a stop")
            },
            Check("rows are sorted by their own attribute, also if a selected value has its name") { probe in
                try fillCompany(probe)
                let department = FetchOperand.related("department", .property("name"))
                let request = StoreRequest("Person", sort: [StoreRequest.Sort("name", descending: true)])
                let wanted: [StoredValue] = [.null, .string("Sales"), .string("Research"), .string("Research")]
                probe.expectEqual(
                    try probe.select(StoreSelection(request, [department])), wanted.map { [$0] }, "of another entity")
                probe.expectEqual(
                    try probe.select(StoreSelection(request, [.property("name"), department])).map { $0[1] }, wanted,
                    "of both entities")
            },
            Check("an operand of an aggregate that is nested too deeply is rejected") { probe in
                var operand = FetchOperand.property("long")
                for _ in 0..<40 { operand = .arithmetic(.property("long"), .subtract, operand) }
                probe.expectError(.invalidRequest, "40 differences") {
                    _ = try probe.select("Sample", [.aggregate(.sum(operand))])
                }
            },
            Check("an error in a row of a group fails the selection") { probe in
                try probe.insert("Sample", [(1, ["long": .integer(0)]), (2, ["long": .integer(1)])])
                let quotient = FetchOperand.arithmetic(.constant(.integer(6)), .divideWhole, .property("long"))
                probe.expectError(.arithmetic, "a division by zero") {
                    _ = try probe.select("Sample", [.aggregate(.sum(quotient))])
                }
                let isGiven = FetchCondition.compare(.property("long"), .greater, .constant(.integer(0)))
                probe.expectEqual(
                    try probe.select(
                        StoreSelection(StoreRequest("Sample", where: isGiven), [.aggregate(.sum(quotient))])),
                    [[.integer(6)]], "without the row")
            },
        ]
    }

    // MARK: Parts

    /// Checks the limit and offset of groups and of rows.
    private static func windows(
        _ probe: ContractProbe, _ columns: [FetchOperand], _ grouping: StoreSelection.Grouping,
        _ groups: [[StoredValue]]
    ) throws {
        var grouping = grouping
        (grouping.limit, grouping.offset) = (2, 1)
        probe.expectEqual(try probe.select("Sample", columns, grouping), Array(groups[1...2]), "a window of groups")
        (grouping.limit, grouping.offset) = (0, 0)
        probe.expectEqual(try probe.select("Sample", columns, grouping), [], "no groups")
        (grouping.limit, grouping.offset) = (nil, 9)
        probe.expectEqual(try probe.select("Sample", columns, grouping), [], "after the last group")
        let rows = StoreRequest("Sample", sort: [StoreRequest.Sort("id", descending: true)], limit: 2)
        probe.expectEqual(
            try probe.select(StoreSelection(rows, [.aggregate(.count), .aggregate(.sum(.property("long")))])),
            [[.integer(2), .integer(10)]], "a window of rows")
    }

    /// Returns the ages of each department's members, by the department.
    private static func memberAges(_ probe: ContractProbe) throws -> [Int64: [Int64]] {
        var ages: [Int64: [Int64]] = [:]
        for id in try probe.ids("Department") { ages[id] = [] }
        let people = try probe.column("Person", "department")
        for (department, age) in zip(people, try probe.column("Person", "age")) {
            if case .integer(let department) = department, case .integer(let age) = age {
                ages[department, default: []].append(age)
            }
        }
        return ages
    }

    private static func allAggregates(_ name: String) -> [FetchOperand] {
        let operand = FetchOperand.property(name)
        let aggregates: [FetchAggregate] = [
            .count, .countValues(operand), .countDistinct([operand]), .sum(operand), .total(operand), .average(operand),
            .minimum(operand),
            .maximum(operand),
        ]
        return aggregates.map(FetchOperand.aggregate)
    }

    private static func decimal(_ unscaled: Int64, _ scale: UInt8) -> StoredValue {
        .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
    }

    private static func price(_ unscaled: Int64) -> StoredValue { decimal(unscaled, 2) }

    /// 10^-12 as a constant.
    private static var decimalUnit: FetchOperand { .constant(decimal(1, 12)) }

    /// Returns a value for each optional attribute of the entity `Sample`; values of a greater number are greater.
    private static func everyType(_ number: Int) throws -> [String: StoredValue] {
        [
            "text": .string("é\(number)"), "short": .integer(Int64(number) - 7), "medium": .integer(Int64(number)),
            "long": .integer(Int64(number)), "ratio": .double(Double(number) - 0.5), "price": price(Int64(number)),
            "weight": decimal(Int64(number), 4), "flag": .boolean(number == 1),
            "instant": .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1e9)),
            "token": .uuid(UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))),
            "bytes": .binary(Data([0, UInt8(number)])),
            "birthday": .day(try Day(year: 2001, month: 1, day: number + 1)),
            "opening": .timeOfDay(try TimeOfDay(hour: number, minute: 0)),
        ]
    }
}

extension ContractProbe {
    /// Returns the results of a selection.
    func select(_ selection: StoreSelection) throws -> [[StoredValue]] {
        var results: [[StoredValue]] = []
        try store.select(selection) { result in
            results.append(result)
            return .next
        }
        return results
    }

    /// Returns the results of a selection from all rows of an entity.
    func select(
        _ entity: String, _ columns: [FetchOperand], _ grouping: StoreSelection.Grouping? = nil
    ) throws -> [[StoredValue]] {
        try select(StoreSelection(StoreRequest(entity), columns, grouping: grouping))
    }
}

extension String {
    /// Returns the character at an index as a text.
    fileprivate subscript(index: Int64) -> String { String(self[self.index(startIndex, offsetBy: Int(index))]) }
}
