import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting

/// The time of loading a whole stack, in memory and as a new file.
struct StackLoading {
    let folder: URL

    /// Returns the median times in microseconds.
    func measure(rounds: Int) throws -> (inMemory: Double, sqlite: Double) {
        let model = try ReferenceModel.model()
        var inMemory: [Duration] = []
        var sqlite: [Duration] = []
        for round in 0...rounds {
            let url = folder.appendingPathComponent("load-\(round).sqlite")
            let memory = try Self.load(model, .inMemory)
            let disk = try Self.load(model, .sqlite(at: url))
            if round == 0 { continue }
            inMemory.append(memory)
            sqlite.append(disk)
        }
        return (Samples(inMemory).median * 1000, Samples(sqlite).median * 1000)
    }

    /// Times in microseconds for 10,000 prepared rows.
    struct CopyTimes {
        /// The time of reading a store file into memory once.
        var read: Double
        /// The time of loading a stack over a copy in memory.
        var inMemory: Double
        /// The time of loading a stack over a copy of a closed SQLite file.
        var sqlite: Double
    }

    /// Returns the median times of stacks over copies of a store file with 10,000 rows.
    func measureCopies(rounds: Int) throws -> CopyTimes {
        let model = try ReferenceModel.model()
        let url = folder.appendingPathComponent("fixtures.sqlite")
        try Self.fill(url, model)
        let reads = try (0..<rounds).map { _ in
            let (time, _) = try timed { try PreparedStack(model: model, copyOf: url) }
            return time
        }
        let prepared = try PreparedStack(model: model, copyOf: url)
        let inMemory = try (0..<rounds).map { _ in
            let (time, container) = try timed {
                let container = try prepared.container()
                container.mainContext.performAndWait { _ in }
                return container
            }
            try container.close()
            return time
        }
        let store = try PreparedStore(model: model, copyOf: url)
        let sqlite = try (0..<rounds).map { _ in
            let (time, stack) = try timed {
                let stack = try store.temporaryCopy()
                stack.container.mainContext.performAndWait { _ in }
                return stack
            }
            try stack.container.close()
            return time
        }
        func microseconds(_ times: [Duration]) -> Double { Samples(times).median * 1000 }
        return CopyTimes(
            read: microseconds(reads), inMemory: microseconds(inMemory), sqlite: microseconds(sqlite))
    }

    private static func fill(_ url: URL, _ model: ManagedObjectModel) throws {
        let container = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            for number in 1...10_000 {
                try context.insert(Boss.self) { Boss(id: $0, firstName: "B", lastName: "\(number)") }
            }
            try context.save()
        }
        try container.close()
    }

    /// Loads a stack until its contexts are usable; returns the time without that of closing it.
    private static func load(
        _ model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> Duration {
        let (time, container) = try timed {
            let container = try PersistentContainer(model: model, description, mainQueue: .private)
            container.mainContext.performAndWait { _ in }
            return container
        }
        try container.destroyPersistentStore()
        return time
    }
}
