import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

/// The operations on employees that request handlers need.
struct Staff {
    let reading: ManagedObjectContext
    let writing: ManagedObjectContext

    init(_ container: PersistentContainer) {
        reading = container.newBackgroundContext(name: "requests", automaticallyMergesChangesFromParent: true)
        writing = container.newBackgroundContext(name: "units of work", automaticallyMergesChangesFromParent: true)
    }

    /// `GET /employees/{id}`: the record, and its version as the ETag.
    func employee(_ id: Employee.ID) async throws -> (record: Employee, etag: Int64) {
        try await reading.perform { context in
            let employee = try context.existingObject(with: id, of: Employee.self)
            return (employee.record, employee.version)
        }
    }

    /// `PUT /employees/{id}/salary` with `If-Match`: the new ETag.
    func setSalary(_ salary: Int, of id: Employee.ID, ifMatch etag: Int64) async throws -> Int64 {
        try await writing.perform { context in
            let employee = try context.existingObject(with: id, of: Employee.self)
            try context.transaction { _ in
                guard employee.version == etag else { throw Outdated() }
                employee.salary = salary
            }
            return employee.version
        }
    }

    /// `POST /bosses/{id}/raise`: raises a whole team or none, and retries after a conflict.
    func raise(_ boss: Boss.ID, by amount: Int) async throws -> Int {
        try await writing.performTransaction(retrying: 5) { context in
            let boss = try context.existingObject(with: boss, of: Boss.self)
            let team = try context.objects(\.employees, of: boss)
            for employee in team { employee.salary += amount }
            return team.count
        }
    }
}

struct Outdated: Error {}

/// The status of an HTTP response.
func status(of error: any Error) -> Int {
    if error is Outdated { return 412 }
    switch (error as? PersistenceError)?.code {
    case .objectNotFound?: return 404
    case .uniqueness?, .conflict?, .danglingReference?: return 409
    case .validation?: return 422
    case .locked?, .closed?, .readOnly?, .storeMigrated?: return 503
    case .diskFull?: return 507
    default: return 500
    }
}

@Suite("The examples of the page about services")
struct ServiceExampleTests {
    private func staff(_ kind: StoreKind) async throws -> (ArticleStack, Staff) {
        let stack = try ArticleStack(kind)
        try await stack.container.backgroundContext.performTransaction { context in
            let ada = try context.insert(Boss.self) { Boss(id: $0, firstName: "Ada", lastName: "Lovelace") }
            for salary in [100, 200] {
                try context.insert(Employee.self) {
                    try Employee(
                        id: $0, firstName: "E", lastName: "\(salary)", salary: salary, dateHired: .now, boss: ada.id)
                }
            }
        }
        return (stack, Staff(stack.container))
    }

    @Test(
        "a record's version serves as its ETag, and an update with an outdated ETag throws",
        arguments: StoreKind.allCases)
    func etags(_ kind: StoreKind) async throws {
        let (stack, staff) = try await staff(kind)
        let (_, etag) = try await staff.employee(1)
        let next = try await staff.setSalary(150, of: 1, ifMatch: etag)
        #expect(next != etag)
        let late = await #expect(throws: Outdated.self) { try await staff.setSalary(1, of: 1, ifMatch: etag) }
        #expect(late.map(status) == 412)
        let found = try await staff.employee(1)
        #expect(found.record.salary == 150 && found.etag == next)
        try stack.container.close()
    }

    @Test("a failed request leaves no changes for the next request", arguments: StoreKind.allCases)
    func failures(_ kind: StoreKind) async throws {
        let (stack, staff) = try await staff(kind)
        let etag = try await staff.employee(1).etag
        let invalid = await #expect(throws: PersistenceError.self) {
            try await staff.setSalary(-1, of: 1, ifMatch: etag)
        }
        #expect(invalid.map(status) == 422)
        let missing = await #expect(throws: PersistenceError.self) { try await staff.raise(9, by: 1) }
        #expect(missing.map(status) == 404)
        #expect(try await staff.raise(1, by: 10) == 2)
        #expect(try await staff.employee(1).record.salary == 110)
        try stack.container.close()
        let closed = await #expect(throws: PersistenceError.self) { try await staff.raise(1, by: 10) }
        #expect(closed.map(status) == 503)
    }
}
