#if canImport(StrataPersistence)
import StrataDomain
import StrataPersistence
import StrataRepositories
#else
import Domain
import Persistence
import Repositories
#endif

/// The implementation of the jobs, each in a separate context.
///
/// Each job returns a checksum of the read values.
struct Stack {
    let container: PersistentContainer

    func insertBosses(_ people: People) throws {
        try container.newBackgroundContext().performAndWait { context in
            for boss in try people.bosses() { try context.insert(boss) }
            try context.save()
        }
    }

    @discardableResult
    func insert(_ people: People) throws -> Int {
        try container.newBackgroundContext().performAndWait { context in
            for employee in try people.employees() { try context.insert(employee) }
            try context.save()
        }
        return people.count
    }

    func fetch(_ people: People) throws -> Int {
        guard people.count > 0 else { return 0 }
        return try container.newBackgroundContext().performAndWait { context in
            var sum = 0
            for employee in try context.fetch(FetchRequest<Employee>()) { sum = sum &+ Self.look(at: employee.record) }
            return sum
        }
    }

    func fetchRecords(_ people: People) throws -> Int {
        guard people.count > 0 else { return 0 }
        return try container.newBackgroundContext().performAndWait { context in
            var sum = 0
            for employee in try context.fetchRecords(FetchRequest<Employee>()) { sum = sum &+ Self.look(at: employee) }
            return sum
        }
    }

    func lookUp(_ people: People) throws -> Int {
        let ids = try people.shuffledIDs()
        return try container.newBackgroundContext().performAndWait { context in
            var sum = 0
            for id in ids {
                sum = sum &+ Self.look(at: try context.existingObject(with: id, of: Employee.self).record)
            }
            return sum
        }
    }

    func update(_ people: People) throws -> Int {
        try container.newBackgroundContext().performAndWait { context in
            let employees = try context.fetch(FetchRequest<Employee>())
            guard people.count > 0 else { return employees.count }
            for employee in employees { employee.salary += 1 }
            try context.save()
            return employees.count
        }
    }

    private static func look(at employee: Employee) -> Int {
        employee.lastName.utf8.count &+ employee.salary &+ Int(employee.boss?.rawValue ?? 0)
    }
}
