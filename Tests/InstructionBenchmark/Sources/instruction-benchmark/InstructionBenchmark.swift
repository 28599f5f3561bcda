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

/// Does one job with some records, so that `bench.sh` counts its instructions.
///
/// Usage: `instruction-benchmark JOB STORE COUNT`. With a COUNT of 0 it does everything but the job: the difference of two runs is the job.
/// Other trees are measured with this program too: what a job does stays what it is, and it asks for little of the interface.
@main
enum InstructionBenchmark {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let job = Job(rawValue: arguments[1]), let count = Int(arguments[3]) else {
            print("usage: instruction-benchmark JOB STORE COUNT, JOB one of", Job.allCases.map(\.rawValue))
            exit(64)
        }
        // Printed, so that nothing is optimised away.
        print(try job.run(on: URL(fileURLWithPath: arguments[2]), People(count: count)))
    }
}

/// What is counted.
enum Job: String, CaseIterable {
    /// New objects, and the save that writes them; the store has their bosses already.
    case insert
    /// All objects of the store, and their values.
    case fetch
    /// The same rows as values.
    case fetchRecords = "fetch-records"
    /// Objects one by one by their identifiers, in an order that no cache likes.
    case lookup
    /// A new value for every object, and the save; all objects were fetched before.
    case update
    /// All of that in a store in memory.
    case inMemory = "in-memory"
    /// Loading an empty stack in memory, for each twentieth record.
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
