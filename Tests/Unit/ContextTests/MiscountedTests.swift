import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Rows and saves with a wrong number of values: each causes an error and never ends the process.
@Suite("Wrong numbers of values")
struct MiscountedTests {
    private struct Miscounted: PersistentRecord {
        let id: PlayerID
        var first: String
        var second: Int

        static let entity = RecordEntity<Miscounted>(
            "Miscounted", id: \.id, [.attribute("first", \.first), .attribute("second", \.second)]
        ) { row in
            Miscounted(id: try row.id(), first: try row.next(), second: try row.next())
        }
    }

    private static func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Miscounted.self]))
        var changes = ChangeSet()
        changes["Miscounted"].insertions = [.init(id: 1, values: [.string("a"), .integer(1)], version: 1)]
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        return stack
    }

    @Test("reading a column beyond the end of a store's row throws", arguments: StoreKind.allCases)
    func row(_ kind: StoreKind) throws {
        func reads<Value: AttributeValue>(_ type: Value.Type) -> (RowReader) throws -> Void {
            { _ = try $0[2] as Value }
        }
        let types: [(RowReader) throws -> Void] = [
            reads(String.self), reads(Int.self), reads(Int64.self), reads(Int32.self), reads(Int16.self),
            reads(Double.self), reads(Bool.self), reads(Date.self), reads(UUID.self), reads(Data.self),
            reads(Decimal.self), reads(Day.self), reads(TimeOfDay.self), reads(PlayerID.self), reads(Grade.self),
            reads(String?.self), reads(Int?.self), reads(Grade?.self), { _ = try $0.value(at: 2) },
            { _ = try $0.value(at: -1) },
        ]
        let store = try Self.stack(kind).container.coordinator.store
        for (number, read) in types.enumerated() {
            #expect(throws: (any Error).self, "\(number)") {
                try store.fetch(StoreRequest("Miscounted")) { row in
                    try read(row)
                    return .next
                }
            }
        }
    }

    @Test(
        "a store rejects a save with a wrong number of values or with an unknown column",
        arguments: StoreKind.allCases)
    func save(_ kind: StoreKind) throws {
        let stack = try Self.stack(kind)
        let store = stack.container.coordinator.store
        let insertions: [[StoredValue]] = [[], [.string("a")], [.string("a"), .integer(1), .null]]
        let updates: [([StoredValue], [Int])] = [
            ([], [0]), ([.string("b")], [0]), ([.string("b"), .integer(1)], [2]), ([.string("b"), .integer(1)], [-1]),
        ]
        var sets: [ChangeSet] = []
        for values in insertions {
            var changes = ChangeSet()
            changes["Miscounted"].insertions = [.init(id: 2, values: values, version: 1)]
            sets.append(changes)
        }
        for (values, columns) in updates {
            var changes = ChangeSet()
            changes["Miscounted"].updates = [
                .init(id: 1, expectedVersion: 1, values: values, changedColumns: columns)
            ]
            sets.append(changes)
        }
        for changes in sets {
            #expect(try persistenceError { _ = try store.save(changes) }.code == .invalidRequest)
            let error = try persistenceError {
                try store.transaction { try $0.save(changes).isEmpty ? .commit : .rollBack }
            }
            #expect(error.code == .invalidRequest && error.entity == "Miscounted")
        }
        #expect(try store.rows(StoreRequest("Miscounted")).map(\.values) == [[.string("a"), .integer(1)]])
    }

    @Test(
        "a bulk insert with a wrong number of values or with another entity's row block is rejected",
        arguments: StoreKind.allCases)
    func bulk(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let store = stack.container.coordinator.store
        let place = RowLocation(line: 1, record: 1)
        let short = try persistenceError {
            try store.insertRows(of: "Team") { _ = try $0.insert(id: nil, values: [.string("a")], location: place) }
        }
        #expect(short.code == .invalidRequest)
        let foreign = try persistenceError {
            try store.insertRows(of: "Team") { inserter in
                var block = RowBlock(of: try store.model.entity(named: "Player"))
                block.beginRow(location: place)
                try inserter.insert(&block)
            }
        }
        #expect(foreign.code == .invalidRequest)
        let checked = try persistenceError {
            try stack.container.batchInsert(into: "Team") { inserter in
                var block = RowBlock(of: try store.model.entity(named: "Player"))
                block.beginRow(location: place)
                try inserter.insert(&block)
            }
        }
        #expect(checked.code == .invalidRequest)
        #expect(try store.count(StoreRequest("Team")) == 0)
    }

    @Test("loading a fault after its context has ended throws")
    func fault() throws {
        // SAFETY: the value is written in a block that ends before the value is read.
        final class Holder: @unchecked Sendable { var fault: Fault<Team>? }
        let holder = Holder()
        do {
            let container = try PersistentContainer.inMemory(model: try League.model())
            let id = try #require(TeamID(rawValue: 1))
            container.newBackgroundContext().performAndWait { holder.fault = $0.object(with: id) }
        }
        let error = try persistenceError { _ = try holder.fault?.object() }
        #expect(error.code == .detachedObject)
        #expect("\(error)" == "Team: the context of object 1 has ended; keep its id instead")
    }
}
