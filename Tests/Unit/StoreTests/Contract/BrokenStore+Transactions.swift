import StrataPersistence
import StrataStoreKit

extension BrokenStore {
    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        switch fault {
        case .commitsAlways:
            try base.transaction { transaction in
                _ = try body(transaction)
                return .commit
            }
        case .savesAtOnce, .transactionsStayOpen: _ = try body(DirectTransaction(base))
        case .cursorSeesOwnSaves: try base.transaction { try body(RereadingTransaction($0)) }
        case .writesHalfOfConflicts: try base.transaction { try body(HalfTransaction($0)) }
        case .setsRaiseEveryVersion, .setsSwallowErrors, .setsForgetConditions:
            try base.transaction { try body(CarelessSets($0, fault)) }
        default: try base.transaction(body)
        }
    }
}

/// A transaction that writes directly and cannot be rolled back.
private final class DirectTransaction: StoreTransaction {
    private let store: any PersistentStore

    init(_ store: any PersistentStore) { self.store = store }

    var model: ManagedObjectModel { store.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try store.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try store.count(request) }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try store.openCursor(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try store.joins(request, body)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try store.save(changes) }
}

/// A transaction that forwards all calls; subclasses override the calls with a fault.
class PassingTransaction: StoreTransaction {
    let base: any StoreTransaction

    init(_ base: any StoreTransaction) { self.base = base }

    var model: ManagedObjectModel { base.model }

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try base.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try base.count(request) }

    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try base.openCursor(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try base.joins(request, body)
    }

    func save(_ changes: ChangeSet) throws -> [StoreConflict] { try base.save(changes) }
}

/// A transaction that saves each update separately.
private final class HalfTransaction: PassingTransaction {
    override func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        var conflicts: [StoreConflict] = []
        for update in changes["Tag"].updates {
            var part = ChangeSet()
            part["Tag"].updates = [update]
            conflicts += try base.save(part)
        }
        return conflicts
    }
}

/// A transaction whose cursor reads the rows again for every row.
private final class RereadingTransaction: PassingTransaction {
    private final class Cursor: RowCursor {
        private let transaction: any StoreTransaction
        private let request: ResolvedRequest
        private var place = 0

        init(_ transaction: any StoreTransaction, _ request: ResolvedRequest) {
            self.transaction = transaction
            self.request = request
        }

        func next(_ body: (RowReader) throws -> Void) throws -> Bool {
            var index = 0
            var exists = false
            try transaction.fetch(request) { row in
                defer { index += 1 }
                guard index == place, index < 10 else { return .next }
                exists = true
                try body(row)
                return .stop
            }
            place += 1
            return exists
        }
    }

    override func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { Cursor(base, request) }
}
