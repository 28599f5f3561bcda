public import StrataCore
public import StrataStoreKit

extension InMemoryStore {
    /// Runs `body` on a copy of the store's state, which replaces the state at the end.
    ///
    /// Readers see the previous state until then.
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
final class InMemoryTransaction: StoreTransaction {
    let model: ManagedObjectModel
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
