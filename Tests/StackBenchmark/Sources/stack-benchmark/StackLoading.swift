import Domain
import Foundation
import Persistence
import PersistenceTesting
import Repositories

/// What it takes to load a whole stack: in memory, and from nothing on disk.
struct StackLoading {
    let folder: URL

    /// The median times in microseconds.
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

    /// The median time in microseconds of a loaded stack over a copy of 10,000 prepared rows.
    func measureCopies(rounds: Int) throws -> Double {
        let prepared = try PreparedStack(model: try ReferenceModel.model()) { context in
            for number in 1...10_000 {
                try context.insert(Boss.self) { Boss(id: $0, firstName: "B", lastName: "\(number)") }
            }
        }
        let times = try (0..<rounds).map { _ in
            let (time, container) = try timed {
                let container = try prepared.container()
                container.mainContext.performAndWait { _ in }
                return container
            }
            try container.close()
            return time
        }
        return Samples(times).median * 1000
    }

    /// Loads a stack until its contexts can be used; gives the time without that of closing it.
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
