import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// One bulk insert that exchanges unique values between rows.
@Suite("Unique values that rows of one bulk insert exchange")
struct ExchangedValuesTests {
    private func stack(_ kind: StoreKind, rows: Int) throws -> TestStack {
        let stack = try kind.stack(try Theatre.model())
        try stack.container.batchInsert(into: "Ticket") { inserter in
            for number in 1...rows {
                try inserter.insert(
                    values: Theatre.values(2026, Int64(number), note: "stored"),
                    location: RowLocation(line: number, record: number))
            }
        }
        return stack
    }

    /// Assigns new numbers to rows, with one store call for each group.
    @discardableResult
    private func renumber(
        _ groups: [[(id: Int64, number: Int64)]], _ options: InsertOptions, in stack: TestStack
    ) throws -> InsertCounts {
        var counts = InsertCounts()
        try stack.container.batchWrite { writer in
            var record = 0
            for group in groups {
                let inserter = try writer.inserter(of: "Ticket", options)
                var block = RowBlock(of: inserter.entity)
                for row in group {
                    record += 1
                    block.beginRow(id: row.id, location: RowLocation(line: record + 10, record: record))
                    block.set(.integer(2026), column: 0)
                    block.set(.integer(row.number), column: 1)
                    block.set(.string("new"), column: 2)
                }
                try inserter.insert(&block)
            }
            try writer.checkReferences()
            counts = writer.counts["Ticket"] ?? InsertCounts()
        }
        return counts
    }

    private func numbers(in stack: TestStack) throws -> [Int] { try stack.stored(Ticket.self).compactMap(\.number) }

    @Test(
        "a bulk insert exchanges unique values between two, three and hundreds of rows", arguments: StoreKind.allCases,
        [InsertOptions.ConflictAction.update, .replace])
    func exchange(_ kind: StoreKind, _ action: InsertOptions.ConflictAction) throws {
        let options = InsertOptions(onConflict: action)
        for wanted: [Int64] in [[2, 1], [2, 3, 1], [3, 1, 2], Array(2...300), Array(2...300) + [1]] {
            let rows = wanted.enumerated().map { (id: Int64($0.offset + 1), number: $0.element) }
            for order in [rows, rows.reversed()] {
                // The last row keeps its number unless the order assigns another one.
                let stack = try stack(kind, rows: wanted.count)
                let counts = try renumber([order], options, in: stack)
                #expect(counts.updated == wanted.count && counts.inserted == 0)
                #expect(try numbers(in: stack) == wanted.map(Int.init))
                #expect(try stack.stored(Ticket.self).allSatisfy { $0.note == "new" })
            }
        }
    }

    @Test("rows of two inserters of one bulk insert exchange their unique values", arguments: StoreKind.allCases)
    func inserters(_ kind: StoreKind) throws {
        let stack = try stack(kind, rows: 3)
        try renumber([[(1, 3), (2, 1)], [(3, 2)]], InsertOptions(onConflict: .update), in: stack)
        #expect(try numbers(in: stack) == [3, 1, 2])
    }

    @Test(
        "a new row may have the unique value that a later row of the bulk insert releases",
        arguments: StoreKind.allCases)
    func new(_ kind: StoreKind) throws {
        let stack = try stack(kind, rows: 2)
        let counts = try renumber([[(9, 1), (1, 5)]], InsertOptions(onConflict: .replace), in: stack)
        #expect(counts.inserted == 1 && counts.updated == 1)
        #expect(try stack.stored(Ticket.self).map(\.id.rawValue) == [1, 2, 9])
        #expect(try numbers(in: stack) == [5, 2, 1])
        var next: Int64 = 0
        try stack.container.batchInsert(into: "Ticket") { inserter in
            next = try inserter.insert(
                values: Theatre.values(2026, 77), location: RowLocation(line: 1, record: 1))
        }
        #expect(next == 10)
    }

    @Test("a bulk insert with several records for one row stores the last record", arguments: StoreKind.allCases)
    func repeated(_ kind: StoreKind) throws {
        let stack = try stack(kind, rows: 3)
        try renumber([[(1, 2), (1, 3), (2, 1), (3, 2)]], InsertOptions(onConflict: .update), in: stack)
        #expect(try numbers(in: stack) == [3, 1, 2])
    }

    @Test(
        "a row that needs a unique value of a rejected row is rejected too",
        arguments: StoreKind.allCases)
    func refused(_ kind: StoreKind) throws {
        let rows: [(id: Int64, number: Int64)] = [(1, 2), (2, 3), (3, 4), (5, 6), (6, 5), (9, 1)]
        let stack = try stack(kind, rows: 6)
        var failures: [RowFailure] = []
        let options = InsertOptions(onConflict: .replace) { failures.append($0) }
        let counts = try renumber([rows], options, in: stack)
        #expect(try numbers(in: stack) == [1, 2, 3, 4, 6, 5])
        #expect(counts.updated == 2 && counts.inserted == 0 && counts.rejected == 4)
        #expect(failures.map(\.location.record) == [1, 2, 3, 6])
        #expect(failures.allSatisfy { $0.error.code == .uniqueness && $0.error.attribute == "year, number" })

        let other = try self.stack(kind, rows: 6)
        let error = try persistenceError { try renumber([rows], InsertOptions(onConflict: .update), in: other) }
        #expect(error.location == RowLocation(line: 11, record: 1) && error.value == "2026, 2")
        #expect(try numbers(in: other) == [1, 2, 3, 4, 5, 6])
    }

    @Test("the second of two rows with the same new unique value is rejected", arguments: StoreKind.allCases)
    func sameValue(_ kind: StoreKind) throws {
        let stack = try stack(kind, rows: 3)
        var failures: [RowFailure] = []
        let options = InsertOptions(onConflict: .update) { failures.append($0) }
        try renumber([[(1, 3), (2, 3), (3, 4)]], options, in: stack)
        #expect(try numbers(in: stack) == [3, 2, 4])
        #expect(failures.map(\.location.record) == [2])
    }

    @Test(
        "a bulk insert stores any permutation of unique values, in any order of its records",
        arguments: StoreKind.allCases, [1, 2, 3])
    func permutations(_ kind: StoreKind, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try stack(kind, rows: 40)
        for _ in 1...5 {
            let wanted = Array(Int64(1)...40).shuffled(using: &random)
            let rows = wanted.enumerated().map { (id: Int64($0.offset + 1), number: $0.element) }
            try renumber([rows.shuffled(using: &random)], InsertOptions(onConflict: .update), in: stack)
            #expect(try numbers(in: stack) == wanted.map(Int.init))
        }
    }
}
