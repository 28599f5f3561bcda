import Foundation
import StrataPersistence
import StrataStoreKit

extension StoreContract {
    /// The checks of the policies of a bulk insert for existing rows and for dangling references.
    ///
    /// The options of an inserter determine the handling of a row that exists already, and of a dangling reference. A
    /// store must:
    ///
    /// - find an existing row by its identifier or by any of its unique values
    /// - count inserted, updated, skipped and rejected rows, and references that became null
    /// - report each rejected row with its location, its error and the original bytes of the row
    /// - restore the stored row if its update is rejected later because of a dangling reference
    /// - reject rows that reference a rejected row, however long the chain is
    static var rowPolicies: [Check] {
        conflictPolicies + identifierPolicies + referencePolicies + repeatedRows
    }

    /// The checks of rows that exist already.
    ///
    /// `ignore` skips them, `update` writes the present columns, and `replace` writes all columns. An absent column of
    /// a replacement gets its default or null. No policy changes an identifier or an immutable attribute.
    private static var conflictPolicies: [Check] {
        [
            Check(
                "a bulk row with an existing identifier or unique value is skipped if conflicts are ignored"
            ) {
                probe in
                try probe.insert("Owner", [(1, ["code": .string("a"), "rank": .integer(3)])])
                let counts = try probe.write("Owner", InsertOptions(onConflict: .ignore)) { rows in
                    rows.add(id: 1, ["rank": .integer(9)])
                    rows.add(id: nil, ["code": .string("a"), "rank": .integer(9)])
                    rows.add(id: 5, ["code": .string("a"), "rank": .integer(9)])
                    rows.add(id: nil, ["code": .string("b"), "rank": .integer(4)])
                }
                probe.expectEqual(counts.ignored, 3, "the skipped rows")
                probe.expectEqual(counts.inserted, 1, "the new rows")
                probe.expectEqual(try probe.column("Owner", "rank"), [.integer(3), .integer(4)], "the ranks")
            },
            Check("a bulk update writes only the present columns, and raises the row's version by one") { probe in
                try probe.insert(
                    "Owner", [(1, ["code": .string("a"), "rank": .integer(3)]), (2, ["rank": .integer(5)])])
                let before = try probe.row("Owner", 1)?.version ?? 0
                let counts = try probe.write("Owner", InsertOptions(onConflict: .update)) { rows in
                    rows.add(id: nil, ["code": .string("a"), "rank": .integer(9)])
                    rows.add(id: 2, ["code": .string("b")])
                    rows.add(id: 7, ["code": .string("c")])
                }
                probe.expectEqual(counts.updated, 2, "the rows that were there")
                probe.expectEqual(counts.inserted, 1, "the new rows")
                probe.expectEqual(
                    try probe.column("Owner", "rank"), [.integer(9), .integer(5), .integer(0)], "the ranks")
                probe.expectEqual(
                    try probe.column("Owner", "code"), ["a", "b", "c"].map(StoredValue.string), "the codes")
                probe.expectEqual(try probe.row("Owner", 1)?.version ?? 0, before + 1, "the version")
            },
            Check("a bulk replacement writes every column, and the default or null for a missing value") { probe in
                try probe.insert("Sample", [(1, ["label": .string("x"), "text": .string("t"), "long": .integer(3)])])
                let counts = try probe.write("Sample", InsertOptions(onConflict: .replace)) { rows in
                    rows.add(id: 1, ["long": .integer(4)])
                }
                probe.expectEqual(counts.updated, 1, "the rows that were there")
                probe.expectEqual(try probe.column("Sample", "label"), [.string("none")], "the default")
                probe.expectEqual(try probe.column("Sample", "text"), [.null], "the absent value")
                probe.expectEqual(try probe.column("Sample", "long"), [.integer(4)], "the value")
            },
            Check("a bulk row that changes a stored identifier or an immutable attribute is rejected") { probe in
                let since = StoredValue.date(Date(timeIntervalSinceReferenceDate: 0))
                try probe.insert("Owner", [(1, ["code": .string("a"), "since": since]), (2, [:])])
                for action in [InsertOptions.ConflictAction.update, .replace] {
                    let options = InsertOptions(onConflict: action)
                    let error = probe.expectError(.uniqueness, "another identifier") {
                        _ = try probe.write("Owner", options) { $0.add(id: 2, ["code": .string("a")]) }
                    }
                    probe.expectEqual(error?.location, RowLocation(line: 101, record: 1), "the location")
                    probe.expectError(.validation, "another constant") {
                        let later = StoredValue.date(Date(timeIntervalSinceReferenceDate: 1))
                        _ = try probe.write("Owner", options) { $0.add(id: 1, ["since": later]) }
                    }
                    _ = try probe.write("Owner", options) { $0.add(id: 1, ["code": .string("a"), "since": since]) }
                }
                probe.expectEqual(try probe.column("Owner", "since"), [since, .null], "the dates")
            },
            Check("rejected bulk rows are reported with their locations, and all other rows are stored") { probe in
                try probe.insert("Owner", [(40, ["code": .string("taken")])])
                var failures: [RowFailure] = []
                let options = InsertOptions { failures.append($0) }
                let counts = try probe.write("Owner", options) { rows in
                    for number in 1...200 {
                        rows.add(
                            id: Int64(number == 150 ? 40 : number + 100),
                            ["code": number == 77 ? .string("taken") : .string("c\(number)")])
                    }
                }
                probe.expectEqual(failures.map(\.location.record), [77, 150], "the records")
                probe.expectEqual(failures.map(\.error.attribute), ["code", "id"], "the attributes")
                probe.expectEqual(
                    failures.map { String(decoding: $0.note, as: UTF8.self) }, ["row 77", "row 150"], "the rows")
                probe.expectEqual(counts.inserted, 198, "the new rows")
                probe.expectEqual(counts.rejected, 2, "the rejected rows")
                probe.expectEqual(try probe.ids("Owner").count, 199, "the rows")
            },
        ]
    }

