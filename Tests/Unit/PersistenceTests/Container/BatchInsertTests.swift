import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Batch inserts")
struct BatchInsertTests {
    private let place = RowLocation(line: 17, record: 15)

    @Test(
        "a bulk insert validates rows by the rules of a save and reports every failure with its location",
        arguments: StoreKind.allCases)
    func validation(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Team") { rows in
                try rows.insert(
                    values: [.string("Reds"), .null, .integer(0)], location: RowLocation(line: 1, record: 1))
                try rows.insert(values: [.null, .integer(3), .integer(-1)], location: place)
            }
        }
        #expect(error.code == .validation && error.location == place)
        #expect(
            error.description == """
                Team: a row breaks rules of the model:
                  Team 0, name: is mandatory, null is not allowed
                  Team 0, motto: is not of type string
                  Team 0, points: is less than 0
                """)
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test("a bulk insert of row blocks validates values of every type", arguments: StoreKind.allCases)
    func blocks(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let fillings: [(inout RowBlock) -> Void] = [
            { $0.setNull(column: 0) }, { $0.setInteger(5, column: 0) }, { $0.setText(Array("x".utf8).span, column: 2) },
            { $0.setInteger(-1, column: 2) }, { $0.setDouble(1.5, column: 2) }, { $0.setID(-4) },
        ]
        for fill in fillings {
            let error = try persistenceError {
                try stack.container.batchInsert(into: "Team") { rows in
                    var block = RowBlock(of: rows.entity)
                    for record in 1...2 {
                        block.beginRow(location: RowLocation(line: record + 15, record: record + 13))
                        block.setText(Array("Reds".utf8).span, column: 0)
                        block.setInteger(1, column: 2)
                    }
                    fill(&block)
                    try rows.insert(&block)
                }
            }
            #expect(error.code == .validation && error.location == place)
        }
        #expect(try stack.stored(Team.self).isEmpty)
    }

    @Test(
        "a bulk insert rejects a row with a wrong number of values and reports its location",
        arguments: StoreKind.allCases, [0, 2, 4])
    func valueCount(_ kind: StoreKind, _ count: Int) throws {
        let stack = try kind.league()
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Team") { rows in
                try rows.insert(values: Array(repeating: .string("x"), count: count), location: place)
            }
        }
        #expect(error.description == "Team: the row has \(count) values, but the entity has 3 columns")
        #expect(error.location == place)
    }

    @Test("a bulk insert applies the rule of an attribute's domain", arguments: StoreKind.allCases)
    func domainOfDates(_ kind: StoreKind) throws {
        let late = AttributeDomain(name: "Late") { value in
            guard case .date(let date) = value, date.timeIntervalSinceReferenceDate > 0 else {
                throw ValueError("is too early")
            }
            return value
        }
        let stack = try kind.stack(
            try ManagedObjectModel([
                EntityDescription("Event", [.attribute(AttributeDescription("day", .date, domain: late))])
            ]))
        func insert(_ seconds: Double) throws {
            try stack.container.batchInsert(into: "Event") { rows in
                var block = RowBlock(of: rows.entity)
                block.beginRow(location: place)
                block.setDouble(seconds, column: 0)
                try rows.insert(&block)
            }
        }
        try insert(1)
        let error = try persistenceError { try insert(-1) }
        #expect(error.code == .validation && error.debugDescription.contains("is too early"))
        #expect(try stack.container.coordinator.store.count(StoreRequest("Event")) == 1)
    }

    @Test("a bulk insert converts a number of another type to the column's type", arguments: StoreKind.allCases)
    func converted(_ kind: StoreKind) throws {
        let stack = try kind.league()
        try stack.container.batchInsert(into: "Player") { rows in
            var values: [StoredValue] = rows.entity.columns.map { column in
                switch column.type {
                case .string: .string(column.name == "grade" ? "A" : "Ann")
                case .boolean: .boolean(true)
                case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
                case .uuid: .uuid(UUID())
                default: .null
                }
            }
            for (name, value) in [
                ("salary", .decimal(ScaledDecimal(unscaled: 15, scale: 1))), ("form", .integer(3)),
            ] as [(String, StoredValue)] {
                values[try #require(rows.entity.columnIndex(name))] = value
            }
            try rows.insert(values: values, location: place)
            // An integer is a valid salary too.
            values[try #require(rows.entity.columnIndex("salary"))] = .integer(2)
            try rows.insert(values: values, location: place)
            var block = RowBlock(of: rows.entity)
            block.beginRow(location: place)
            values[try #require(rows.entity.columnIndex("salary"))] = .decimal(ScaledDecimal(unscaled: 300, scale: 2))
            for (column, value) in values.enumerated() { block.set(value, column: column) }
            try rows.insert(&block)
        }
        let players = try stack.stored(Player.self)
        #expect(players.map(\.salary) == [Decimal(string: "1.5"), 2, 3])
        #expect(players.map(\.form) == [3, 3, 3])
    }

    @Test("writing to the store inside a bulk insert throws instead of blocking", arguments: StoreKind.allCases)
    func nested(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Team") { _ in
                _ = try stack.container.coordinator.store.reserveIdentifiers(1, of: "Team")
            }
        }
        #expect(
            error.description
                == "the store is being written on this thread; save, create identifiers and close the store before or "
                + "after the write"
        )
        #expect(try stack.container.coordinator.store.reserveIdentifiers(1, of: "Team") == 1...1)
    }

    @Test(
        "a bulk insert rejects an identifier that is out of range", arguments: StoreKind.allCases,
        [0, -1, 9_007_199_254_740_992] as [Int64])
    func identifier(_ kind: StoreKind, _ id: Int64) throws {
        let stack = try kind.league()
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Team") { rows in
                try rows.insert(id: id, values: [.string("Reds"), .null, .integer(0)], location: place)
            }
        }
        #expect(error.failures.map(\.reason) == ["\(id) is not an identifier (1 to 9007199254740991)"])
    }

    @Test(
        "a bulk insert converts decimals to their scale and rejects values that their type rejects",
        arguments: StoreKind.allCases)
    func storedForm(_ kind: StoreKind) throws {
        let stack = try kind.league()
        func row(_ grade: String, _ salary: ScaledDecimal) -> [StoredValue] {
            [
                .string("Ann"), .null, .decimal(salary), .date(Date(timeIntervalSinceReferenceDate: 1)), .uuid(UUID()),
                .string(grade), .boolean(true), .double(-0.0), .null,
            ]
        }
        let salary = ScaledDecimal(unscaled: 57_000, scale: 4)
        try stack.container.batchInsert(into: "Player") { try $0.insert(values: row("B", salary), location: place) }
        let stored = try stack.container.coordinator.store.rows(StoreRequest("Player"))
        #expect(stored.first?.values[2] == .decimal(ScaledDecimal(unscaled: 570, scale: 2)))
        #expect("\(stored.first?.values[2] ?? .null)" == "5.70")
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Player") { rows in
                try rows.insert(values: row("no grade", ScaledDecimal(unscaled: 125, scale: 3)), location: place)
            }
        }
        #expect(
            error.failures.map(\.reason) == [
                "0.125 is not a decimal with at most 2 digits after the point", "“no grade” is not a Grade",
            ])
    }

    @Test("contexts see the rows of a bulk insert in the next fetch", arguments: StoreKind.allCases)
    func visible(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let count = try stack.container.batchInsert(into: "Team") { rows in
            for number in 1...3 {
                try rows.insert(
                    values: [.string("T"), .null, .integer(0)], location: RowLocation(line: number, record: number))
            }
        }
        #expect(count == 3)
        #expect(try stack.container.mainContext.performAndWait { try $0.count(FetchRequest<Team>()) } == 3)
        #expect(try stack.team("New").id.rawValue == 4)
    }

    @Test("a bulk insert into an unknown entity throws", arguments: StoreKind.allCases)
    func unknown(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let error = try persistenceError { try stack.container.batchInsert(into: "Missing") { _ in } }
        #expect("\(error)" == "the model has no entity “Missing”")
    }
}
