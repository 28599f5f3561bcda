import Dispatch
import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of bulk inserts.
    ///
    /// A bulk insert writes the rows of one input in one transaction, without change sets and versions to compare. A
    /// store must:
    ///
    /// - assign the next identifiers to rows without one, in their order and without gaps, and continue after explicit
    ///   ones
    /// - store all rows or none, also if the closure throws an error; the error is passed to the caller unchanged
    /// - not consume identifiers if the insert fails
    /// - report a duplicate with the location of its row in the input
    /// - check references at the end, so that a row may reference a later row; the error has the location of the first
    ///   row with a dangling reference
    /// - find the rows by indexed attributes afterwards
    /// - let concurrent writers wait for each other, and never assign an identifier twice
    ///
    /// The check of concurrent writers uses eight threads.
    static var bulkInserts: [Check] {
        [
            Check("bulk rows without an identifier get the next identifiers without gaps") { probe in
                _ = try probe.store.reserveIdentifiers(4, of: "Part")
                var given: [Int64] = []
                let count = try probe.store.insertRows(of: "Part") { rows in
                    given.append(try rows.insert(id: nil, values: try part(probe), location: place(1)))
                    given.append(try rows.insert(id: nil, values: try part(probe), location: place(2)))
                    given.append(try rows.insert(id: 20, values: try part(probe), location: place(3)))
                    given.append(try rows.insert(id: nil, values: try part(probe), location: place(4)))
                    given.append(try rows.insert(id: 2, values: try part(probe), location: place(5)))
                }
                probe.expectEqual(given, [5, 6, 20, 21, 2], "the identifiers")
                probe.expectEqual(count, 5, "the number of rows")
                probe.expectEqual(try probe.ids("Part"), [2, 5, 6, 20, 21], "the rows")
                probe.expectEqual(try probe.row("Part", 5)?.version ?? 0 >= 1, true, "a version of 5")
                probe.expectEqual(try probe.store.reserveIdentifiers(1, of: "Part"), 22...22, "the next block")
            },
            Check("a bulk insert stores all of its rows or none") { probe in
                try probe.insert("Part", [(1, [:])])
                do {
                    try probe.store.insertRows(of: "Part") { rows in
                        for record in 1...3 {
                            _ = try rows.insert(id: nil, values: try part(probe), location: place(record))
                        }
                        throw ValueError("enough")
                    }
                    probe.fail("the body's error was not passed on")
                } catch let error as ValueError {
                    probe.expectEqual(error.description, "enough", "the error")
                }
                probe.expectEqual(try probe.ids("Part"), [1], "the rows")
                probe.expectEqual(try probe.store.reserveIdentifiers(1, of: "Part"), 2...2, "the next block")
            },
            Check("a bulk row with an existing identifier or unique value is reported with its location") { probe in
                try probe.insert("Owner", [(5, ["code": .string("a")])])
                let code = try probe.values("Owner", ["code": .string("a")])
                let free = try probe.values("Owner", [:])
                let error = probe.expectError(.uniqueness, "a unique value") {
                    try probe.store.insertRows(of: "Owner") { rows in
                        _ = try rows.insert(id: nil, values: free, location: place(1))
                        _ = try rows.insert(id: nil, values: code, location: place(2))
                    }
                }
                probe.expectEqual(error?.location, place(2), "the location")
                probe.expectEqual(error?.attribute, "code", "the attribute")
                let taken = probe.expectError(.uniqueness, "an identifier") {
                    try probe.store.insertRows(of: "Owner") {
                        _ = try $0.insert(id: 5, values: free, location: place(8))
                    }
                }
                probe.expectEqual(taken?.location, place(8), "the location")
                probe.expectEqual(
                    taken?.message, "the identifier 5 already belongs to another object", "the message")
                probe.expectEqual(try probe.ids("Owner"), [5], "the rows")
            },
            Check("a bulk insert with dangling references reports the location of the first such row") { probe in
                try probe.insert("Owner", [(1, [:])])
                let error = probe.expectError(.danglingReference, "missing owners") {
                    try probe.store.insertRows(of: "Part") { rows in
                        for (record, owner) in [(1, 1), (2, 900), (3, 1), (4, 800), (5, 900)] as [(Int, Int64)] {
                            _ = try rows.insert(id: nil, values: try part(probe, owner), location: place(record))
                        }
                    }
                }
                probe.expectEqual(error?.location, place(2), "the location")
                probe.expectEqual(error?.attribute, "owner", "the attribute")
                probe.expectEqual(error?.value, "900", "the value")
                probe.expectEqual(try probe.ids("Part"), [], "the rows")
                try probe.store.insertRows(of: "Part") {
                    _ = try $0.insert(id: nil, values: try part(probe, 1), location: place(1))
                }
                probe.expectEqual(try probe.ids("Part"), [1], "the rows of the corrected insert")
            },
            Check("bulk rows may reference rows that are inserted later") { probe in
                try probe.store.insertRows(of: "Node") { rows in
                    for (id, parent) in [(3, 1), (1, 2), (2, 2)] as [(Int64, Int64)] {
                        let values = try probe.values("Node", ["parent": .integer(parent)])
                        _ = try rows.insert(id: id, values: values, location: place(Int(id)))
                    }
                }
                probe.expectEqual(try probe.ids("Node", sort: [.init("parent")]), [3, 1, 2], "the nodes by parent")
                let error = probe.expectError(.danglingReference, "a parent that never comes") {
                    try probe.store.insertRows(of: "Node") { rows in
                        for (id, parent) in [(11, 12), (12, 99), (13, 98)] as [(Int64, Int64)] {
                            let values = try probe.values("Node", ["parent": .integer(parent)])
                            _ = try rows.insert(id: id, values: values, location: place(Int(id)))
                        }
                    }
                }
                probe.expectEqual(error?.location, place(12), "the location")
                probe.expectEqual(try probe.ids("Node"), [1, 2, 3], "the nodes after the failure")
            },
            Check("conditions on indexed attributes find rows inserted in bulk") { probe in
                try probe.store.insertRows(of: "Sample") { rows in
                    for number in 1...50 {
                        let values = try probe.values(
                            "Sample", ["long": .integer(Int64(number % 5)), "text": .string("t\(number % 7)")])
                        _ = try rows.insert(id: nil, values: values, location: place(number))
                    }
                }
                let condition = FetchCondition.compare(.property("long"), .equal, .constant(.integer(3)))
                probe.expectEqual(try probe.store.count(StoreRequest("Sample", where: condition)), 10, "long = 3")
            },
            Check("concurrent writers wait for each other, and no identifier is assigned twice") { probe in
                let store = probe.store
                let values = try part(probe)
                let failures = Guarded<[String]>([])
                let reserved = Guarded<[Int64]>([])
                DispatchQueue.concurrentPerform(iterations: 8) { number in
                    do {
                        if number.isMultiple(of: 2) {
                            try store.insertRows(of: "Part") { rows in
                                for record in 1...50 {
                                    _ = try rows.insert(id: nil, values: values, location: place(record))
                                }
                            }
                        } else {
                            for _ in 1...10 {
                                let ids = try store.reserveIdentifiers(5, of: "Part")
                                reserved.withLock { $0 += Array(ids) }
                            }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                for failure in failures.withLock({ $0 }) { probe.fail(failure) }
                let all = try probe.ids("Part") + reserved.withLock { $0 }
                probe.expectEqual(Set(all).count, 400, "the number of different identifiers")
            },
            Check("an empty bulk insert stores no row") { probe in
                probe.expectEqual(try probe.store.insertRows(of: "Part") { _ in }, 0, "the number of rows")
                probe.expectEqual(try probe.ids("Part"), [], "the rows")
            },
        ]
    }

    /// Returns the location of a record; its line number is 100 greater, so that a check distinguishes both.
    private static func place(_ record: Int) -> RowLocation { RowLocation(line: record + 100, record: record) }

    /// Returns the values of a part with an owner, or without one if the owner is `nil`.
    private static func part(_ probe: ContractProbe, _ owner: Int64? = nil) throws -> [StoredValue] {
        try probe.values("Part", ["name": .string("p"), "owner": owner.map(StoredValue.integer) ?? .null])
    }
}
