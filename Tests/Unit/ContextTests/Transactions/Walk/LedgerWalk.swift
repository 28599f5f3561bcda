import Foundation
import StrataPersistence
import StrataTestSupport

/// Tasks that change their own accounts and move money between shared accounts, in contexts of their own and in a
/// shared one.
///
/// After every unit of work the expected accounts are known without the store: a task's own accounts have the changes
/// of its committed units, and the total of the shared accounts is constant.
struct LedgerWalk {
    static let tasks = 8
    /// The owner of the shared accounts, between which money is moved.
    static let sharedOwner = 99
    static let money = 1_000

    let container: PersistentContainer
    let seed: UInt64
    let units: Int
    let deadline: ContinuousClock.Instant

    /// Runs the tasks.
    ///
    /// - Returns: The numbers of units of work that were committed and rolled back.
    func run() async throws -> (committed: Int, takenBack: Int) {
        try await container.newBackgroundContext(name: "opening").performTransaction { context in
            for key in 1...4 {
                try context.insert(Ledger.Account.self) {
                    Ledger.Account(id: $0, owner: Self.sharedOwner, key: 1_000_000_000 + key, balance: Self.money)
                }
            }
        }
        let shared = container.newBackgroundContext(name: "shared", automaticallyMergesChangesFromParent: true)
        return try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<Self.tasks {
                group.addTask {
                    var walker = LedgerWalker(number, self, shared: shared)
                    return try await walker.walk()
                }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
        }
    }
}

/// One of the concurrent tasks.
private struct LedgerWalker {
    let owner: Int
    let walk: LedgerWalk
    let shared: ManagedObjectContext
    let own: ManagedObjectContext
    var random: SeededGenerator
    var known: Ledger.Accounts = [:]
    var nextKey: Int
    var (committed, takenBack) = (0, 0)

    init(_ owner: Int, _ walk: LedgerWalk, shared: ManagedObjectContext) {
        self.owner = owner
        self.walk = walk
        self.shared = shared
        own = walk.container.newBackgroundContext(
            name: "own \(owner)", automaticallyMergesChangesFromParent: owner.isMultiple(of: 2))
        random = SeededGenerator(seed: walk.seed &* 1_000 &+ UInt64(owner))
        nextKey = owner * 1_000_000
    }

    mutating func walk() async throws -> (Int, Int) {
        var units = 0
        while units < walk.units || ContinuousClock.now < walk.deadline {
            units += 1
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try await transfer()
            case 1: try await count()
            default: try await change()
            }
        }
        return (committed, takenBack)
    }

    /// Runs a unit of work on accounts that no other task changes.
    private mutating func change() async throws {
        let plan = LedgerPlan(&nextKey, using: &random)
        let (owner, before) = (owner, known)
        let context = Bool.random(using: &random) ? own : shared
        let work: @Sendable () async throws -> Ledger.Accounts
        if Bool.random(using: &random) {
            work = {
                try await context.performTransaction(retrying: 1_000, clock: HastyClock()) { context in
                    var known = before
                    try plan.run(ObjectUnit(context: context), owner: owner, &known)
                    return known
                }
            }
        } else {
            let records: any RecordContext = context
            work = {
                try await records.transaction(retrying: 1_000, clock: HastyClock()) { unit in
                    var known = before
                    try plan.run(ValueUnit(unit: unit), owner: owner, &known)
                    return known
                }
            }
        }
        do {
            known = try await plan.ending == .isCancelled ? cancelled(work) : work()
            if plan.ending != .returns, plan.ending != .isCancelled {
                throw StressFailure(description: "a unit that \(plan.ending) was saved")
            }
            committed += 1
        } catch let error where Self.isExpected(error, plan.ending) {
            takenBack += 1
        }
        try await compare(in: Bool.random(using: &random) ? own : shared)
    }

    /// Runs a unit of work in a task that is canceled meanwhile.
    private func cancelled(
        _ work: @escaping @Sendable () async throws -> Ledger.Accounts
    ) async throws -> Ledger.Accounts {
        let task = Task { try await work() }
        if owner.isMultiple(of: 3) { await Task.yield() }
        task.cancel()
        return try await task.value
    }

    private static func isExpected(_ error: any Error, _ ending: LedgerPlan.Ending) -> Bool {
        switch ending {
        case .returns: false
        case .throwsItself: error is LedgerPlan.Refusal
        case .breaksRule: (error as? PersistenceError)?.code == .validation
        case .takesKey: (error as? PersistenceError)?.code == .uniqueness
        case .isCancelled: error is CancellationError
        }
    }

    /// Expects that a context sees the committed accounts and no others.
    private func compare(in context: ManagedObjectContext) async throws {
        let (owner, known) = (owner, known)
        let seen = try await context.performTransaction { try ObjectUnit(context: $0).accounts(of: owner) }
        if seen != known { throw StressFailure(description: "owner \(owner) has \(seen), not \(known)") }
    }

    /// Moves money between accounts that other tasks change too.
    private mutating func transfer() async throws {
        let sharedOwner = LedgerWalk.sharedOwner
        let places = (0..<4).shuffled(using: &random)
        let amount = Int.random(in: 1...9, using: &random)
        let fails = Int.random(in: 0..<4, using: &random) == 0
        let context = Bool.random(using: &random) ? own : shared
        do {
            try await context.performTransaction(retrying: 10_000, mergePolicy: .error, clock: HastyClock()) {
                context in
                let accounts = try context.fetch(
                    FetchRequest<Ledger.Account>(where: #Predicate { $0.owner == sharedOwner }))
                let (giver, claimant) = (accounts[places[0]], accounts[places[1]])
                giver.balance -= amount
                if fails { throw LedgerPlan.Refusal() }
                claimant.balance += amount
            }
            committed += 1
        } catch let error where error is LedgerPlan.Refusal || (error as? PersistenceError)?.code == .validation {
            takenBack += 1
        }
    }

    /// Expects that the shared accounts have all the money at any time.
    private func count() async throws {
        let sharedOwner = LedgerWalk.sharedOwner
        let request = FetchRequest<Ledger.Account>(where: #Predicate { $0.owner == sharedOwner })
        let sum = try await own.fetch(request).map(\.balance).reduce(0, +)
        if sum != 4 * LedgerWalk.money { throw StressFailure(description: "the money of all is \(sum)") }
    }
}

/// A clock on which no time passes: a waiting task yields to the others.
struct HastyClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
