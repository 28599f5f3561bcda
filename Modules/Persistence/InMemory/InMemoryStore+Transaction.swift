import StrataCore
public import StrataStoreKit

extension InMemoryStore {
    /// Runs `body` on a copy of the store's state, which replaces the state at the end.
    ///
    /// Readers see the previous state until then. Other writers wait until the transaction ends. If `body` throws an
    /// error or returns another value than ``TransactionCompletion/commit``, the copy is discarded.
    ///
    /// - Parameter body: A closure that reads and saves through its argument, which is valid only during the call.
    /// - Throws: An error that `body` throws; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``
    ///   inside another closure that writes the store on the same thread.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try writing.withLock {
            let transaction = InMemoryTransaction(try withState { $0 }, model)
            defer { transaction.isOver = true }
            guard case .commit = try body(transaction) else { return }
            try replace(with: transaction.state)
        }
    }
}

/// A transaction on its own copy of the state.
///
/// It is used on one thread. After the closure has returned, each call throws an error, because the copy may have
/// replaced the state of the store.
final class InMemoryTransaction: StoreTransaction {
    let model: ManagedObjectModel
    /// The copy of the state with the changes of the transaction.
    private(set) var state: InMemoryStore.State
    var isOver = false

    init(_ state: InMemoryStore.State, _ model: ManagedObjectModel) {
        self.state = state
        self.model = model
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
    }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        try state.select(request).read(body)
    }

    func count(_ request: ResolvedRequest) throws -> Int {
        try checkOpen()
        return try state.select(request.unsorted).count
    }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor {
        try checkOpen()
        return StoredRowCursor(try state.select(request)) { [self] in try checkOpen() }
    }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try checkOpen()
        try state.select(request, body)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        try model.checkNames(of: changes)
        return try state.save(changes, in: model)
    }
}
