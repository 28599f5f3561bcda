import StrataCore

/// Records that come one after the other, read ahead in batches: a loop over them costs little more than one over an array.
///
/// ```swift
/// for try await item in context.stream(FetchRequest<Item>(sort: [SortKey(\.name)])) { print(item.name) }
/// ```
///
/// Each loop begins to read anew, from one state of the store; where it ends, by its end, a `break` or an error, nothing is kept, but for a row that is being
/// read. In a cancelled task it throws `CancellationError`. At most 2,048 records are held at once by a sequence that a context gives: while some are used
/// the next ones are read, and unreadable rows among them are reported.
public struct RecordSequence<Record: ManagedRecord>: AsyncSequence, Sendable {
    /// What is iterated.
    public typealias Element = Record
    /// Whatever reading throws.
    public typealias Failure = any Error

    private let begin: @Sendable () -> @Sendable () async throws -> [Record]

    /// Makes a sequence of batches.
    ///
    /// - Parameter begin: Called when an iteration begins; gives what gives the next records each time it is called, and none at the end.
    public init(batches begin: @escaping @Sendable () -> @Sendable () async throws -> [Record]) {
        self.begin = begin
    }

    /// Makes a sequence of records that are fetched at once, when an iteration begins.
    ///
    /// - Parameter fetch: Gives all records.
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

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(begin()) }

    /// One loop over the records.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let read: @Sendable () async throws -> [Record]
        @usableFromInline var batch: [Record] = []
        @usableFromInline var place = 0
        @usableFromInline var isAtEnd = false

        init(_ read: @escaping @Sendable () async throws -> [Record]) {
            self.read = read
        }

        /// The next record; `nil` at the end.
        ///
        /// - Throws: What reading throws; `CancellationError` in a cancelled task.
        @inlinable
        public mutating func next() async throws -> Record? { try await next(isolation: nil) }

        /// The next record; `nil` at the end, and after an error of reading.
        ///
        /// Stays where the caller is, unless records have to be read.
        ///
        /// - Throws: What reading throws; `CancellationError` in a cancelled task.
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Record? {
            if place == batch.count {
                if isAtEnd { return nil }
                // What comes after an error would not be what comes next.
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
