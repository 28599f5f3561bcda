public import StrataCore
import StrataStoreKit

/// The sequence of the transactions in a store's history after a token, in the order of their commits.
///
/// ``PersistentContainer/history(after:entities:author:)`` returns it. The sequence ends after the last transaction
/// that was committed when it was read; read again after the token of the last element to get later ones. Transactions
/// are read in blocks of 100, off the threads of Swift concurrency.
public struct PersistentHistory: AsyncSequence, Sendable {
    private let pages: @Sendable () -> HistoryPages

    init(_ store: any PersistentStore, after token: HistoryToken?, _ request: HistoryRequest) {
        pages = { HistoryPages(store, after: token, request) }
    }

    /// Returns an iterator, which begins after the token of the sequence.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages()) }

    /// An iterator over the transactions.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pages: HistoryPages
        private var waiting: ArraySlice<HistoryTransaction> = []

        fileprivate init(pages: HistoryPages) { self.pages = pages }

        /// Returns the next transaction, or `nil` after the last one.
        ///
        /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/notTracked``,
        ///   ``PersistenceError/Code/otherStore`` or ``PersistenceError/Code/historyExpired``, among others;
        ///   `CancellationError`.
        public mutating func next() async throws -> HistoryTransaction? {
            if waiting.isEmpty { waiting = try await pages.next()[...] }
            return waiting.popFirst()
        }
    }
}

/// A reader of blocks of transactions on its own queue, because reading blocks a thread.
private actor HistoryPages {
    private static let size = 100

    private let executor = QueueExecutor(name: "history")
    private let store: any PersistentStore
    private let request: HistoryRequest
    private var token: HistoryToken?
    private var isOver = false

    init(_ store: any PersistentStore, after token: HistoryToken?, _ request: HistoryRequest) {
        (self.store, self.token, self.request) = (store, token, request)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns the next transactions, or an empty array after the last ones.
    func next() throws -> [HistoryTransaction] {
        try Task.checkCancellation()
        guard !isOver else { return [] }
        let found = try store.requiredHistory().transactions(after: token, limit: Self.size, request)
        isOver = found.count < Self.size
        token = found.last?.token ?? token
        return found
    }
}
