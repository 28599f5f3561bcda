import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories

/// Hires employees: each hire changes three entities in one unit of work.
struct Onboarding {
    let records: any RecordContext

    func hire(
        _ firstName: String, _ lastName: String, salary: Int, boss: Boss.ID, laptop: Item.ID
    ) async throws -> Employee {
        try await records.transaction(retrying: 3) { unit in
            guard try unit.find(Boss.self, id: boss) != nil else { throw DomainError.notFound(Boss.self, id: boss) }
            guard try unit.count(\.employees, of: Boss.self, id: boss) < 8 else { throw TeamIsFull(boss: boss) }
            try unit.update(Item.self, id: laptop) { $0.stockCount -= 1 }
            return try unit.insert(Employee.self) { id in
                try Employee(
                    id: id, firstName: firstName, lastName: lastName, salary: salary, dateHired: .now, boss: boss)
            }
        }
    }
}

struct TeamIsFull: Error, Equatable {
    let boss: Boss.ID
}
