import StrataCore
import StrataStoreKit

extension StoreSnapshot {
    /// Reads the rows of a request, and checks regularly for cancellation.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options, whose closures are called before the first row, every 4,096 rows, and at the end.
    ///   - body: A closure that receives each row; the row is valid only during the call.
    /// - Throws: `CancellationError`, an error of `body`, or the errors of reading the store.
    func forEachRow(
        _ request: StoreRequest, options: ReportOptions, _ body: (RowReader) throws -> Void
    ) throws {
        let cursor = try openCursor(request)
        if options.isCancelled() { throw CancellationError() }
        var untilLook = EntityReading.cancellationRows
        _ = try cursor.read { row in
            if untilLook == 0 {
                if options.isCancelled() { throw CancellationError() }
                options.progress(EntityReading.cancellationRows)
                untilLook = EntityReading.cancellationRows
            }
            untilLook -= 1
            try body(row)
            return .next
        }
        options.progress(EntityReading.cancellationRows - untilLook)
    }
}
