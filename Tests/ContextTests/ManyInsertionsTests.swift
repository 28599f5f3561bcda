import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataPersistence

/// Saves of so many values that their rows are made while the store writes them.
@Suite("Many new objects in one save")
struct ManyInsertionsTests {
    /// A row of twenty numbers, each its predecessor's successor.
    struct Reading: PersistentRecord, Hashable {
        let id: RecordID<Reading>
        var numbers: [Int]
        /// Stored with more digits than it has.
        var price: Decimal
        var previous: RecordID<Reading>?

        subscript(place: Int) -> Int {
            get { numbers[place] }
            set { numbers[place] = newValue }
        }

        static let width = 20
        static let entity = RecordEntity<Reading>(
            "Reading", id: \.id,
            (0..<width).map { place in RecordProperty.attribute("number\(place)", \Reading[place]) }
                + [.attribute("price", \.price, scale: 4), .toOne("previous", \.previous, to: "Reading")]
        ) { row in
            Reading(
                id: try row.id(), numbers: try (0..<width).map { _ in try row.next() }, price: try row.next(),
                previous: try row.next())
        }

        /// The values of the row with a number.
        static func values(_ number: Int) -> [StoredValue] {
            (0..<width).map { .integer(Int64(number + $0)) }
                + [.decimal(ScaledDecimal(unscaled: Int64(number) * 10_000, scale: 4))] + [
                    number == 1 ? .null : .integer(Int64(number - 1))
                ]
        }
    }

    private static let count = ObjectInsertions.leastValueCount / (Reading.width + 2) + 1

    private static func insert(_ context: ConfinedContext) throws -> [Managed<Reading>] {
        try (1...count).map { number in
            try context.insert(
                Reading(
                    id: try #require(RecordID(rawValue: Int64(number))),
                    numbers: (0..<Reading.width).map { number + $0 }, price: Decimal(number),
                    previous: RecordID(rawValue: Int64(number - 1))))
        }
    }

    private static func hooked(_ kind: StoreKind) throws -> (TestStack, HookedStore) {
        try kind.hooked(try ManagedObjectModel(records: [Reading.self]))
    }

    @Test(
        "each has its own row, and who keeps the changes has the rows as they were saved", arguments: StoreKind.allCases
    )
    func kept(_ kind: StoreKind) throws {
        let (stack, store) = try Self.hooked(kind)
        store.keptChanges.withLock { $0 = [] }
        try stack.background.performAndWait { context in
            let readings = try Self.insert(context)
            #expect(try context.save().inserted["Reading"]?.count == Self.count)
            for reading in readings { reading[3] = -1 }
        }
        let rows = try store.base.rows(StoreRequest("Reading"))
        #expect(rows.map(\.id) == (1...Int64(Self.count)).map { $0 })
        #expect(rows[0].values[Reading.width].description == "1.0000")
        #expect(rows.map(\.values) == (1...Self.count).map(Reading.values))
        let kept = try #require(store.keptChanges.withLock { $0?.first })["Reading"]
        #expect(kept.insertions.map(\.values) == (1...Self.count).map(Reading.values))
        #expect(kept.insertedIDs == rows.map(\.id))
        for column in [3, Reading.width, Reading.width + 1] {
            var values: [StoredValue] = []
            kept.eachInsertedValue(column: column) { values.append($1) }
            #expect(values == rows.map { $0.values[column] })
        }
    }

    @Test("where one row's identifier was taken meanwhile nothing is stored", arguments: StoreKind.allCases)
    func taken(_ kind: StoreKind) throws {
        let (stack, store) = try Self.hooked(kind)
        store.beforeSave.withLock { hook in
            hook = { base, _ in
                var changes = ChangeSet()
                changes["Reading"].insertions = [.init(id: Int64(Self.count), values: Reading.values(1))]
                _ = try base.save(changes)
            }
        }
        try stack.background.performAndWait { context in
            _ = try Self.insert(context)
            let error = try persistenceError { try context.save() }
            #expect(error.code == .uniqueness)
        }
        #expect(try store.base.rows(StoreRequest("Reading")).map(\.id) == [Int64(Self.count)])
    }
}
