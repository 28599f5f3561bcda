import StrataDomain
import StrataPersistence
import StrataRepositories

/// The operations of a client.
enum Work: String {
    /// Looks up one record by its identifier.
    case lookup
    /// Changes an object of the context and saves.
    case update
    /// Changes an object that is looked up in the same unit of work.
    case transaction
}

/// A client on one thread with a separate context.
struct Client {
    let context: ManagedObjectContext
    let duration: Duration
    let ids: IdentifierWalk

    /// The count of objects that are changed in turn.
    private static let heldObjects = 1_000

    /// Repeats an operation for the configured duration.
    ///
    /// - Parameters:
    ///   - work: The operation.
    ///   - begin: A closure that is called when the client is ready.
    /// - Returns: The count of operations per second.
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

    /// Runs an operation once before all clients begin, and then repeatedly.
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

/// A walk over all identifiers in an order with poor cache locality, which visits each one once per cycle.
struct IdentifierWalk {
    private let first: Int64
    private let step: Int64
    private let count: Int64
    private var position: Int64 = 0

    /// A prime number greater than every count of rows, so that its multiples reach every position.
    private static let stride: Int64 = 1_000_000_007

    /// Selects every `step`th identifier from 1 to `rows` for one client.
    init(first: Int64, step: Int64, rows: Int64) {
        (self.first, self.step, count) = (first, step, rows / step)
    }

    mutating func next() throws -> Employee.ID {
        position = (position + Self.stride) % count
        return try Employee.ID(position * step + first + 1)
    }
}
