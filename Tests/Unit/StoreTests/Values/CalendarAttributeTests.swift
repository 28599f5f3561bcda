import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// A shop with a day and times of day.
struct Shop: PersistentRecord {
    let id: LibraryID
    var founded: Day
    var opens: TimeOfDay?
    var closes: TimeOfDay

    static let noon = TimeOfDay(nanosecondsSinceMidnight: 43_200_000_000_000).map(StoredValue.timeOfDay) ?? .null
    static let eighteenHundred = Day(daysSinceReferenceDay: -73_414).map(StoredValue.day) ?? .null

    static let entity = RecordEntity<Shop>(
        "Shop", id: \.id,
        [
            .attribute("founded", \.founded, rules: [.minimum(eighteenHundred)], isUnique: true),
            .attribute("opens", \.opens, isIndexed: true),
            .attribute("closes", \.closes, default: .constant(noon)),
        ]
    ) { row in
        Shop(id: try row.id(), founded: try row.next(), opens: try row.next(), closes: try row.next())
    }
}

@Suite("Days and times of day as attributes")
struct CalendarAttributeTests {
    private static func day(_ text: String) throws -> Day { try #require(Day(text)) }
    private static func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    private func shops(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel([Shop.entity.description]))
        try stack.background.performAndWait { context in
            for (founded, opens) in [("1900-12-31", "08:30"), ("1999-02-03", "10:00:00.25"), ("2024-02-29", nil)] {
                let founded = try Self.day(founded)
                let opens = try opens.map(Self.time)
                let closes = try Self.time("18:00")
                try context.insert(Shop.self) { Shop(id: $0, founded: founded, opens: opens, closes: closes) }
            }
            try context.save()
        }
        return stack
    }

    private func ids(_ stack: TestStack, _ condition: FetchCondition?, sort: [StoreRequest.Sort] = []) throws -> [Int64]
    {
        try stack.container.coordinator.store.rows(StoreRequest("Shop", where: condition, sort: sort)).map(\.id)
    }