    /// The checks of the identifiers of rows that exist already or are rejected.
    ///
    /// An inserter returns the identifier of the stored row if the row exists already. Rejected rows leave no gap.
    private static var identifierPolicies: [Check] {
        let place = RowLocation(line: 1, record: 1)
        return [
            Check("inserting a bulk row that exists already returns the identifier of the stored row") { probe in
                try probe.insert("Owner", [(5, ["code": .string("a")])])
                let values = try probe.values("Owner", ["code": .string("a")])
                for action in [InsertOptions.ConflictAction.ignore, .update, .replace] {
                    try probe.store.writeRows { writer in
                        let owners = try writer.inserter(of: "Owner", InsertOptions(onConflict: action))
                        let id = try owners.insert(id: nil, values: values, location: place)
                        probe.expectEqual(id, 5, "the identifier (\(action))")
                    }
                }
                probe.expectEqual(try probe.ids("Owner"), [5], "the rows")
            },
            Check("a rejected bulk row consumes no identifier") { probe in
                try probe.insert("Owner", [(1, ["code": .string("taken")])])
                let counts = try probe.write("Owner", InsertOptions { _ in }) { rows in
                    for number in 1...200 {
                        rows.add(id: nil, ["code": .string(number % 90 == 0 ? "taken" : "c\(number)")])
                    }
                }
                probe.expectEqual(counts.rejected, 2, "the rejected rows")
                probe.expectEqual(try probe.ids("Owner"), Array(1...199), "the rows")
            },
        ]
    }

