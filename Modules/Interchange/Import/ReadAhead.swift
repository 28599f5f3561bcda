import Dispatch
import StrataPersistence
import Synchronization

/// Reads a dataset's records on a second thread while the first one stores those before.
///
/// A dataset that fits in one portion is read by the caller alone.
final class ReadAhead {
    /// Portions there are: one is stored, one is filled, one waits.
    private static let portionCount = 3

    private let shared: Shared
    private var isFirst = true
    private var isRunning = false
    private var isEnded = false

    init(_ filler: any RecordFiller, _ entity: EntityDescription, interval: Int?) {
        shared = Shared(filler, (0..<Self.portionCount).map { _ in Portion(of: entity) }, interval: interval)
    }

    deinit { stop() }

    /// The next portion; `nil` behind the last.
    ///
    /// - Parameter used: The portion before, which is filled again.
    /// - Returns: The portion, with the error that ended the reading after it.
    func next(after used: Portion?) -> Portion? {
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
    /// SAFETY: the filler is used by the reading thread alone once it runs; the lists are used under the lock.
    private final class Shared: @unchecked Sendable {
        private let filler: any RecordFiller
        /// Portions end where the number of records is a multiple of this.
        private let interval: Int?
        private var records = 0
        private let lock = DispatchSemaphore(value: 1)
        private let freeCount = DispatchSemaphore(value: 0)
        private let filledCount = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)
        private var free: [Portion]
        private var filled: [Portion] = []
        private var isStopped = false

        init(_ filler: any RecordFiller, _ portions: [Portion], interval: Int?) {
            self.filler = filler
            self.interval = interval.map { max(1, $0) }
            free = portions
        }

        private func withLock<Result>(_ body: () -> Result) -> Result {
            lock.wait()
            defer { lock.signal() }
            return body()
        }

        func fillFirst() -> Portion? {
            guard let portion = free.popLast() else { return nil }
            fill(portion)
            return portion
        }

        func giveBack(_ portion: Portion) {
            withLock { free.append(portion) }
            freeCount.signal()
        }

        func start() {
            // The portion that was filled first is signalled when it is given back, or was already.
            for _ in 0..<ReadAhead.portionCount - 1 { freeCount.signal() }
            DispatchQueue(label: "strata.read-ahead", qos: .userInitiated).async { self.run() }
        }

        private func run() {
            defer { end.signal() }
            while true {
                freeCount.wait()
                let portion = withLock { isStopped ? nil : free.popLast() }
                guard let portion else { return }
                fill(portion)
                let isEnd = portion.isLast || portion.error != nil
                withLock { filled.append(portion) }
                filledCount.signal()
                if isEnd { return }
            }
        }

        private func fill(_ portion: Portion) {
            portion.reuse()
            portion.limit = min(Portion.maximumRecords, interval.map { $0 - records % $0 } ?? .max)
            do {
                try filler.fill(portion)
            } catch {
                portion.error = error
            }
            records = portion.records
        }

        func takeFilled() -> Portion? {
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

/// Tells a thread that waits for input to stop.
final class StopFlag: Sendable {
    private let flag = Atomic(false)

    func raise() { flag.store(true, ordering: .releasing) }

    var isRaised: Bool { flag.load(ordering: .acquiring) }
}
