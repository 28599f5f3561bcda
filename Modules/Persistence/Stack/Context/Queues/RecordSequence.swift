import StrataCore

/// An asynchronous sequence of records that are read ahead in batches.
///
/// A loop over the sequence costs little more than a loop over an array.
///
/// ```swift
/// for try await item in context.stream(FetchRequest<Item>(sort: [SortKey(\.name)])) { print(item.name) }
/// ```
///
/// Each loop starts a new read from one state of the store. A loop may end with the last record, a `break`, or an
/// error. It then retains nothing except a row that is being read. In a canceled task the loop throws
/// `CancellationError`.
///
/// A sequence of a context holds at most 2,048 records at once: while the caller uses some of them, it reads the next
/// ones. It also reports unreadable rows among the next ones.
public struct RecordSequence<Record: ManagedRecord>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Record
    /// The type of the errors: any error of the read.
    public typealias Failure = any Error

    private let begin: @Sendable () -> @Sendable () async throws -> [Record]

    /// Creates a sequence of batches.
    ///
    /// - Parameter begin: A closure that is called when an iteration begins. It returns a second closure, which returns
    ///   the next records each time it is called, and an empty array at the end.
    public init(batches begin: @escaping @Sendable () -> @Sendable () async throws -> [Record]) {
        self.begin = begin
    }

    /// Creates a sequence of records that are fetched all at once, when an iteration begins.
    ///
    /// - Parameter fetch: Returns all records.
    public init(_ fetch: @escaping @Sendable () async throws -> [Record]) {
        begin = {
            let isRead = Guarded(false)
            return {
                let wasRead = isRead.withLock { isRead in
                    defer { isRead = true }
                    return isRead
                }
                return wasRead ? [] : try await fetch()
            }
        }
    }

    /// Returns an iterator for a new read.
    public func makeAsyncIterator() -> Iterator { Iterator(begin()) }

    /// An iterator of one loop over the records.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let read: @Sendable () async throws -> [Record]
        @usableFromInline var batch: [Record] = []
        @usableFromInline var place = 0
        @usableFromInline var isAtEnd = false

        init(_ read: @escaping @Sendable () async throws -> [Record]) {
            self.read = read
        }

        /// Returns the next record; `nil` at the end.
        ///
        /// - Throws: The error of the read; `CancellationError` in a canceled task.
        @inlinable
        public mutating func next() async throws -> Record? { try await next(isolation: nil) }

        /// Returns the next record; `nil` at the end, and after a read error.
        ///
        /// The call stays on the caller's actor unless it has to read records.
        ///
        /// - Throws: The error of the read; `CancellationError` in a canceled task.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Record? {
            if place == batch.count {
                if isAtEnd { return nil }
                // After an error, a further batch would not continue the last one. The iteration therefore ends.
                (batch, place, isAtEnd) = ([], 0, true)
                batch = try await read()
                isAtEnd = batch.isEmpty
                if isAtEnd { return nil }
            }
            try Task.checkCancellation()
            defer { place += 1 }
            return batch[place]
        }
    }
}
