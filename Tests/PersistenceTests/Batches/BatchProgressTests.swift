import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Synchronization
import Testing

/// How far an update or a deletion of many rows is.
@Suite("Progress of batches")
struct BatchProgressTests {
    /// Its initialiser decides, so that every changed row is read once more.
    struct Reading: PersistentRecord {
        let id: LibraryID
        var value: Int

        static let entity = RecordEntity<Reading>("Reading", id: \.id, [.attribute("value", \.value)]) {
            Reading(id: try $0.id(), value: try $0.next())
        }
    }

    private static let count = 10_000

    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Reading.self]))
        try stack.container.batchInsert(into: "Reading") { inserter in
            for row in 1...Self.count {
                try inserter.insert(values: [.integer(Int64(row))], location: RowLocation(line: row, record: row))
            }
        }
        return stack
    }

    /// What was told while `body` ran.
    private func steps(
        _ body: (@escaping @Sendable (BatchProgress) -> Void) throws -> BatchResult
    ) throws -> [BatchProgress] {
        let steps = Mutex<[BatchProgress]>([])
        #expect(try body { step in steps.withLock { $0.append(step) } }.count == Self.count)
        return steps.withLock { $0 }
    }

    @Test(
        "goes from the first row to about the last, whether the store changes rows or they are read",
        arguments: StoreKind.allCases)
    func progress(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let update = try steps { progress in
            try stack.container.batchUpdate(
                "Reading", set: ["value": .arithmetic(.property("value"), .add, .constant(.integer(1)))],
                progress: progress)
        }
        let deletion = try steps { try stack.container.batchDelete("Reading", progress: $0) }
        for (steps, total) in [(update, 2 * Self.count), (deletion, Self.count)] {
            let rows = steps.map(\.rows)
            #expect(rows.count >= 2 && rows == rows.sorted())
            #expect(steps.allSatisfy { $0.rows <= $0.totalRows && $0.totalRows >= total })
            #expect(try #require(rows.last) > total * 3 / 4 && rows.last ?? 0 <= total * 5 / 4)
        }
    }

    @Test("a batch that nobody asks about tells nobody, nor does what is read beside it", arguments: StoreKind.allCases)
    func nobody(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let told = Mutex(0)
        _ = try stack.container.batchUpdate("Reading", set: ["value": .constant(.integer(1))], dryRun: true) { _ in
            told.withLock { $0 += 1 }
        }
        let before = told.withLock { $0 }
        #expect(before > 0)
        _ = try stack.container.batchUpdate("Reading", set: ["value": .constant(.integer(2))])
        #expect(told.withLock { $0 } == before)
    }
}
