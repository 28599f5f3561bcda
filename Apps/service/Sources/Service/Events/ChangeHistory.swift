import StrataDomain
import StrataPersistence
import StrataRepositories
import Synchronization

/// The changes of the store, in the order of their commits.
protocol ChangeHistory: Sendable {
    /// Returns the token of the newest transaction.
    func newestToken() async throws -> HistoryToken

    /// Returns transactions that were committed after a token, at most `limit`.
    func transactions(after token: HistoryToken, limit: Int) async throws -> [HistoryTransaction]

    /// Returns a stream with an element after commits. An element may represent several commits, or none.
    func signals() -> AsyncStream<Void>
}

/// The history of a container.
struct StoredHistory: ChangeHistory {
    let container: PersistentContainer
    let entities: Set<String>
    /// The interval at which the history is also read without a signal: on a server, a transaction becomes visible in
    /// the history only when all older ones have ended.
    let interval: Duration

    func newestToken() async throws -> HistoryToken { try container.historyToken() }

    func transactions(after token: HistoryToken, limit: Int) async throws -> [HistoryTransaction] {
        var found: [HistoryTransaction] = []
        for try await transaction in container.history(after: token, entities: entities) {
            found.append(transaction)
            if found.count == limit { break }
        }
        return found
    }

    func signals() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await observe(FetchRequest<Color>(), continuation) }
                    group.addTask { await observe(FetchRequest<Boss>(), continuation) }
                    group.addTask { await observe(FetchRequest<Employee>(), continuation) }
                    group.addTask { await observe(FetchRequest<Item>(), continuation) }
                    group.addTask {
                        // A sleep fails only if the task is canceled.
                        while (try? await Task.sleep(for: interval)) != nil { continuation.yield() }
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func observe<Record: PersistentRecord>(
        _ request: FetchRequest<Record>, _ continuation: AsyncStream<Void>.Continuation
    ) async {
        let count = Counter()
        // The value differs after each commit, and reads no rows.
        let changes = container.observe(request) { _ in count.next() }
        do { for try await _ in changes { continuation.yield() } } catch {
            // The store is closed or does not answer; the interval remains.
        }
    }
}

private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
