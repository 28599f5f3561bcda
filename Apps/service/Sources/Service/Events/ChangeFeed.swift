import StrataDomain
import StrataPersistence
import StrataRepositories

/// The changes of the store for all clients of the process.
///
/// The feed reads each transaction of the history once and retains the newest ones. Each client has a position of its
/// own. A client that is slower than the retained changes reads the history itself, so that no buffer grows.
actor ChangeFeed {
    /// A reason for a client to continue.
    enum Wake: Sendable {
        case changed
        case tick
    }

    /// The count of transactions that are retained and read at once.
    private static let capacity = 500
    /// The count of rows of one transaction up to which each row has an event.
    private static let maximumRows = 1_000

    private let history: any ChangeHistory
    private let records: any RecordContext
    private var retained: [ChangeBatch] = []
    /// The position before the first retained transaction.
    private var start: HistoryToken?
    private var clients: [Int: AsyncStream<Wake>.Continuation] = [:]
    private var clientCount = 0
    /// An element for the arrival of clients.
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init(_ history: any ChangeHistory, _ records: any RecordContext) {
        (self.history, self.records) = (history, records)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Reading the history

    /// Reads the history until the task is canceled.
    func run() async {
        for await _ in arrivals where !clients.isEmpty {
            // Without clients, commits cost nothing; the next client sets the position.
            for await _ in history.signals() {
                if clients.isEmpty {
                    (retained, start) = ([], nil)
                    break
                }
                await follow()
            }
        }
    }

    private func follow() async {
        do {
            if try await readNewest() { wake(.changed) }
        } catch let error as PersistenceError where error.code.isEndOfHistory {
            // The streams find the same error, and send an event for it.
            (retained, start) = ([], nil)
            wake(.changed)
        } catch {
            // Other errors, such as a locked store, are temporary: the next signal reads again.
        }
    }

    private func readNewest() async throws -> Bool {
        guard let position = retained.last?.token ?? start else {
            // Nothing is retained after this position; each client reads the history from its own one.
            _ = try await newestToken()
            return true
        }
        let found = try await batches(after: position)
        // Another call may have appended meanwhile.
        guard !found.isEmpty, (retained.last?.token ?? start) == position else { return false }
        retained += found
        let surplus = retained.count - Self.capacity
        if surplus > 0 {
            start = retained[surplus - 1].token
            retained.removeFirst(surplus)
        }
        return true
    }

    private func batches(after token: HistoryToken) async throws -> [ChangeBatch] {
        let transactions = try await history.transactions(after: token, limit: Self.capacity)
        let versions = try await versions(of: transactions)
        return transactions.map { Self.batch($0, versions) }
    }

    private static func batch(_ transaction: HistoryTransaction, _ versions: [String: [Int64: Int64]]) -> ChangeBatch {
        let rows = transaction.changes.reduce(0) { $0 + ($1.identifiers?.count ?? maximumRows + 1) }
        guard rows <= maximumRows else { return ChangeBatch(token: transaction.token, events: [.resync]) }
        let events = transaction.changes.flatMap { change in
            (change.identifiers.map(Array.init) ?? []).map { id in
                ChangeEvent.change(
                    change.entity, id: id, kind: change.kind,
                    version: change.kind == .delete ? nil : versions[change.entity]?[id])
            }
        }
        return ChangeBatch(token: transaction.token, events: events)
    }

    /// Returns the current versions of the changed rows; the history contains none.
    private func versions(of transactions: [HistoryTransaction]) async throws -> [String: [Int64: Int64]] {
        var ids: [String: Set<Int64>] = [:]
        for change in transactions.flatMap(\.changes) where change.kind != .delete {
            guard let identifiers = change.identifiers, identifiers.count <= Self.maximumRows else { continue }
            ids[change.entity, default: []].formUnion(identifiers)
        }
        return [
            "Color": try await versions(Color.self, ids["Color"]), "Boss": try await versions(Boss.self, ids["Boss"]),
            "Employee": try await versions(Employee.self, ids["Employee"]),
            "Item": try await versions(Item.self, ids["Item"]),
        ]
    }

    private func versions<Record: PersistentRecord>(
        _ type: Record.Type, _ ids: Set<Int64>?
    ) async throws -> [Int64: Int64] {
        guard let ids else { return [:] }
        let request = FetchRequest<Record>(.condition(.isIn(.property("id"), ids.sorted().map(StoredValue.integer))))
        let found = try await records.fetchVersions(request)
        return Dictionary(found.map { ($0.id.rawValue, $0.version) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Clients

    /// Adds a client.
    ///
    /// Its stream has an element if the client may find changes, and ends when the feed ends.
    func subscribe() -> (number: Int, wakes: AsyncStream<Wake>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Wake.self, bufferingPolicy: .bufferingNewest(1))
        clientCount += 1
        clients[clientCount] = continuation
        arrival.yield()
        return (clientCount, stream)
    }

    func unsubscribe(_ number: Int) {
        clients.removeValue(forKey: number)?.finish()
    }

    /// Returns the position of a client that has none, and begins to retain changes.
    func newestToken() async throws -> HistoryToken {
        if let newest = retained.last?.token ?? start { return newest }
        let token = try await history.newestToken()
        if retained.isEmpty, start == nil { start = token }
        return token
    }

    /// Returns the changes after a client's position.
    ///
    /// - Throws: `PersistenceError` with code `historyExpired` or `otherStore` if the position is not in the history.
    func changes(after token: HistoryToken) async throws -> [ChangeBatch] {
        if let start, start.epoch == token.epoch, start <= token {
            return Array(retained.drop { $0.token <= token })
        }
        return try await batches(after: token)
    }

    private func wake(_ reason: Wake) { for client in clients.values { client.yield(reason) } }

    /// Lets idle clients write a comment, so that proxies retain their connections.
    func tick() { wake(.tick) }

    /// Ends all streams.
    func finish() {
        for client in clients.values { client.finish() }
        clients = [:]
    }
}

extension PersistenceError.Code {
    /// A Boolean value that indicates whether a client must read its lists again, because its token is not in the
    /// history.
    var isEndOfHistory: Bool { self == .historyExpired || self == .otherStore }
}