    @Test("records store days and times, and predicates compare with them", arguments: StoreKind.allCases)
    func predicates(kind: StoreKind) throws {
        let stack = try shops(kind)
        let (day, time) = (try Self.day("1999-02-03"), try Self.time("09:00"))
        let found = try stack.background.performAndWait { context in
            let before = try context.fetchRecords(FetchRequest<Shop>(where: #Predicate { $0.founded < day }))
            let from = try context.fetchRecords(FetchRequest<Shop>(where: #Predicate { $0.founded >= day }))
            let early = try context.fetchRecords(FetchRequest<Shop>(where: #Predicate { ($0.opens ?? time) < time }))
            return [before.map(\.id.rawValue), from.map(\.id.rawValue), early.map(\.id.rawValue)]
        }
        #expect(found == [[1], [2, 3], [1]])
    }

    static let conditions: [(String, [Int64])] = [
        ("founded = '1999-02-03'", [2]), ("founded >= '19990203'", [2, 3]),
        ("founded in {'2024-02-29', '1900-12-31'}", [1, 3]), ("opens >= '08:30'", [1, 2]),
        ("opens > \"08:30:00\" and opens < '10:00:00.5'", [2]), ("opens = null", [3]),
        ("closes between {'17:59:59.999999999', '18:00'}", [1, 2, 3]),
    ]

    @Test("predicates in text compare with days and times", arguments: StoreKind.allCases)
    func text(kind: StoreKind) throws {
        let stack = try shops(kind)
        let text = try PredicateText("Shop", in: stack.container.model)
        for (predicate, wanted) in Self.conditions {
            #expect(try ids(stack, try text.condition(predicate)) == wanted, "\(predicate)")
        }
        #expect(try ids(stack, nil, sort: [.init("opens", descending: true)]) == [2, 1, 3])
    }

    @Test(
        "an invalid day or time in a predicate is rejected with an example",
        arguments: [
            ("founded > 2020", "column 11: a number cannot be compared with a day; write \"2020-01-31\""),
            ("founded > '2020-02-30'", "column 11: not a day; write \"2020-01-31\""),
            ("founded > '2020-02-28T10:00'", "column 11: not a day; write \"2020-01-31\""),
            ("opens > 8", "column 9: a number cannot be compared with a time of day; write \"08:30:00\""),
            ("opens > '24:00'", "column 9: not a time of day; write \"08:30:00\""),
            ("opens > founded", "column 1: a time of day and a day cannot be compared"),
        ])
    func refusals(predicate: String, message: String) throws {
        let text = try PredicateText("Shop", in: try ManagedObjectModel([Shop.entity.description]))
        let error = #expect(throws: PredicateTextError.self) { try text.condition(predicate) }
        #expect(error.map { "\($0)".hasPrefix(message) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("rules, defaults, uniqueness and batch updates apply to days and times", arguments: StoreKind.allCases)
    func rules(kind: StoreKind) throws {
        let stack = try shops(kind)
        let store = stack.container.coordinator.store
        let text = try PredicateText("Shop", in: stack.container.model)
        func update(_ values: String, where condition: String) throws {
            var set: [String: FetchOperand] = [:]
            for assignment in try text.assignments(values) { set[assignment.name] = assignment.value }
            _ = try stack.container.batchUpdate("Shop", where: try text.condition(condition), set: set)
        }
        try update("opens = '07:00', founded = '2000-01-01'", where: "id = 3")
        #expect(try store.rows(StoreRequest("Shop")).last?.values[1] == .timeOfDay(try Self.time("07:00")))
        let early = try persistenceError { try update("founded = '1799-12-31'", where: "id = 1") }
        #expect(early.failures.map(\.description) == ["Shop 1, founded: is less than 1800-01-01"])
        let twice = try persistenceError { try update("founded = '2000-01-01'", where: "id = 1") }
        #expect(twice.code == .uniqueness || !twice.conflicts.isEmpty || !twice.failures.isEmpty, "\(twice)")
        try stack.container.batchInsert(into: "Shop") { inserter in
            let values: [StoredValue?] = [.day(try Self.day("2010-10-10")), nil, nil]
            try inserter.insert(
                values: values.map { $0 ?? .null }.enumerated().map { $0 == 2 ? Shop.noon : $1 },
                location: RowLocation(line: 1, record: 1))
        }
        #expect(try store.rows(StoreRequest("Shop")).last?.values[2] == Shop.noon)
        let wrong = try persistenceError {
            try stack.container.batchInsert(into: "Shop") { inserter in
                try inserter.insert(
                    values: [.string("2011-01-01"), .null, Shop.noon], location: RowLocation(line: 1, record: 1))
            }
        }
        #expect(wrong.failures.map(\.debugDescription) == ["Shop 0, founded: “2011-01-01” is not a day"])
    }

    static let spoiled: [(String, String, String)] = [
        ("founded", "'20000101'", "day"), ("founded", "'2000-02-30'", "day"), ("founded", "'2000-1-1'", "day"),
        ("closes", "'08:30'", "timeOfDay"), ("closes", "'08:30:00.50'", "timeOfDay"),
        ("closes", "'24:00:00'", "timeOfDay"), ("closes", "'08:30:00,5'", "timeOfDay"),
    ]

    @Test("a row with a day or time that is not in canonical form is corrupt", arguments: spoiled)
    func corrupt(column: String, text: String, type: String) throws {
        let folder = try TemporaryFolder()
        let model = try ManagedObjectModel([Shop.entity.description])
        let file = folder.file("store.sqlite")
        let first = try SQLiteStore.open(at: file, model: model)
        var changes = ChangeSet()
        changes["Shop"].insertions = [.init(id: 1, values: [Shop.eighteenHundred, .null, Shop.noon])]
        #expect(try first.save(changes).isEmpty)
        #expect(try first.rows(StoreRequest("Shop")).first?.values == [Shop.eighteenHundred, .null, Shop.noon])
        try first.close()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        #expect(
            try connection.text("SELECT founded || ' ' || closes || ' ' || typeof(founded) FROM Shop")
                == "1800-01-01 12:00:00 text")
        try connection.execute("UPDATE Shop SET \(column) = \(text)")
        connection.close()
        let store = try SQLiteStore.open(at: file, model: model)
        let error = try persistenceError { _ = try store.rows(StoreRequest("Shop")) }
        #expect(error.code == .corrupt && error.attribute == column)
        #expect(
            error.message
                == "row 1 contains a value that is not of type \(type); the file was damaged or changed by another program"
        )
        try store.close()
    }

    @Test("the model's JSON contains the types day and timeOfDay, and their values are stored as texts")
    func model() throws {
        let json = try ManagedObjectModel([Shop.entity.description]).json()
        #expect(json.contains("\"type\":\"day\"") || json.contains("\"type\" : \"day\""))
        #expect(json.contains("timeOfDay"))
        #expect(json.contains("minimum 1800-01-01"))
        #expect(AttributeType.day.storage == .text && AttributeType.timeOfDay.storage == .text)
    }
}
