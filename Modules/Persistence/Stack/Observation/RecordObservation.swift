public import StrataCore
import StrataStoreKit

/// The sequence of the committed values of a request, for one observer or several.
///
/// The methods whose names begin with `observe` of ``PersistentContainer`` return it.
///
/// ```swift
/// for try await colors in container.observe(FetchRequest<Color>(sort: [SortKey(\.name)])) {
///     print(colors.map(\.name))
/// }
/// ```
///
/// - The first element is the current value. Each further element is a later committed value that differs from the
///   element before it. A value is read when the observer asks for it: an observer that is slower than the commits gets
///   the last value, and no memory is used for values in between.
/// - Every commit through the container counts: saves of contexts, children that reach the store, batches and imports.
///   If the store announces the changes of other containers and processes, these count too; see
///   ``PersistentStoreDescription/announcesChanges``.
/// - The sequence ends when the container is closed, or when the observer's task is canceled. If the value cannot be
///   read, the sequence throws the error and ends.
/// - A commit does no input or output for observers, and does not wait for them. Observers of equal requests share one
///   fetch for each commit.
///
/// Each iterator is an observer of its own, which begins with the current value.
public struct RecordObservation<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of the errors.
    public typealias Failure = PersistenceError

    private let begin: @Sendable () -> @Sendable () async throws -> Element?

    /// Creates the sequence of the elements that are made from an observed value.
    ///
    /// - Parameters:
    ///   - observe: A closure that returns the observed value.
    ///   - isEqual: A closure that returns whether two values are the same for an observer.
    ///   - element: A closure that makes an element from the previous value, which is `nil` at first, and the new one.
    init<Value: Sendable>(
        _ observe: @escaping @Sendable () throws -> ObservedValue<Value>,
        isEqual: @escaping @Sendable (Value, Value) -> Bool,
        element: @escaping @Sendable (Value?, Value) -> Element
    ) {
        begin = {
            let observer = Guarded(Observer<Value>())
            return {
                var observed = observer.withLock { $0 }
                defer { observer.withLock { [observed] in $0 = observed } }
                let value = try observed.value ?? observe()
                observed.value = value
                while !Task.isCancelled, !value.signal.isOver {
                    let generation = value.signal.generation
                    if let seen = observed.seen, seen.generation == generation {
                        await value.signal.wait(after: generation)
                        continue
                    }
                    let found = try await value.value(since: generation)
                    let before = observed.seen?.value
                    observed.seen = found
                    if let before, isEqual(before, found.value) { continue }
                    return element(before, found.value)
                }
                return nil
            }
        }
    }

    /// The state of one observer.
    private struct Observer<Value: Sendable>: Sendable {
        var value: ObservedValue<Value>?
        var seen: (generation: Int, value: Value)?
    }

    /// Returns an iterator, which begins with the current value.
    public func makeAsyncIterator() -> Iterator { Iterator(read: begin()) }

    /// An iterator of one observer.
    public struct Iterator: AsyncIteratorProtocol {
        let read: @Sendable () async throws -> Element?
        private var isOver = false

        init(read: @escaping @Sendable () async throws -> Element?) { self.read = read }

        /// Returns the current value at first, and then waits for the next different one.
        ///
        /// - Returns: The value; `nil` if the container was closed or the task was canceled.
        /// - Throws: ``PersistenceError`` if the value cannot be read.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(PersistenceError)
            -> Element?
        {
            guard !isOver else { return nil }
            do {
                if let element = try await read() { return element }
                isOver = true
                return nil
            } catch let error as PersistenceError where error.code != .closed {
                isOver = true
                throw error
            } catch {
                // The container was closed, or the task was canceled, while the value was read.
                isOver = true
                return nil
            }
        }

        /// Returns the next value; see ``next(isolation:)``.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }
    }
}
