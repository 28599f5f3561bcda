import Dispatch
import StrataCore
import StrataStoreKit

/// An export of the rows that a request selects, from snapshots of the same state.
///
/// If there is one snapshot, rows can have any order. If there are several, each thread reads ranges of identifiers or
/// positions.
///
/// Several threads do not share a cursor: each one has its own snapshot, takes the next range, and encodes its rows
/// into a chunk. An ``OrderedOutput`` concatenates the chunks. Ranges are taken in ascending order, so the thread with
/// the next chunk is always at work.
struct RowExport<Encoding: RecordEncoding> {
    let plan: ExportPlan<Encoding>
    /// The request for the exported rows; if it has no sort keys, it is sorted in the order of files.
    private let request: StoreRequest
    /// The column by whose ranges the rows are divided among threads: the position column, or the identifier.
    private let order: String
    let isCancelled: @Sendable () -> Bool
    let progress: @Sendable (Int) -> Void
    private let isDivisible: Bool

    /// The count of bytes that are buffered before they are written.
    private static var blockSize: Int { ByteOutput.defaultBlockSize }
    /// The maximum count of bytes of an unfinished part; a longer part waits until all earlier parts are written.
    private static var largestPart: Int { 1 << 20 }

    init(
        plan: ExportPlan<Encoding>, request: StoreRequest, isCancelled: @escaping @Sendable () -> Bool,
        progress: @escaping @Sendable (Int) -> Void
    ) {
        self.plan = plan
        self.request = request.inOrderOfFiles(plan.entity)
        order = plan.entity.positionColumn.map { plan.entity.columns[$0].name } ?? "id"
        isDivisible = Self.isDivisible(request)
        self.isCancelled = isCancelled
        self.progress = progress
    }

    /// Writes the whole file: its beginning, the records, and its end.
    ///
    /// - Returns: The number of rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`; the
    ///   first error of any thread.
    func run(_ snapshots: [any StoreSnapshot], to output: ByteOutput) throws -> Int {
        let encoding = plan.encoder.encoding
        try encoding.head.withUnsafeBufferPointer { try output.append($0) }
        let count: Int
        if snapshots.count > 1, let range = try places(snapshots[0]) {
            count = try runInParts(snapshots, range, to: output)
        } else {
            count = try runInOne(snapshots[0], to: output)
        }
        try output.append(encoding.tail(isEmpty: count == 0))
        try output.flush()
        return count
    }

    /// Reads all rows on the calling thread, and returns their number.
    private func runInOne(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        let rows = try SnapshotRows(snapshot, plan)
        let cursor = try snapshot.openCursor(request)
        var buffer = ByteBuffer(capacity: Self.blockSize + Self.blockSize / 4)
        var skip = plan.encoder.encoding.firstRecordSkip
        var total = 0
        var hasMore = true
        while hasMore {
            if isCancelled() { throw CancellationError() }
            let read = try rows.read(cursor, into: &buffer, atMost: Self.blockSize)
            hasMore = read.hasMore
            total += read.count
            progress(read.count)
            let skipped = min(skip, buffer.count)
            skip -= skipped
            try output.append(UnsafeBufferPointer(rebasing: buffer.bytes[skipped...]))
            buffer.truncate(to: 0)
        }
        return total
    }

    // MARK: - Several readers

    /// Returns a Boolean value that indicates whether several threads can read the rows of a request by ranges.
    ///
    /// A sort order, a limit or an offset depends on all rows, so it cannot be applied to ranges separately.
    static func isDivisible(_ request: StoreRequest) -> Bool {
        // With a condition, an index may find the rows; each range would have to find all of them again.
        request.condition == nil && request.sort.isEmpty && request.limit == nil && request.offset == 0
    }

    /// Returns the range of positions or identifiers; `nil` if there are too few rows to be divided among threads.
    ///
    /// Threads are used only if a reader borrows the memory of the store for each row, as for SQLite.
    func places(_ snapshot: any StoreSnapshot) throws -> ClosedRange<Int64>? {
        guard isDivisible else { return nil }
        var hasRawAccess = false
        func end(descending: Bool) throws -> Int64? {
            var place: Int64?
            let request = StoreRequest(plan.entity.name, sort: [.init(order, descending: descending)], limit: 1)
            _ = try snapshot.openCursor(request).next { row in
                if let column = plan.entity.positionColumn {
                    if case .integer(let position) = try row.value(at: column) { place = position }
                } else {
                    place = row.rawID
                }
                hasRawAccess = row.raw != nil
            }
            return place
        }
        guard let first = try end(descending: false), let last = try end(descending: true), hasRawAccess,
            last.subtractingReportingOverflow(first).partialValue >= 2 * Int64(IdentifierRanges.targetCount)
        else { return nil }
        return first...last
    }

    /// Reads ranges on several threads, and returns the number of rows.
    private func runInParts(
        _ snapshots: [any StoreSnapshot], _ range: ClosedRange<Int64>, to output: ByteOutput
    ) throws -> Int {
        let ranges = IdentifierRanges(range)
        let ordered = OrderedOutput(
            output, skipping: plan.encoder.encoding.firstRecordSkip, mostAhead: 3 * snapshots.count)
        let total = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: snapshots.count) { index in
            do {
                let count = try runParts(of: ranges, snapshots[index], ordered)
                total.withLock { $0 += count }
            } catch {
                ordered.fail(error)
            }
        }
        if let failure = ordered.failure { throw failure }
        return total.withLock { $0 }
    }

    private func runParts(
        of ranges: IdentifierRanges, _ snapshot: any StoreSnapshot, _ output: OrderedOutput
    ) throws -> Int {
        let rows = try SnapshotRows(snapshot, plan)
        var total = 0
        while let (part, range) = ranges.take() {
            guard let chunk = output.begin(part) else { return total }
            if isCancelled() { throw CancellationError() }
            let cursor = try snapshot.openCursor(request(range))
            var count = 0
            var hasMore = true
            while hasMore {
                let read = try rows.read(cursor, into: &chunk.buffer, atMost: Self.largestPart)
                count += read.count
                progress(read.count)
                hasMore = read.hasMore
                if hasMore, !output.write(chunk, of: part) { return total }
            }
            output.finish(chunk, of: part)
            ranges.note(count)
            total += count
        }
        return total
    }

    private func request(_ range: ClosedRange<Int64>) -> StoreRequest {
        let place = FetchOperand.property(order)
        return StoreRequest(
            plan.entity.name,
            where: .all([
                .compare(place, .greaterOrEqual, .constant(.integer(range.lowerBound))),
                .compare(place, .lessOrEqual, .constant(.integer(range.upperBound))),
            ])
        ).inOrderOfFiles(plan.entity)
    }
}
