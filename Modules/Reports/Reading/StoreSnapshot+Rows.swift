import StrataCore

extension StoreSnapshot {
    /// Reads the rows of a request, and asks now and then whether to go on.
    func forEachRow(
        _ request: StoreRequest, options: ReportOptions, _ body: (RowReader) throws -> Void
    ) throws {
        let cursor = try openCursor(request)
        var untilLook = 0
        _ = try cursor.read { row in
            if untilLook == 0 {
                if options.isCancelled() { throw CancellationError() }
                untilLook = EntityReading.cancellationRows
            }
            untilLook -= 1
            try body(row)
            return .next
        }
    }
}
