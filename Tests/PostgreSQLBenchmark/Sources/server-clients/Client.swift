import StrataDomain
import StrataPersistence
import StrataRepositories

/// What the clients do.
enum Work: String {
    /// One record by its identifier.
    case lookup
    /// A change of an object that the context has, and a save.
    case update
    /// A change of an object that is looked up in the same unit of work.
    case transaction
}

/// One thread with a context of its own.
struct Client {
    let context: ManagedObjectContext
    let duration: Duration
    let ids: IdentifierWalk

    /// So many objects are changed in turn.
    private static let heldObjects = 1_000

    /// Works for the time.
    ///
    /// - Parameters:
    ///   - work: What it does.
    ///   - begin: Called when everything is ready.
    /// - Returns: How often it did it in a second.
    /// - Throws: `PersistenceError`.
    func work(_ work: Work, begin: @Sendable () -> Void) throws -> Double {
        var ids = ids
        switch work {
        case .lookup:
            func lookUp() throws {
                let id = try ids.next()
                let salary = try context.performAndWait { context in
                    try context.existingObject(with: id, of: Employee.self).salary
                }
                precondition(salary >= 0)
            }
            return try repeated(lookUp, begin: begin)
        case .transaction:
            func change() throws {
                let id = try ids.next()
                try context.performTransactionAndWait { context in
                    try context.existingObject(with: id, of: Employee.self).salary += 1
                }
            }
            return try repeated(change, begin: begin)
        case .update:
            let held = try (0..<Self.heldObjects).map { _ in try ids.next() }
            return try context.performAndWait { context in
                let objects = try held.map { try context.existingObject(with: $0, of: Employee.self) }
                var turn = 0
                func change() throws {
                    objects[turn % objects.count].salary += 1
                    try context.save()
                    turn += 1
                }
                return try repeated(change, begin: begin)
            }
        }
    }

    /// Does something once before all begin, and then again and again.
    private func repeated(_ body: () throws -> Void, begin: () -> Void) throws -> Double {
        try body()
        begin()
        let clock = ContinuousClock()
        let start = clock.now
        var count = 0
        while clock.now - start < duration {
            try body()
            count += 1
        }
        return Double(count) / ((clock.now - start) / .seconds(1))
    }
}

/// Identifiers all over the table in an order that no cache likes, each once before the first comes again.
struct IdentifierWalk {
    private let first: Int64
    private let step: Int64
    private let count: Int64
    private var position: Int64 = 0

    /// A prime number that is greater than every count of rows here divides: its multiples meet every place.
    private static let stride: Int64 = 1_000_000_007

    /// Those of the identifiers from 1 to `rows` that are one client's: every `step`th.
    init(first: Int64, step: Int64, rows: Int64) {
        (self.first, self.step, count) = (first, step, rows / step)
    }

    mutating func next() throws -> Employee.ID {
        position = (position + Self.stride) % count
        return try Employee.ID(position * step + first + 1)
    }
}
