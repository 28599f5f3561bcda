import Foundation

#if canImport(StrataDomain)
import StrataDomain
#else
import Domain
#endif

/// Employees and their bosses, which are the same in every run, with the identifiers of the files that `bench.sh`
/// writes.
struct People {
    static let bossCount = 1000

    let count: Int

    func bosses() throws -> [Boss] {
        try (1...Self.bossCount).map { number in
            Boss(id: try Boss.ID(Int64(number)), firstName: "Grace", lastName: "Hopper \(number)")
        }
    }

    func employees() throws -> [Employee] {
        try (0..<count).map { index in
            let number = index + 1
            return try Employee(
                id: try Employee.ID(Int64(number)), firstName: "Ada", lastName: "Featherstonehaugh \(number)",
                salary: 30_000 + number % 7919,
                dateHired: Date(timeIntervalSinceReferenceDate: Double(number) * 40_000.125),
                // One of twenty employees has no boss, so that null is read and written too.
                boss: number % 20 == 0 ? nil : try Boss.ID(Int64(number % Self.bossCount + 1)))
        }
    }

    /// Returns every identifier once: multiples of a step that is coprime to the count.
    func shuffledIDs() throws -> [Employee.ID] {
        try (0..<count).map { try Employee.ID(Int64($0 * 7919 % count + 1)) }
    }
}