    /// The checks of dangling references, which become null or reject their rows.
    private static var referencePolicies: [Check] {
        [
            Check("a dangling reference of a bulk row becomes null on request, and valid ones are unchanged") {
                probe in
                let options = InsertOptions(onMissingReference: .null)
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 1, ["parent": .integer(2)])
                    rows.add(id: 2, ["parent": .integer(99)])
                    rows.add(id: 3, ["parent": .integer(3)])
                }
                probe.expectEqual(counts.nulledReferences, 1, "the references")
                probe.expectEqual(
                    try probe.column("Node", "parent"), [.integer(2), .null, .integer(3)], "the parents")
            },
            Check("bulk rows with dangling references are rejected, with all rows that reference them") { probe in
                var records: [Int] = []
                let options = InsertOptions(onMissingReference: .reject) { records.append($0.location.record) }
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 5, ["parent": .integer(4)])
                    rows.add(id: 4, ["parent": .integer(3)])
                    rows.add(id: 3, ["parent": .integer(99)])
                    rows.add(id: 1, ["parent": .integer(2)])
                    rows.add(id: 2, ["parent": .integer(1)])
                }
                probe.expectEqual(records.sorted(), [1, 2, 3], "the rejected records")
                probe.expectEqual(counts.inserted, 2, "the new rows")
                probe.expectEqual(counts.rejected, 3, "the rejected rows")
                probe.expectEqual(try probe.ids("Node"), [1, 2], "the rows")
            },
            Check("a bulk update rejected for its dangling reference leaves the stored row unchanged") { probe in
                try probe.insert("Node", [(1, ["title": .string("old")]), (2, ["title": .string("old")])])
                var records: [Int] = []
                let options = InsertOptions(onConflict: .update, onMissingReference: .reject) {
                    records.append($0.location.record)
                }
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 1, ["title": .string("new"), "parent": .integer(99)])
                    rows.add(id: 2, ["title": .string("new"), "parent": .integer(1)])
                }
                probe.expectEqual(records, [1], "the rejected records")
                probe.expectEqual(counts.updated, 1, "the rows changed")
                probe.expectEqual(
                    try probe.column("Node", "title"), [.string("old"), .string("new")], "the titles")
                probe.expectEqual(try probe.column("Node", "parent"), [.null, .integer(1)], "the parents")
            },
        ]
    }

    /// The checks of rows that match one stored row repeatedly, or whose unique values other rows reuse meanwhile.
    ///
    /// The checks compare the complete counts, because a row can change its outcome when a later row is rejected. They
    /// also use inserters and writers after the end of their transaction, which must throw an error.
    private static var repeatedRows: [Check] {
        [
            Check("a new bulk row and its update are both rejected for the same dangling reference") {
                probe in
                var records: [Int] = []
                let options = InsertOptions(onConflict: .update, onMissingReference: .reject) {
                    records.append($0.location.record)
                }
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 1, ["parent": .integer(99)])
                    rows.add(id: 1, ["title": .string("b"), "parent": .integer(99)])
                }
                probe.expectEqual(try probe.ids("Node"), [], "the rows")
                probe.expectEqual(records, [1, 2], "the rejected records")
                probe.expectEqual(
                    [counts.inserted, counts.updated, counts.rejected], [0, 0, 2], "inserted, updated, rejected")
            },
            Check("rejecting a bulk update does not restore an earlier dangling reference") { probe in
                var records: [Int] = []
                let options = InsertOptions(onConflict: .update, onMissingReference: .reject) {
                    records.append($0.location.record)
                }
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 1, ["parent": .integer(98)])
                    rows.add(id: 1, ["parent": .integer(99)])
                }
                probe.expectEqual(try probe.ids("Node"), [], "the rows")
                probe.expectEqual(records.sorted(), [1, 2], "the rejected records")
                probe.expectEqual(
                    [counts.inserted, counts.updated, counts.rejected], [0, 0, 2], "inserted, updated, rejected")
            },
            Check("two bulk updates of one row rejected for the same dangling reference are both reported") { probe in
                try probe.insert("Node", [(1, ["title": .string("old")])])
                var records: [Int] = []
                let options = InsertOptions(onConflict: .update, onMissingReference: .reject) {
                    records.append($0.location.record)
                }
                let counts = try probe.write("Node", options) { rows in
                    rows.add(id: 1, ["parent": .integer(99)])
                    rows.add(id: 1, ["title": .string("b"), "parent": .integer(99)])
                }
                probe.expectEqual(try probe.column("Node", "title"), [.string("old")], "the title")
                probe.expectEqual(records, [1, 2], "the rejected records")
                probe.expectEqual([counts.updated, counts.rejected], [0, 2], "updated, rejected")
            },
            Check("a rejected bulk update whose old unique value is reused by another row causes an error") { probe in
                try probe.insert("Person", [(1, [:])])
                try probe.insert("Passport", [(1, ["holder": .integer(1)])])
                let options = InsertOptions(onConflict: .update, onMissingReference: .reject) { _ in }
                let error = probe.expectError(.uniqueness, "a unique value of another row") {
                    _ = try probe.write("Passport", options) { rows in
                        rows.add(id: 1, ["holder": .integer(99)])
                        rows.add(id: 2, ["number": .string("n"), "holder": .integer(1)])
                    }
                }
                probe.expectEqual(error?.attribute, "holder", "the attribute")
                probe.expectEqual(error?.location, RowLocation(line: 101, record: 1), "the location")
                probe.expectEqual(try probe.column("Passport", "holder"), [.integer(1)], "the holders")
            },
            Check("a join row with invalid identifiers is rejected as dangling") { probe in
                for end in [-1, -5000, 0, Int64.min, Int64.max] {
                    probe.expectError(.danglingReference, "the end \(end)") {
                        try probe.store.writeRows { writer in
                            try writer.insert(
                                JoinRow(JoinPair(source: end, target: end)), of: "Article_tags",
                                location: RowLocation(line: 1, record: 1))
                        }
                    }
                }
            },
            Check("a writer or inserter throws if it is used after its transaction") { probe in
                var kept: (any RowInserter)?
                var keptWriter: (any RowWriter)?
                try probe.store.writeRows { writer in
                    keptWriter = writer
                    kept = try writer.inserter(of: "Node", InsertOptions())
                }
                probe.expectError(.invalidRequest, "inserting a join row after the end of the transaction") {
                    try keptWriter?.insert(
                        JoinRow(JoinPair(source: 1, target: 1)), of: "Article_tags",
                        location: RowLocation(line: 1, record: 1))
                }
                probe.expectError(.invalidRequest, "setting metadata after the end of the transaction") {
                    try keptWriter?.setMetadata("late", forKey: "kept")
                }
                probe.expectEqual(try probe.store.metadata(forKey: "kept"), nil, "the metadata")
                let values = try probe.values("Node", [:])
                probe.expectError(.invalidRequest, "inserting a row after the end of the transaction") {
                    try kept?.insert(id: 1, values: values, location: RowLocation(line: 1, record: 1))
                }
                do {
                    try probe.store.writeRows { writer in
                        kept = try writer.inserter(of: "Node", InsertOptions())
                        throw ValueError("enough")
                    }
                } catch is ValueError {}
                probe.expectError(.invalidRequest, "inserting a row after the failed transaction") {
                    try kept?.insert(id: 1, values: values, location: RowLocation(line: 1, record: 1))
                }
                probe.expectEqual(try probe.ids("Node"), [], "the rows")
            },
        ]
    }
}
