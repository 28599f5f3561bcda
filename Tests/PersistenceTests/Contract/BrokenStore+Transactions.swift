import StrataPersistence

extension BrokenStore {
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        switch fault {
        case .commitsAlways:
            try base.transaction { transaction in
                _ = try body(transaction)
                return .commit
            }
        case .savesAtOnce, .transactionsStayOpen: _ = try body(DirectTransaction(base))
        case .writesHalfOfConflicts: try base.transaction { try body(HalfTransaction($0)) }
        default: try base.transaction(body)
        }
    }
}

/// No transaction at all.
private final class DirectTransaction: StoreTransaction {
    private let store: any PersistentStore

    init(_ store: any PersistentStore) { self.store = store }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] { try store.joins(request) }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try store.save(changes) }
}

/// Saves each update by itself.
private final class HalfTransaction: StoreTransaction {
    private let base: any StoreTransaction

    init(_ base: any StoreTransaction) { self.base = base }

    func fetch(_ request: StoreRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try base.fetch(request, body)
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] { try base.joins(request) }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        for update in changes["Tag"].updates {
            var part = ChangeSet()
            part["Tag"].updates = [update]
            conflicts += try base.save(part)
        }
        return conflicts
    }
}
