import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of the order of rows.
    ///
    /// A store must return the rows of every request in one defined order:
    ///
    /// - by the sort keys, the first one with the highest priority
    /// - then by ascending identifier, also if the keys are descending
    /// - by identifier alone if there are no keys
    /// - by the identifier of the referenced row if a key is a to-one relationship
    ///
    /// Repeated requests therefore return equal results, and windows neither repeat nor skip rows.
    static var sorting: [Check] {
        [
            Check("rows are sorted by identifier if there is no sort key") { probe in
                try probe.insert("Sample", [3, 1, 10, 2].map { ($0, [:]) })
                try probe.insert("Sample", [(5, [:]), (4, [:])])
                probe.expectEqual(try probe.ids("Sample"), [1, 2, 3, 4, 5, 10], "without a sort key")
                let sorted = try probe.ids("Sample", sort: [.init("id", descending: true)])
                probe.expectEqual(sorted, [10, 5, 4, 3, 2, 1], "by identifier, descending")
            },
            Check("rows with equal sort keys are sorted by ascending identifier") { probe in
                try probe.insert("Sample", ties)
                let short = StoreRequest.Sort("short")
                let descending = StoreRequest.Sort("short", descending: true)
                probe.expectEqual(try probe.ids("Sample", sort: [short]), [2, 5, 1, 4, 6, 3], "by short")
                probe.expectEqual(
                    try probe.ids("Sample", sort: [descending]), [3, 1, 4, 6, 2, 5], "by short, descending")
                probe.expectEqual(
                    try probe.ids(
                        "Sample", where: .compare(.property("id"), .less, .constant(.integer(6))), sort: [short]),
                    [2, 5, 1, 4, 3], "some, by short")
            },
            Check("the first sort key has the highest priority") { probe in
                try probe.insert("Sample", ties)
                let keys = [StoreRequest.Sort("short"), StoreRequest.Sort("text", descending: true)]
                probe.expectEqual(try probe.ids("Sample", sort: keys), [5, 2, 4, 1, 6, 3], "by short and text")
                let mixed = [StoreRequest.Sort("text"), StoreRequest.Sort("id", descending: true)]
                probe.expectEqual(try probe.ids("Sample", sort: mixed), [6, 2, 5, 3, 1, 4], "by text and identifier")
            },
            Check("rows sorted by a to-one relationship are ordered by the related row's identifier") { probe in
                try probe.insert("Owner", [(1, [:]), (2, [:])])
                try probe.insert(
                    "Part", [(1, ["owner": .integer(2)]), (2, [:]), (3, ["owner": .integer(1)])])
                probe.expectEqual(try probe.ids("Part", sort: [.init("owner")]), [2, 3, 1], "by owner")
                let owned = FetchCondition.compare(.property("owner"), .equal, .constant(.integer(2)))
                probe.expectEqual(try probe.ids("Part", where: owned), [1], "of owner 2")
            },
        ]
    }

    /// Rows with equal values in one or both sort keys, inserted in no order.
    private static let ties: [(id: Int64, values: [String: StoredValue])] = [
        (4, ["short": .integer(1), "text": .string("b")]), (1, ["short": .integer(1), "text": .string("a")]),
        (6, ["short": .integer(1)]), (3, ["short": .integer(2), "text": .string("a")]), (2, [:]),
        (5, ["text": .string("a")]),
    ]

    /// The checks of limit and offset.
    ///
    /// A store must:
    ///
    /// - apply the offset and the limit after the condition and the order
    /// - return no rows for a limit of 0 or for an offset beyond the last row, and accept the greatest integers for
    ///   both
    /// - count the rows of the window, not those of the condition
    /// - reject negative limits and offsets with the code `invalidRequest`, in fetches, counts and cursors
    static var windows: [Check] {
        [
            Check("limit and offset select from the sorted rows") { probe in
                try probe.insert("Sample", (1...6).map { ($0, ["short": .integer(10 - $0)]) })
                let cases: [(limit: Int?, offset: Int, wanted: [Int64])] = [
                    (nil, 0, [6, 5, 4, 3, 2, 1]), (2, 0, [6, 5]), (2, 1, [5, 4]), (2, 5, [1]), (2, 6, []), (0, 0, []),
                    (0, 3, []), (nil, 4, [2, 1]), (nil, 7, []), (100, 2, [4, 3, 2, 1]), (.max, .max, []),
                    (6, 0, [6, 5, 4, 3, 2, 1]),
                ]
                for (limit, offset, wanted) in cases {
                    let found = try probe.ids("Sample", sort: [.init("short")], limit: limit, offset: offset)
                    let window = "limit \(limit.map(String.init) ?? "none"), offset \(offset)"
                    probe.expectEqual(found, wanted, window)
                    let request = StoreRequest("Sample", limit: limit, offset: offset)
                    probe.expectEqual(try probe.store.count(request), wanted.count, "the count of \(window)")
                }
            },
            Check("limit and offset apply to the rows that the condition selects") { probe in
                try probe.insert("Sample", (1...6).map { ($0, ["short": .integer($0 % 2)]) })
                let odd = FetchCondition.compare(.property("short"), .equal, .constant(.integer(1)))
                probe.expectEqual(try probe.ids("Sample", where: odd, limit: 2), [1, 3], "the first two odd ones")
                probe.expectEqual(try probe.ids("Sample", where: odd, limit: 2, offset: 2), [5], "the odd ones after")
            },
            Check("a count equals the number of rows that a fetch returns") { probe in
                probe.expectEqual(try probe.store.count(StoreRequest("Sample")), 0, "the count in an empty store")
                try probe.insert("Sample", (1...6).map { ($0, $0 < 3 ? [:] : ["text": .string("a")]) })
                let isNull = FetchCondition.compare(.property("text"), .equal, .constant(.null))
                probe.expectEqual(
                    try probe.store.count(StoreRequest("Sample", where: isNull)), 2,
                    "the count of rows whose text is null")
                probe.expectEqual(
                    try probe.store.count(StoreRequest("Sample", where: isNull, limit: 1)), 1, "the limited count")
                probe.expectEqual(try probe.store.count(StoreRequest("Owner")), 0, "the count of another entity")
            },
            Check("a request with an unknown name, incompatible types or a negative limit is rejected") { probe in
                let constant = FetchOperand.constant(.integer(1))
                let requests: [(String, StoreRequest)] = [
                    ("a request with an unknown entity", StoreRequest("Unknown")),
                    ("a request with an unknown sort key", StoreRequest("Sample", sort: [.init("nothing")])),
                    (
                        "a request with an unknown attribute",
                        StoreRequest("Sample", where: .compare(.property("no"), .equal, constant))
                    ),
                    (
                        "a request that compares incompatible types",
                        StoreRequest("Sample", where: .compare(.property("text"), .less, constant))
                    ),
                    ("a request with a negative limit", StoreRequest("Sample", limit: -1)),
                    ("a request with a negative offset", StoreRequest("Sample", offset: -1)),
                ]
                for (name, request) in requests {
                    probe.expectError(.invalidRequest, name) { try probe.store.fetch(request) { _ in .next } }
                    probe.expectError(.invalidRequest, "a count for \(name)") { _ = try probe.store.count(request) }
                    probe.expectError(.invalidRequest, "a cursor for \(name)") {
                        _ = try probe.store.openCursor(request)
                    }
                }
            },
        ]
    }
}
