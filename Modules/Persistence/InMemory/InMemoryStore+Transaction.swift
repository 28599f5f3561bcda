public import StrataCore

extension InMemoryStore {
    /// Runs `body` over a copy of the store's state, which takes its place at the end; readers see the old one until then.
    public func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try writing.withLock {
            let transaction = InMemoryTransaction(try withState { $0 }, model)
            defer { transaction.isOver = true }
            guard case .commit = try body(transaction) else { return }
            try withState { $0 = transaction.state }
        }
    }
}

/// A transaction on a state of its own.
private final class InMemoryTransaction: StoreTransaction {
    private let model: ManagedObjectModel
    private(set) var state: InMemoryStore.State
    var isOver = false

    init(_ state: InMemoryStore.State, _ model: ManagedObjectModel) {
        self.state = state
        self.model = model
    }

    private func checkOpen() throws {
        if isOver { throw PersistenceError.transactionIsOver }
    }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try checkOpen()
        try request.validate(in: model)
        let rows = try state.table(request.entity).select(request, in: model, state)
        guard let first = rows.first else { return }
        let source = ValueRowSource(first)
        let reader = RowReader(source)
        for row in rows {
            source.row = row
            if case .stop = try body(reader) { return }
        }
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] {
        try checkOpen()
        let join = try request.validate(in: model)
        return state.joins[join.name]?.select(request) ?? []
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkOpen()
        try model.checkNames(of: changes)
        return try state.save(changes, in: model)
    }
}
