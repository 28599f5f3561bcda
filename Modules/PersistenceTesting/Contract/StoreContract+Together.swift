import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of attributes that are unique or indexed together.
    ///
    /// A uniqueness constraint can contain several attributes and references. A store must:
    ///
    /// - reject a duplicate of the whole combination, and list its attributes in the error: `row, number`
    /// - find a duplicate that results from an update of only one of the attributes
    /// - accept equal combinations if one of their values is null
    /// - check the state after the whole save, as for single attributes
    /// - find rows by conditions on indexed combinations after inserts, updates and deletions
    static var uniqueTogether: [Check] {
        [
            Check("a duplicate of a unique combination of values is rejected") { probe in
                try probe.insert("Seat", [(1, place("A", 1)), (2, place("A", 2)), (3, place("B", 1))])
                var insertion = ChangeSet()
                insertion["Seat"].insertions = [try probe.insertion("Seat", id: 4, place("A", 2))]
                let error = probe.expectError(.uniqueness, "inserted values") { try probe.save(insertion) }
                probe.expectEqual(error?.entity, "Seat", "the error's entity")
                probe.expectEqual(error?.attribute, "row, number", "the error's attributes")
                var twice = ChangeSet()
                twice["Seat"].insertions = try [4, 5].map { try probe.insertion("Seat", id: $0, place("C", 1)) }
                probe.expectError(.uniqueness, "values twice in one save") { try probe.save(twice) }
                for (id, values) in [(3, ["row": .string("A")]), (2, ["number": .integer(1)])]
                    as [(Int64, [String: StoredValue])]
                {
                    var update = ChangeSet()
                    update["Seat"].updates = [try probe.update("Seat", id: id, values)]
                    probe.expectError(.uniqueness, "one updated value") { try probe.save(update) }
                }
                probe.expectEqual(try probe.ids("Seat"), [1, 2, 3], "the rows")
            },
            Check("a reference can be part of a unique combination of values") { probe in
                try probe.insert("Room", [(1, [:]), (2, [:])])
                func label(_ room: Int64) -> [String: StoredValue] {
                    ["label": .string("best"), "room": .integer(room)]
                }
                try probe.insert("Seat", [(1, label(1)), (2, label(2))])
                var changes = ChangeSet()
                changes["Seat"].updates = [try probe.update("Seat", id: 2, ["room": .integer(1)])]
                let error = probe.expectError(.uniqueness, "another room") { try probe.save(changes) }
                probe.expectEqual(error?.attribute, "label, room", "the error's attributes")
            },
            Check("a unique combination that contains null may occur in several rows") { probe in
                try probe.insert(
                    "Seat",
                    [
                        (1, ["row": .string("A")]), (2, ["row": .string("A")]), (3, ["number": .integer(1)]),
                        (4, ["number": .integer(1)]), (5, [:]), (6, [:]),
                    ])
                var changes = ChangeSet()
                changes["Seat"].updates = [try probe.update("Seat", id: 1, ["row": .null])]
                try probe.save(changes)
                probe.expectEqual(try probe.ids("Seat"), [1, 2, 3, 4, 5, 6], "the rows")
            },
            Check("two rows can exchange the values of a unique combination in one save") { probe in
                try probe.insert("Seat", [(1, place("A", 1)), (2, place("A", 2)), (3, place("A", 3))])
                var changes = ChangeSet()
                changes["Seat"].updates = [
                    try probe.update("Seat", id: 1, ["number": .integer(2)]),
                    try probe.update("Seat", id: 2, ["number": .integer(1)]),
                ]
                changes["Seat"].deletions = [.init(id: 3, expectedVersion: 1)]
                changes["Seat"].insertions = [try probe.insertion("Seat", id: 4, place("A", 3))]
                try probe.save(changes)
                probe.expectEqual(try probe.value("Seat", id: 1, "number"), .integer(2), "the number of 1")
                probe.expectEqual(try probe.value("Seat", id: 2, "number"), .integer(1), "the number of 2")
                probe.expectEqual(try probe.row("Seat", 1)?.version, 2, "the version of 1")
                try probe.insert("Seat", [(5, place("B", 3))])
                probe.expectEqual(try probe.ids("Seat"), [1, 2, 4, 5], "the rows")
            },
            Check("rows are found by values that are unique or indexed together, also after changes") { probe in
                func price(_ unscaled: Int64) -> StoredValue { .decimal(ScaledDecimal(unscaled: unscaled, scale: 2)) }
                func ids(_ values: [(String, StoredValue)]) throws -> [Int64] {
                    try probe.ids(
                        "Seat", where: .all(values.map { .compare(.property($0.0), .equal, .constant($0.1)) }))
                }
                try probe.insert(
                    "Seat",
                    (1...6).map { number in
                        (number, place("A", number).merging(["price": price(number < 6 ? 100 : 250)]) { $1 })
                    })
                var changes = ChangeSet()
                changes["Seat"].updates = [
                    try probe.update("Seat", id: 1, ["number": .integer(9)]),
                    try probe.update("Seat", id: 2, ["price": price(250)]),
                    try probe.update("Seat", id: 3, ["row": .null]),
                ]
                changes["Seat"].deletions = [.init(id: 4, expectedVersion: 1)]
                try probe.save(changes)
                let row = ("row", StoredValue.string("A"))
                probe.expectEqual(try ids([row, ("number", .integer(1))]), [], "what row 1 had")
                probe.expectEqual(try ids([row, ("number", .integer(9))]), [1], "what row 1 has")
                probe.expectEqual(try ids([("price", price(250)), row]), [2, 6], "the dear ones")
                probe.expectEqual(try ids([row, ("price", price(100))]), [1, 5], "the others")
                probe.expectEqual(try ids([("price", price(100)), ("row", .null)]), [3], "without a row")
            },
        ]
    }

    /// The checks of attributes that are unique together, in bulk inserts.
    ///
    /// A store must apply the conflict policies of bulk inserts to combinations too:
    ///
    /// - a rejected row is reported with its location and with the attributes of the combination
    /// - `ignore` skips a row with an existing combination, also if the row has another identifier
    /// - `update` and `replace` find the stored row by the combination; a row with null in it is a new row
    /// - an update of a part of the combination must not create a duplicate
    static var bulkTogether: [Check] {
        [
            Check("a bulk row with a duplicate unique combination is reported with location and attributes") { probe in
                try probe.insert("Seat", [(1, place("A", 1))])
                var failures: [RowFailure] = []
                let counts = try probe.write("Seat", InsertOptions { failures.append($0) }) { rows in
                    for number in 1...100 {
                        rows.add(id: nil, place(number == 70 ? "A" : "B", number == 70 ? 1 : Int64(number)))
                    }
                }
                probe.expectEqual(failures.map(\.location.record), [70], "the records")
                probe.expectEqual(failures.map(\.error.attribute), ["row, number"], "the attributes")
                probe.expectEqual(counts.inserted, 99, "the new rows")
                let error = probe.expectError(.uniqueness, "an existing combination of values") {
                    _ = try probe.write("Seat", InsertOptions()) { $0.add(id: 500, place("B", 5)) }
                }
                probe.expectEqual(error?.location, RowLocation(line: 101, record: 1), "the location")
                probe.expectEqual(error?.attribute, "row, number", "the attributes")
                probe.expectEqual(try probe.ids("Seat").count, 100, "the rows")
            },
            Check("a bulk row with an existing unique combination is skipped, or updates the stored row") {
                probe in
                try probe.insert("Seat", [(1, place("A", 1)), (2, place("A", 2))])
                let label = ["label": StoredValue.string("new")]
                let ignored = try probe.write("Seat", InsertOptions(onConflict: .ignore)) { rows in
                    rows.add(id: nil, place("A", 1).merging(label) { $1 })
                    rows.add(id: 2, place("A", 1).merging(label) { $1 })
                }
                probe.expectEqual(ignored.ignored, 2, "the skipped rows")
                for action in [InsertOptions.ConflictAction.update, .replace] {
                    let options = InsertOptions(onConflict: action)
                    let updated = try probe.write("Seat", options) { rows in
                        rows.add(id: nil, place("A", 1).merging(label) { $1 })
                        rows.add(id: nil, ["row": .string("A")])
                    }
                    probe.expectEqual([updated.updated, updated.inserted], [1, 1], "updated, inserted (\(action))")
                    let error = probe.expectError(
                        .uniqueness, "an existing combination under another identifier (\(action))"
                    ) {
                        _ = try probe.write("Seat", options) { $0.add(id: 2, place("A", 1)) }
                    }
                    probe.expectEqual(error?.attribute, "row, number", "the attributes (\(action))")
                }
                let error = probe.expectError(.uniqueness, "an update of a part of the unique combination") {
                    _ = try probe.write("Seat", InsertOptions(onConflict: .update)) { rows in
                        rows.add(id: 2, ["number": .integer(1)])
                    }
                }
                probe.expectEqual(error?.attribute, "row, number", "the attributes of the updated combination")
                probe.expectEqual(
                    try probe.column("Seat", "label"), [.string("new"), .null, .null, .null], "the labels")
            },
        ]
    }

    /// Returns the values of a seat, whose row and number are unique together.
    private static func place(_ row: String, _ number: Int64) -> [String: StoredValue] {
        ["row": .string(row), "number": .integer(number)]
    }
}
