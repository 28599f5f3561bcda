import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataStoreKit

/// Strata's side: the reference model's `Employee` through the public interface.
struct StrataSide {
    let dataset: Dataset
    let folder: URL
    private let employees: [Employee]
    private let bosses: [Boss]

    init(_ dataset: Dataset, folder: URL) throws {
        self.dataset = dataset
        self.folder = folder
        bosses = try dataset.bosses.map { person in
            Boss(id: try Boss.ID(person.id), firstName: person.firstName, lastName: person.lastName)
        }
        employees = try dataset.employees.map { person in
            try Employee(
                id: try Employee.ID(person.id), firstName: person.firstName, lastName: person.lastName,
                salary: person.salary, dateHired: person.dateHired, boss: try person.boss.map { try Boss.ID($0) })
        }
    }

    /// Creates a store that contains the bosses.
    func makeStack() throws -> PersistentContainer {
        let url = folder.appendingPathComponent("strata-\(UUID().uuidString).sqlite")
        let container = try PersistentContainer(
            model: try ReferenceModel.model(), .sqlite(at: url), mainQueue: .private)
        try container.newBackgroundContext().performAndWait { context in
            for boss in bosses { try context.insert(boss) }
            try context.save()
        }
        return container
    }

    func insert() throws -> (Duration, Checksum) {
        let container = try makeStack()
        let time = try ContinuousClock().measure { try insertAll(container) }
        let checksum = try container.backgroundContext.performAndWait { context in
            Self.checksum(try context.fetchRecords(FetchRequest<Employee>()))
        }
        try container.destroyPersistentStore()
        return (time, checksum)
    }

    func insertAll(_ container: PersistentContainer) throws {
        try container.newBackgroundContext().performAndWait { context in
            for employee in employees { try context.insert(employee) }
            try context.save()
        }
    }

    /// Inserts the same rows in one context with a save after every thousand rows.
    func insertSavingOften() throws -> (Duration, Checksum) {
        let container = try makeStack()
        let time = try ContinuousClock().measure {
            try container.newBackgroundContext().performAndWait { context in
                for (index, employee) in employees.enumerated() {
                    try context.insert(employee)
                    if (index + 1).isMultiple(of: 1_000) { try context.save() }
                }
                try context.save()
            }
        }
        try container.destroyPersistentStore()
        return (time, Checksum())
    }

    /// Inserts the same rows without objects, so that a memory measurement begins low.
    func insertRows(_ inserter: BatchInserter) throws {
        for (index, employee) in employees.enumerated() {
            let row = try Employee.entity.row(of: employee)
            try inserter.insert(
                id: row.id, values: row.values, location: RowLocation(line: index + 1, record: index + 1))
        }
    }

    func fetchStructs(_ container: PersistentContainer) throws -> (Duration, Checksum) {
        try timed {
            try container.newBackgroundContext().performAndWait { context in
                Self.checksum(try context.fetchRecords(FetchRequest<Employee>()))
            }
        }
    }

    func fetchManaged(_ container: PersistentContainer) throws -> (Duration, Checksum) {
        try timed {
            try container.newBackgroundContext().performAndWait { context in
                var checksum = Checksum()
                for employee in try context.fetch(FetchRequest<Employee>()) {
                    checksum.add(
                        id: employee.id.rawValue, name: employee.lastName, salary: employee.salary,
                        dateHired: employee.dateHired, boss: employee.boss?.rawValue)
                }
                return checksum
            }
        }
    }

    func lookUp(_ container: PersistentContainer) throws -> (Duration, Checksum) {
        let ids = try dataset.shuffledIDs.map { try Employee.ID($0) }
        return try timed {
            try container.newBackgroundContext().performAndWait { context in
                var checksum = Checksum()
                for id in ids {
                    let employee = try context.existingObject(with: id, of: Employee.self)
                    checksum.add(
                        id: employee.id.rawValue, name: employee.lastName, salary: employee.salary,
                        dateHired: employee.dateHired, boss: employee.boss?.rawValue)
                }
                return checksum
            }
        }
    }

    func update(_ container: PersistentContainer) throws -> (Duration, Checksum) {
        try container.newBackgroundContext().performAndWait { context in
            let objects = try context.fetch(FetchRequest<Employee>())
                .filter { $0.id.rawValue.isMultiple(of: Dataset.updateStride) }
            let time = try ContinuousClock().measure {
                for object in objects { object.salary += 1 }
                try context.save()
            }
            return (time, Self.checksum(objects.map(\.record)))
        }
    }

    private static func checksum(_ employees: [Employee]) -> Checksum {
        var checksum = Checksum()
        for employee in employees {
            checksum.add(
                id: employee.id.rawValue, name: employee.lastName, salary: employee.salary,
                dateHired: employee.dateHired, boss: employee.boss?.rawValue)
        }
        return checksum
    }
}

/// Returns the duration and result of a body; the duration includes the release of its objects.
func timed<Value>(_ body: () throws -> Value) rethrows -> (Duration, Value) {
    let clock = ContinuousClock()
    let start = clock.now
    let value = try body()
    return (clock.now - start, value)
}

/// Measures `work`, and afterwards computes the checksum of its effect, which must be equal on both sides.
func timed(_ work: () throws -> Void, seen: () throws -> Checksum) rethrows -> (Duration, Checksum) {
    let (time, _) = try timed(work)
    return (time, try seen())
}
