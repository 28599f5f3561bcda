import Foundation

#if canImport(StrataPersistence)
import StrataDomain
import StrataPersistence
import StrataRepositories
#else
import Domain
import Persistence
import Repositories
#endif

/// A program that performs one job with a number of records, whose instructions `bench.sh` counts.
///
/// Usage: `instruction-benchmark JOB STORE COUNT`. A COUNT of 0 performs everything except the job, so the difference
/// of two runs is the job. This program also measures other trees: jobs must not change, and must use little of the
/// interface.
@main
enum InstructionBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let job = Job(rawValue: arguments[1]), let count = Int(arguments[3]) else {
            print("usage: instruction-benchmark JOB STORE COUNT, JOB one of", Job.allCases.map(\.rawValue))
            exit(64)
        }
        // The result is printed to prevent its removal by the optimizer.
        print(try job.run(on: URL(fileURLWithPath: arguments[2]), People(count: count)))
    }
}

/// The jobs whose instructions are counted.
enum Job: String, CaseIterable {
    /// Inserts objects and saves them; the store already contains their bosses.
    case insert
    /// Fetches all objects of the store and reads their values.
    case fetch
    /// Fetches the same rows as values.
    case fetchRecords = "fetch-records"
    /// Looks up objects one by one by identifier, in an order with poor cache locality.
    case lookup
    /// Changes every object and saves; all objects were fetched before.
    case update
    /// Performs all of these jobs in a store in memory.
    case inMemory = "in-memory"
    /// Loads an empty stack in memory for every twentieth record.
    case inMemoryStack = "in-memory-stack"

    func run(on url: URL, _ people: People) throws -> Int {
        switch self {
        case .inMemory:
            return try withStack(.inMemory) { stack in
                try stack.insertBosses(people)
                try stack.insert(people)
                return try stack.fetch(people) &+ stack.fetchRecords(people) &+ stack.lookUp(people)
                    &+ stack.update(people)
            }
        case .inMemoryStack:
            return try (0..<people.count / 20).reduce(0) { sum, _ in try sum &+ withStack(.inMemory) { _ in 1 } }
        case .insert: return try withStack(.sqlite(at: url)) { try $0.insert(people) }
        case .fetch: return try withStack(.sqlite(at: url)) { try $0.fetch(people) }
        case .fetchRecords: return try withStack(.sqlite(at: url)) { try $0.fetchRecords(people) }
        case .lookup: return try withStack(.sqlite(at: url)) { try $0.lookUp(people) }
        case .update: return try withStack(.sqlite(at: url)) { try $0.update(people) }
        }
    }

    private func withStack(_ store: PersistentStoreDescription, _ body: (Stack) throws -> Int) throws -> Int {
        let container = try PersistentContainer(model: ReferenceModel.model(), store, mainQueue: .private)
        let result = try body(Stack(container: container))
        try container.close()
        return result
    }
}
