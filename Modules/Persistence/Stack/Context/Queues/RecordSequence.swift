import StrataCore
import StrataStoreKit

/// An asynchronous sequence of records that are read ahead in batches.
///
/// A loop over the sequence costs little more than a loop over an array.
///
/// ```swift
/// for try await item in context.stream(FetchRequest<Item>(sort: [SortKey(\.name)])) { print(item.name) }
/// ```
///
/// Each loop starts a new read from one state of the store. A loop may end with the last record, a `break`, or an
/// error. After its end, it retains no records and no connection; a row that is being read is finished first. In a
/// canceled task the loop throws `CancellationError`.
///
/// A sequence that a context returns holds at most 2,048 records at once: while the caller uses the records of one
/// batch, the sequence reads the next batch. Unreadable rows are therefore reported up to one batch early.
public struct RecordSequence<Record: ManagedRecord>: AsyncSequence, Sendable {
    /// The type of the elements.
    public typealias Element = Record
    /// The type of the errors, which can be any error of the read.
    public typealias Failure = any Error

    private let begin: @Sendable () -> @Sendable () async throws -> [Record]

    /// Creates a sequence of batches.
    ///
    /// - Parameter begin: A closure that is called when an iteration begins. It returns a second closure, which returns
    ///   the next records each time it is called, and an empty array at the end.
    public init(batches begin: @escaping @Sendable () -> @Sendable () async throws -> [Record]) {
        self.begin = begin
    }

    /// Creates a sequence of records that are fetched all at once when an iteration begins.
    ///
    /// - Parameter fetch: A closure that returns all records.
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

    /// Returns an iterator, which starts a new read.
    ///
    /// The read begins with the first call of ``Iterator/next()``. Two iterators of a sequence are independent of each
    /// other.
    public func makeAsyncIterator() -> Iterator { Iterator(begin()) }

    /// An iterator for one loop over the records.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let read: @Sendable () async throws -> [Record]
        @usableFromInline var batch: [Record] = []
        @usableFromInline var place = 0
        @usableFromInline var isAtEnd = false

        init(_ read: @escaping @Sendable () async throws -> [Record]) {
            self.read = read
        }

        /// Returns the next record, or `nil` after the last record.
        ///
        /// - Throws: The error of the read; `CancellationError` in a canceled task.
        @inlinable
        public mutating func next() async throws -> Record? { try await next(isolation: nil) }

        /// Returns the next record, or `nil` after the last record and after a read error.
        ///
        /// The call remains on the caller's actor unless it must read records.
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
