import Dispatch
import StrataCore

/// Reads a dataset's records on a second thread while the first one stores those before.
///
/// A dataset that fits in one batch is read by the caller alone.
final class ReadAhead {
    /// Batches there are: one is stored, one is filled, one waits.
    private static let batchCount = 3

    private let shared: Shared
    private var isFirst = true
    private var isRunning = false
    private var isEnded = false

    /// - Parameters:
    ///   - decoder: Reads the records.
    ///   - entity: What they are rows of.
    ///   - records: How many it has passed over.
    ///   - interval: Where batches end, too: behind records whose number is a multiple of this.
    init(_ decoder: any RowDecoder, _ entity: EntityDescription, behind records: Int, interval: Int?) {
        let batches = (0..<Self.batchCount).map { _ in RowBatch(of: entity) }
        shared = Shared(decoder, batches, behind: records, interval: interval)
    }

    deinit { stop() }

    /// What the batches that are filled from now on hold.
    func resize(_ size: RowBatch.Size) { shared.resize(size) }

    /// The next batch; `nil` behind the last.
    ///
    /// - Parameter used: The batch before, which is filled again.
    /// - Returns: The batch, with the error that ended the reading after it.
    func next(after used: RowBatch?) -> RowBatch? {
        if let used {
            if used.isLast || used.error != nil { isEnded = true }
            shared.giveBack(used)
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

    /// Ends the reading, and waits until the other thread has noticed.
    func stop() {
        isEnded = true
        if isRunning { shared.stop() }
        isRunning = false
    }

    /// What both threads use.
    ///
    /// SAFETY: the decoder is used by the reading thread alone once it runs; the lists are used under the lock.
    private final class Shared: @unchecked Sendable {
        private let decoder: any RowDecoder
        /// Batches end where the number of records is a multiple of this.
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

        func giveBack(_ batch: RowBatch) {
            withLock { free.append(batch) }
            freeCount.signal()
        }

        func start() {
            // The batch that was filled first is signalled when it is given back, or was already.
            for _ in 0..<ReadAhead.batchCount - 1 { freeCount.signal() }
            DispatchQueue(label: "strata.read-ahead", qos: .userInitiated).async { self.run() }
        }

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
