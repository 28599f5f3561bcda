public import StrataCore
import StrataStoreKit

/// A named reader of a store's history, whose position the store keeps.
///
/// ```swift
/// let mailer = try container.historyConsumer("mailer")
/// while try await mailer.next({ transactions, unit in
///     for change in transactions.flatMap(\.changes) { print(change.kind, change.entity) }
/// }) {}
/// ```
///
/// ``PersistentContainer/historyConsumer(_:startingAfter:entities:author:)`` returns it. Several processes may use one
/// consumer: each transaction is processed by one of them.
public struct HistoryConsumer: Sendable {
    /// The name of the consumer.
    public let name: String
    private let container: PersistentContainer
    private let request: HistoryRequest

    init(_ name: String, of container: PersistentContainer, _ request: HistoryRequest) {
        (self.name, self.container, self.request) = (name, container, request)
    }

    /// Processes the next transactions after the position of the consumer, and moves the position.
    ///
    /// The changes that `body` makes through its unit of work are saved in the same transaction that moves the
    /// position: either both happen or neither. These effects therefore happen exactly once. Any other effect, such as
    /// a message to another system, may be repeated if the process is killed; the receiver can detect the repetition by
    /// the token of the transaction.
    ///
    /// - Parameters:
    ///   - limit: The maximum count of transactions, at least 1.
    ///   - body: A closure that processes the transactions. It runs on the queue of a context.
    /// - Returns: A Boolean value that indicates whether there were transactions.
    /// - Throws: The error of `body`; ``PersistenceError`` with code ``PersistenceError/Code/conflict`` if another
    ///   process moved the consumer meanwhile; or the errors of
    ///   ``PersistentContainer/history(after:entities:author:)``. The position is then unchanged.
    @discardableResult
    public func next(
        limit: Int = 100,
        _ body: @escaping @Sendable ([HistoryTransaction], any RecordTransaction) throws -> Void
    ) async throws -> Bool {
        let history = try container.coordinator.store.requiredHistory()
        while true {
            let old = try position(history)
            let newest = try history.newestToken()
            let page = try history.transactions(after: old, limit: max(1, limit), request)
            // Transactions that the consumer does not read are behind it, too.
            let new = page.count < limit ? max(newest, page.last?.token ?? old) : page.last?.token ?? old
            let transactions = page.filter { $0.context != writer }
            if transactions.isEmpty {
                if new > old { try history.move(name, from: old, to: new) }
                if page.isEmpty { return false }
                continue
            }
            var origin = WriteOrigin.current
            origin.move = WriteOrigin.Move(consumer: name, from: old, to: new, by: writer)
            let context = container.newBackgroundContext(name: contextName)
            try await WriteOrigin.$current.withValue(origin) {
                try await context.transaction(mergePolicy: nil) { unit in try body(transactions, unit) }
            }
            // Without changes, there was no transaction that moved the position.
            if try position(history) == old { try history.move(name, from: old, to: new) }
            return true
        }
    }

    private var contextName: String { "history consumer \(name)" }

    /// The name of the context that saves the changes of a unit of work.
    private var writer: String { "\(contextName), repository" }

    /// Removes the consumer, so that it no longer prevents the deletion of transactions.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be written.
    public func remove() throws {
        let history = try container.coordinator.store.requiredHistory()
        try history.move(name, from: try position(history), to: nil)
    }

    private func position(_ history: any StoreHistory) throws -> HistoryToken {
        guard let found = try history.positions().first(where: { $0.consumer == name }) else {
            throw PersistenceError(.objectNotFound, "the history consumer “\(name)” was removed")
        }
        return found.token
    }
}
