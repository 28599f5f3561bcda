import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Batches and bulk inserts with attributes that are unique together.
@Suite("Bulk inserts and batches with attributes that are unique together")
struct UniqueTogetherBulkTests {
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Theatre.model())
        try stack.container.batchInsert(into: "Ticket") { rows in
            for number in 1...3 {
                try rows.insert(
                    values: Theatre.values(2026, Int64(number), note: "stored"),
                    location: RowLocation(line: number, record: number))
            }
        }
        return stack
    }

    /// Inserts rows with only the given columns.
    @discardableResult
    private func insert(
        _ rows: [(id: Int64?, values: [Int: StoredValue])], _ options: InsertOptions, into stack: TestStack
    ) throws -> InsertCounts {
        var counts = InsertCounts()
        try stack.container.batchInsert(into: "Ticket", options) { inserter in
            var block = RowBlock(of: inserter.entity)
            for (place, row) in rows.enumerated() {
                block.beginRow(id: row.id, location: RowLocation(line: place + 11, record: place + 1))
                for (column, value) in row.values { block.set(value, column: column) }
            }
            try inserter.insert(&block)
            counts = inserter.counts
        }
        return counts
    }

    @Test(
        "a batch insert throws an error with the location of a row whose unique key exists already",
        arguments: StoreKind.allCases,
        [false, true])
    func refused(_ kind: StoreKind, _ buildsIndexesLast: Bool) throws {
        for count in [2, 200] {
            // Many rows are inserted in groups; into an empty table without its indexes, if the options require it.
            let stack = try kind.stack(try Theatre.model())
            var options = InsertOptions()
            options.buildsIndexesLast = buildsIndexesLast
            let rows = (1...count).map { number in
                (
                    id: Int64?.none,
                    values: [
                        0: StoredValue.integer(2026), 1: .integer(number == count ? 1 : Int64(number)), 2: .string(""),
                    ]
                )
            }
            let error = try persistenceError { try insert(rows, options, into: stack) }
            #expect(error.code == .uniqueness && error.entity == "Ticket" && error.attribute == "year, number")
            #expect(error.location == RowLocation(line: count + 10, record: count) && error.value == "2026, 1")
            #expect(
                error.message
                    == "object \(count): another object already has these values, which must be unique together"
            )
            #expect(try stack.stored(Ticket.self).isEmpty)
        }
    }

    @Test(
        "a batch insert accepts rows with equal unique keys if a part of the key is null", arguments: StoreKind.allCases
    )
    func nulls(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let row = (id: Int64?.none, values: [1: StoredValue.integer(1), 2: .string("")])
        for action in InsertOptions.ConflictAction.allCases {
            let counts = try insert([row, row], InsertOptions(onConflict: action), into: stack)
            #expect(counts.inserted == 2, "\(action)")
        }
        #expect(try stack.stored(Ticket.self).count == 11)
    }

    @Test(
        "a bulk insert with a failure handler reports each rejected row and stores the others",
        arguments: StoreKind.allCases,
        [false, true])
    func reportsEachRow(_ kind: StoreKind, _ buildsIndexesLast: Bool) throws {
        let stack = try kind.stack(try Theatre.model())
        var failures: [RowFailure] = []
        var options = InsertOptions { failures.append($0) }
        options.buildsIndexesLast = buildsIndexesLast
        let rows = (1...100).map { number in
            (
                id: Int64?.none,
                values: [0: StoredValue.integer(1), 1: .integer(number == 50 ? 7 : Int64(number)), 2: .string("")]
            )
        }
        let counts = try insert(rows, options, into: stack)
        #expect(counts.inserted == 99 && counts.rejected == 1)
        #expect(failures.map(\.location.record) == [50] && failures.map(\.error.attribute) == ["year, number"])
        #expect(try stack.stored(Ticket.self).map(\.id.rawValue) == Array(1...99))
    }

    @Test(
        "a row whose unique key exists is skipped, updated or replaced, as the insert options say",
        arguments: StoreKind.allCases
    )
    func actions(_ kind: StoreKind) throws {
        let row = (
            id: Int64?.none, values: [0: StoredValue.integer(2026), 1: .integer(2), 3: .integer(9), 2: .string("new")]
        )
        for (action, wanted) in [
            (.ignore, [["stored", 0], ["stored", 0], ["stored", 0]]),
            (.update, [["stored", 0], ["new", 9], ["stored", 0]]),
            (.replace, [["stored", 0], ["new", 9], ["stored", 0]]),
        ] as [(InsertOptions.ConflictAction, [[AnyHashable]])] {
            let stack = try stack(kind)
            let counts = try insert([row], InsertOptions(onConflict: action), into: stack)
            #expect(counts.inserted == 0 && counts.updated + counts.ignored == 1, "\(action)")
            #expect(try stack.stored(Ticket.self).map { [AnyHashable($0.note), $0.price] } == wanted, "\(action)")
        }
    }

    @Test(
        "a row with one object's identifier and another object's unique key is rejected or skipped",
        arguments: StoreKind.allCases)
    func other(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let row = (id: Int64?.some(3), values: [0: StoredValue.integer(2026), 1: .integer(2), 2: .string("new")])
        for action in [InsertOptions.ConflictAction.update, .replace] {
            let error = try persistenceError { try insert([row], InsertOptions(onConflict: action), into: stack) }
            #expect(error.attribute == "year, number" && error.value == "2026, 2")
            #expect(
                error.message == """
                    object 3: object 2 already has these values, which must be unique together; a stored object \
                    keeps its identifier
                    """)
        }
        #expect(try insert([row], InsertOptions(onConflict: .ignore), into: stack).ignored == 1)
        #expect(try stack.stored(Ticket.self).allSatisfy { $0.note == "stored" })
    }

    @Test(
        "an update of one part of a unique key is rejected if another row has the resulting key",
        arguments: StoreKind.allCases)
    func partial(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let error = try persistenceError {
            try insert([(3, [1: .integer(2)])], InsertOptions(onConflict: .update), into: stack)
        }
        #expect(error.code == .uniqueness && error.attribute == "year, number" && error.value == "2026, 2")
        #expect(error.message.hasPrefix("object 3: ") && error.location == RowLocation(line: 11, record: 1))
        #expect(try insert([(3, [1: .integer(4)])], InsertOptions(onConflict: .update), into: stack).updated == 1)
        #expect(try stack.stored(Ticket.self).map(\.number) == [1, 2, 4])
    }

    // MARK: Batch updates

    @Test(
        "a batch update that would make unique keys equal is rejected and stores nothing", arguments: StoreKind.allCases
    )
    func batchUpdate(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        for value in [
            FetchOperand.constant(.integer(2)), .arithmetic(.property("number"), .subtract, .property("number")),
        ] {
            let error = try persistenceError { try stack.container.batchUpdate("Ticket", set: ["number": value]) }
            #expect(error.code == .uniqueness && error.attribute == "year, number")
        }
        #expect(try stack.stored(Ticket.self).map(\.number) == [1, 2, 3])
        try stack.container.batchUpdate("Ticket", set: ["year": .constant(.integer(1999))])
        #expect(try stack.stored(Ticket.self).map(\.year) == [1999, 1999, 1999])
    }

    @Test("a batch update may assign each row the unique key of the next row", arguments: StoreKind.allCases)
    func moved(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let next = FetchOperand.arithmetic(.property("number"), .add, .constant(.integer(1)))
        try stack.container.batchUpdate("Ticket", set: ["number": next])
        #expect(try stack.stored(Ticket.self).map(\.number) == [2, 3, 4])
        // These are more rows than are written at once.
        try insert(
            (5...5_000).map { (nil, [0: .integer(2026), 1: .integer($0), 2: .string("")]) }, InsertOptions(),
            into: stack)
        #expect(try stack.container.batchUpdate("Ticket", set: ["number": next]).count == 4_999)
        #expect(try stack.stored(Ticket.self).map(\.number) == Array(3...5) + Array(6...5_001))
    }
}
