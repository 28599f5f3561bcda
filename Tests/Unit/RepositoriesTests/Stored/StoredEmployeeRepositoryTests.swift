import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataStoreKit
import Testing

@Suite("Boss and employee repositories over every kind of store")
struct StoredEmployeeRepositoryTests {
    private func day(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number) * 86_400) }

    /// Creates bosses 1 and 2, and employees 1 to 4 with bosses none, 1, 2 and 1, salaries 0 to 3,000 and hire dates on
    /// days 0 to 3.
    private func fill(_ stack: StoredRepositories) async throws {
        try await stack.bosses.create(firstName: "Ada", lastName: "Lovelace")
        try await stack.bosses.create(firstName: "Grace", lastName: "Hopper")
        for (number, boss) in ([nil, 1, 2, 1] as [Boss.ID?]).enumerated() {
            try await stack.employees.create(
                firstName: "E", lastName: "\(number)", salary: number * 1_000, dateHired: day(number), boss: boss)
        }
    }

    @Test("a created employee is found with the date of the argument", arguments: StoreKind.allCases)
    func create(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            let expected = try Employee(
                id: 2, firstName: "E", lastName: "1", salary: 1_000, dateHired: day(1), boss: 1)
            #expect(try await stack.employees.find(2) == expected)
            #expect(try await stack.bosses.get(2) == Boss(id: 2, firstName: "Grace", lastName: "Hopper"))
        }
    }

    @Test("bosses are found by their employees, and employees by their boss", arguments: StoreKind.allCases)
    func acrossTheRelationship(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            let store = stack.container.coordinator.store
            func bosses(_ filter: RecordFilter<Boss>) throws -> [Int64] {
                try store.rows(try FetchRequest(filter).lowered()).map(\.id)
            }
            #expect(try bosses(.any(\.employees, matching: #Predicate { $0.salary > 2_500 })) == [1])
            #expect(try bosses(.all(\.employees, matching: #Predicate { $0.salary > 1_500 })) == [2])
            #expect(try bosses(.none(\.employees, matching: #Predicate { $0.salary > 2_500 })) == [2])
            #expect(try bosses(.count(\.employees, .greaterOrEqual, 2)) == [1])
            let theirs = RecordFilter<Employee>.related(\.boss, matching: #Predicate<Boss> { $0.firstName == "Ada" })
            #expect(try store.rows(try FetchRequest(theirs).lowered()).map(\.id) == [2, 4])
        }
    }

    @Test(
        "a boss's employees are found by the boss's identifier and by the boss's record", arguments: StoreKind.allCases)
    func ofBoss(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            let ada = try await stack.bosses.get(1)
            #expect(try await stack.employees.employees(of: ada).map(\.id) == [2, 4])
            #expect(try await stack.employees.employees(of: 2).map(\.id) == [3])
            #expect(try await stack.employees.employees(of: 9).isEmpty)
        }
    }

    @Test("a search by a salary range includes both ends of the range", arguments: StoreKind.allCases)
    func earning(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            #expect(try await stack.employees.employees(earning: 1_000...2_000).map(\.id) == [2, 3])
            #expect(try await stack.employees.employees(earning: 1_001...1_999).isEmpty)
        }
    }

    @Test("a search by a range of hire dates includes its start and excludes its end", arguments: StoreKind.allCases)
    func hired(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            #expect(try await stack.employees.employees(hired: day(1)..<day(3)).map(\.id) == [2, 3])
            #expect(try await stack.employees.employees(hired: day(1)..<day(1)).isEmpty)
        }
    }

    @Test("deleting a boss sets the boss of its employees to null", arguments: StoreKind.allCases)
    func bossDeleted(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            #expect(try await stack.bosses.delete(1))
            #expect(try await stack.employees.fetch().map(\.boss) == [nil, nil, 2, nil])
            #expect(try await stack.bosses.deleteAll() == 1)
            #expect(try await stack.employees.fetch().map(\.boss) == [nil, nil, nil, nil])
        }
    }

    @Test("creating or updating an employee with a missing boss throws", arguments: StoreKind.allCases)
    func danglingBoss(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            let created = await #expect(throws: PersistenceError.self) {
                try await stack.employees.create(firstName: "A", lastName: "B", salary: 1, boss: 9)
            }
            let moved = await #expect(throws: PersistenceError.self) {
                try await stack.employees.update(1) { $0.boss = 9 }
            }
            #expect(created?.code == .danglingReference && moved?.code == .danglingReference)
            #expect(try await stack.employees.fetch().map(\.boss) == [nil, 1, 2, 1])
        }
    }

    @Test(
        "an invalid change of an employee throws a validation error, and the row is unchanged",
        arguments: StoreKind.allCases)
    func invalid(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            let error = await #expect(throws: PersistenceError.self) {
                try await stack.employees.update(2) { employee in
                    employee.firstName = "lost"
                    employee.salary = -1
                }
            }
            #expect(error?.code == .validation)
            #expect(error?.failures.map(\.attribute) == ["salary"])
            #expect(try await stack.employees.get(2).firstName == "E")
            #expect(try await stack.employees.get(2).salary == 1_000)
            await #expect(throws: DomainError.self) {
                try await stack.employees.create(firstName: "A", lastName: "B", salary: -1)
            }
            #expect(try await stack.employees.count() == 4)
        }
    }

    @Test("eight concurrent tasks that raise one salary lose no raise", arguments: StoreKind.allCases)
    func raises(kind: StoreKind) async throws {
        try await kind.withRepositories { stack in
            try await fill(stack)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    // Every other task has a separate context, so that saves are concurrent.
                    let own = stack.container.newBackgroundContext(name: "raise \(number)")
                    let employees = number.isMultiple(of: 2) ? stack.employees : StoredEmployeeRepository(own)
                    group.addTask {
                        for _ in 0..<25 { try await employees.update(1) { $0.salary += 1 } }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stack.employees.get(1).salary == 200)
        }
    }
}
