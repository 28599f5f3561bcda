import Dispatch
import StrataCore

/// A reader of a dataset's records on a second thread, while the first thread stores earlier records.
///
/// A dataset that fits in one batch is read on the caller's thread.
///
/// Three batches circulate between the threads, so the memory is constant. If the storing thread is slower, the reading
/// thread waits for a free batch. If the reading thread is slower, the storing thread waits for a filled one. The first
/// batch is filled on the caller's thread, so small files need no second thread.
final class ReadAhead {
    /// The count of batches: one is being stored, one is being filled, one is waiting.
    private static let batchCount = 3

    private let shared: Shared
    private var isFirst = true
    private var isRunning = false
    private var isEnded = false

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the records.
    ///   - entity: The entity of the rows.
    ///   - records: The count of records that the decoder has already skipped.
    ///   - interval: A count of records; batches also end after each multiple of it.
    init(_ decoder: any RowDecoder, _ entity: EntityDescription, behind records: Int, interval: Int?) {
        let batches = (0..<Self.batchCount).map { _ in RowBatch(of: entity) }
        shared = Shared(decoder, batches, behind: records, interval: interval)
    }

    deinit { stop() }

    /// Sets the size of the batches that are filled from now on.
    ///
    /// A store may prefer another count of rows at once.
    func resize(_ size: RowBatch.Size) { shared.resize(size) }

    /// Returns the next batch; `nil` after the last.
    ///
    /// The call waits for the reading thread. After a batch with an error, or after the last batch, the result is
    /// `nil`.
    ///
    /// - Parameter used: The previous batch, which is reused.
    /// - Returns: The batch, with the error that ended the reading after it.
    func next(after used: RowBatch?) -> RowBatch? {
        if let used {
            if used.isLast || used.error != nil { isEnded = true }
            shared.release(used)
        }
        guard !isEnded else { return nil }
        if isFirst {
            isFirst = false
            return shared.fillFirst()
        }
        if !isRunning {
            isRunning = true
            shared.start()
        }
        return shared.takeFilled()
    }

    /// Stops reading, and waits until the other thread has finished.
    ///
    /// Before the call, cancel an input that may wait for bytes; otherwise the call waits as long as the input does.
    func stop() {
        isEnded = true
        if isRunning { shared.stop() }
        isRunning = false
    }

    /// The state that both threads share.
    ///
    /// SAFETY: the decoder is used only by the reading thread once it runs; the lists are accessed under the lock.
    private final class Shared: @unchecked Sendable {
        private let decoder: any RowDecoder
        /// The count of records at whose multiples batches end.
        private let interval: Int?
        private var records: Int
        private let lock = DispatchSemaphore(value: 1)
        private let freeCount = DispatchSemaphore(value: 0)
        private let filledCount = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private var free: [RowBatch]
        private var filled: [RowBatch] = []
        private var isStopped = false
        private var size = RowBatch.Size()

        init(_ decoder: any RowDecoder, _ batches: [RowBatch], behind records: Int, interval: Int?) {
            self.decoder = decoder
            self.records = records
            self.interval = interval.map { max(1, $0) }
            free = batches
        }

        private func withLock<Result>(_ body: () -> Result) -> Result {
            lock.wait()
            defer { lock.signal() }
            return body()
        }

        func resize(_ size: RowBatch.Size) { withLock { self.size = size } }

        func fillFirst() -> RowBatch? {
            guard let batch = free.popLast() else { return nil }
            fill(batch)
            return batch
        }

        func release(_ batch: RowBatch) {
            withLock { free.append(batch) }
            freeCount.signal()
        }

        func start() {
            // The first batch is signaled when it is returned, or was signaled already.
            for _ in 0..<ReadAhead.batchCount - 1 { freeCount.signal() }
            DispatchQueue(label: "strata.read-ahead", qos: .userInitiated).async { self.run() }
        }

        /// Fills free batches until the end of the file, an error, or a stop.
        private func run() {
            defer { end.signal() }
            while true {
                freeCount.wait()
                let batch = withLock { isStopped ? nil : free.popLast() }
                guard let batch else { return }
                fill(batch)
                let isEnd = batch.isLast || batch.error != nil
                withLock { filled.append(batch) }
                filledCount.signal()
                if isEnd { return }
            }
        }

        /// Fills a batch up to its size, or up to the next multiple of the interval.
        private func fill(_ batch: RowBatch) {
            batch.reuse()
            batch.size = withLock { size }
            batch.size.records = min(batch.size.records, interval.map { $0 - records % $0 } ?? .max)
            do {
                try decoder.fill(batch)
            } catch {
                batch.error = error
            }
            records = batch.records
        }

        func takeFilled() -> RowBatch? {
            filledCount.wait()
            return withLock { filled.isEmpty ? nil : filled.removeFirst() }
        }

        func stop() {
            withLock { isStopped = true }
            freeCount.signal()
            end.wait()
        }
    }
}
