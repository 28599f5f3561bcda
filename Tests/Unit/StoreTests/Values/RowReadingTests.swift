import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Columns read as Swift types must have the same result as stored values, whatever optimization a store has.
@Suite("Reading columns of rows")
struct RowReadingTests {
    private static let columns: [(AttributeType, StoredValue)] = [
        (.string, .string("Ääkköset, longer than fifteen bytes")), (.string, .string("")), (.string, .string("A")),
        (.integer16, .integer(-7)), (.integer32, .integer(70_000)), (.integer64, .integer(1 << 53)),
        (.double, .double(0.5)), (.decimal(scale: 2), .decimal(ScaledDecimal(unscaled: 100, scale: 2))),
        (.boolean, .boolean(true)), (.date, .date(Date(timeIntervalSinceReferenceDate: 0.125))),
        (.uuid, .uuid(UUID())), (.binary, .binary(Data([0, 1]))),
        (.day, .day(Day(daysSinceReferenceDay: 7) ?? Day(unchecked: CalendarDay(year: 1, month: 1, day: 1)))),
        (.timeOfDay, .timeOfDay(TimeOfDay(unchecked: 1))),
    ]

    private static let entity = EntityDescription(
        "Sample",
        columns.enumerated().map { .attribute(AttributeDescription("c\($0)", $1.0, isOptional: true)) })

    private static let types: [any AttributeValue.Type] = [
        String.self, Int.self, Int64.self, Int32.self, Int16.self, Double.self, Bool.self, Date.self, UUID.self,
        Data.self, Decimal.self, Day.self, TimeOfDay?.self, TeamID.self, Grade.self, String?.self, Int16?.self,
        Double?.self, Bool?.self,
        Date?.self, UUID?.self, TeamID?.self, Grade?.self,
    ]

    /// Returns the result as text: the value or the error.
    private static func outcome(_ read: () throws -> some AttributeValue) -> String {
        do { return "\(try read())" } catch { return "error: \((error as? UnreadableColumn)?.underlying ?? error)" }
    }

    private static func differences(_ row: RowReader) -> [String] {
        func compare<Value: AttributeValue>(_ type: Value.Type, _ index: Int) -> String? {
            let direct = outcome { try row[index] as Value }
            let stored = outcome { try Value(storedValue: row.value(at: index)) }
            return direct == stored ? nil : "\(columns[index]) as \(type): \(direct), not \(stored)"
        }
        return types.flatMap { type in columns.indices.compactMap { compare(type, $0) } }
    }

    private static let rows = [
        StoredRow(id: 1, values: columns.map(\.1)), StoredRow(id: 2, values: columns.map { _ in .null }),
    ]

    @Test(
        "reading a column as any Swift type has the same result as converting the stored value",
        arguments: StoreKind.allCases)
    func stores(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try kind.open(try ManagedObjectModel([Self.entity]), in: folder)
        var changes = ChangeSet()
        for row in Self.rows { changes["Sample"].insertions.append(.init(id: row.id, values: row.values)) }
        #expect(try store.save(changes).isEmpty)
        var count = 0
        try store.fetch(StoreRequest("Sample")) { row in
            #expect(Self.differences(row) == [])
            count += 1
            return .next
        }
        #expect(count == Self.rows.count)
        try store.close()
    }

    @Test("a row source that returns only stored values is read with the same results")
    func minimalSource() {
        final class Source: RowSource {
            let row: StoredRow
            init(_ row: StoredRow) { self.row = row }
            var id: Int64 { row.id }
            var version: Int64 { row.version }
            func value(at index: Int) -> StoredValue { row.values[index] }
        }
        for row in Self.rows { #expect(Self.differences(RowReader(Source(row))) == []) }
    }

    @Test("a computed property is written like a stored property")
    func computedProperty() throws {
        let row = try Label.entity.row(of: Label(id: try #require(TeamID(rawValue: 3)), text: "ab"))
        #expect(row.values == [.string("ab"), .integer(2)])
    }

    @Test("a writing connection uses the write-ahead log and syncs only at checkpoints")
    func durability() throws {
        let stack = try StoreKind.sqlite.league()
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        #expect(try store.withWriter { try $0.text("PRAGMA journal_mode") } == "wal")
        #expect(try store.withWriter { try $0.number("PRAGMA synchronous") } == 1)
    }
}

/// A record with a computed property among its attributes.
private struct Label: PersistentRecord {
    let id: TeamID
    var text: String
    var length: Int { text.count }

    static let entity = RecordEntity<Label>(
        "Label", id: \.id, [.attribute("text", \.text), .computed("length", \.length)]
    ) { row in
        try Label(id: row.id(), text: row.next())
    }
}
