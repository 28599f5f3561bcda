import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import StrataTesting

/// Many tasks on several contexts of one store: they increment teams' points, merge, cancel each other, insert and
/// delete objects.
///
/// The points must then add up to the number of increments, which shows that no update was lost.
struct Stress {
    static let teams = 4
    static let tasks = 10

    let containers: [PersistentContainer]
    let ids: [TeamID]
    let deadline: ContinuousClock.Instant
    let seed: UInt64

    /// The duration of the long form, from the environment; zero selects the short form, which counts rounds.
    static var duration: Duration {
        .seconds(ProcessInfo.processInfo.environment["STRATA_STRESS_SECONDS"].flatMap { Int($0) } ?? 0)
    }

    /// Runs the tasks.
    ///
    /// - Returns: The number of increments that were saved.
    func run() async throws -> Int {
        let shared = containers[0].newBackgroundContext(
            name: "shared", mergePolicy: .mergeByPropertyStoreTrump, automaticallyMergesChangesFromParent: true)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<Self.tasks {
                let container = containers[number % containers.count]
                group.addTask {
                    var generator = SeededGenerator(seed: seed &+ UInt64(number))
                    var worker = StressWorker(
                        number: number, container: container, shared: shared, ids: ids, deadline: deadline)
                    return try await worker.work(&generator)
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

/// One of the concurrent tasks.
struct StressWorker {
    let number: Int
    let container: PersistentContainer
    let shared: ManagedObjectContext
    let ids: [TeamID]
    let deadline: ContinuousClock.Instant
    private var counted = 0
    /// The number of rounds of the short form; the long form continues until its time is over.
    private static let minimumRounds = 40

    init(
        number: Int, container: PersistentContainer, shared: ManagedObjectContext, ids: [TeamID],
        deadline: ContinuousClock.Instant
    ) {
        self.number = number
        self.container = container
        self.shared = shared
        self.ids = ids
        self.deadline = deadline
    }

    mutating func work(_ generator: inout SeededGenerator) async throws -> Int {
        let own = container.newBackgroundContext(
            name: "worker \(number)", automaticallyMergesChangesFromParent: number.isMultiple(of: 2))
        let child = own.newChildContext(name: "child of \(number)")
        var rounds = 0
        while rounds < Self.minimumRounds || ContinuousClock.now < deadline {
            rounds += 1
            let id = ids[Int.random(in: 0..<ids.count, using: &generator)]
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1: try await count(id, in: own)
            case 2: try await countInChild(id, child, of: own)
            case 3:
                _ = try await container.mainContext.update(Team.self, id: id) { $0.points += 1 }
                counted += 1
            case 4: try await readShared()
            case 5: try await insertAndDelete(in: own)
            case 6: try await cancel(id, in: own)
            default: try await stream()
            }
        }
        return counted
    }

    /// Increments a counter under optimistic locking: after a conflict it reads the counter again.
    private mutating func count(_ id: TeamID, in context: ManagedObjectContext) async throws {
        while true {
            let isSaved = try await context.perform { context in
                try Self.countUp(id, in: context)
            }
            if isSaved { break }
        }
        counted += 1
    }

    @discardableResult
    private static func countUp(_ id: TeamID, in context: ConfinedContext) throws -> Bool {
        do {
            try context.existingObject(with: id, of: Team.self).points += 1
            try context.save()
            return true
        } catch let error as PersistenceError where error.code == .conflict {
            context.rollback()
            try context.refreshAllObjects()
            return false
        }
    }

    private mutating func countInChild(
        _ id: TeamID, _ child: ManagedObjectContext, of own: ManagedObjectContext
    ) async throws {
        while true {
            let isSaved = try await own.perform { parent in
                do {
                    // This runs in place, because child and parent share a queue.
                    try child.performAndWait { child in
                        try child.existingObject(with: id, of: Team.self).points += 1
                        try child.save()
                    }
                    try parent.save()
                    return true
                } catch let error as PersistenceError where error.code == .conflict {
                    parent.rollback()
                    try parent.refreshAllObjects()
                    child.performAndWait { $0.reset() }
                    return false
                }
            }
            if isSaved { break }
        }
        counted += 1
    }

    private func readShared() async throws {
        let sums = try await shared.perform { context in
            let teams = try context.fetch(FetchRequest<Team>(sort: [SortKey(\.points, order: .reverse)]))
            return (teams.count, teams.allSatisfy { $0.points >= 0 })
        }
        if sums.0 < Stress.teams || !sums.1 { throw StressFailure(description: "a reader saw \(sums)") }
    }

    private func insertAndDelete(in context: ManagedObjectContext) async throws {
        try await context.perform { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "passing") }
            try context.insert(Player.self) { Player(id: $0, name: "Ann", team: team.id) }
            try context.save()
            context.delete(team)
            try context.save()
        }
    }

    /// Increments a counter in a task that is canceled meanwhile, and reports if the increment was saved.
    private mutating func cancel(_ id: TeamID, in context: ManagedObjectContext) async throws {
        let task = Task {
            try await context.perform { context in
                do {
                    return try Self.countUp(id, in: context)
                } catch is CancellationError {
                    context.rollback()
                    return false
                }
            }
        }
        if number.isMultiple(of: 3) { await Task.yield() }
        task.cancel()
        if try await task.value { counted += 1 }
    }

    private func stream() async throws {
        var count = 0
        for try await _ in container.backgroundContext.stream(FetchRequest<Player>()) {
            count += 1
            if count == 3 { break }
        }
    }
}

struct StressFailure: Error, CustomStringConvertible {
    let description: String
}
