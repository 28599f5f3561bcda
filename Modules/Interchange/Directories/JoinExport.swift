import StrataCore
import StrataStoreKit

/// The export of the join rows of a many-to-many relationship.
///
/// A symmetric join row is written once, with the lesser identifier as its source. Positions are columns only if the
/// relationship is ordered in that direction.
struct JoinExport {
    private let join: JoinDescription
    private let options: ExportOptions
    /// The counts of a workbook if the join rows are written to one of its sheets.
    private let sheet: SheetEncoding.Counts?

    init(_ join: JoinDescription, _ options: ExportOptions, sheet: SheetEncoding.Counts? = nil) {
        (self.join, self.options, self.sheet) = (join, options, sheet)
    }

    /// Writes the join rows of a snapshot, and returns their number.
    func run(_ snapshot: any StoreSnapshot, to output: ByteOutput) throws -> Int {
        if join.linkTable != nil {
            return try KeyedJoinExport(join, options, sheet: sheet).run(snapshot, to: output)
        }
        return try run(to: output) { take in
            try snapshot.joins(JoinRequest(join.name)) { row in
                // The snapshot returns a symmetric join row from both ends.
                if join.isSymmetric, row.pair.target < row.pair.source { return .next }
                try take(row)
                return .next
            }
        }
    }

    /// Writes the join rows of the relationship to an output.
    ///
    /// - Parameters:
    ///   - output: The output for the file, which is flushed at the end.
    ///   - rows: A closure that passes each join row once to its parameter.
    /// - Returns: The number of join rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `CancellationError`, the errors of `rows`.
    func run(to output: ByteOutput, _ rows: ((JoinRow) throws -> Void) throws -> Void) throws -> Int {
        let columns =
            ["source", "target"] + (join.isSourceOrdered ? ["sourcePosition"] : [])
            + (join.isTargetOrdered ? ["targetPosition"] : [])
        if let sheet { return try write(SheetEncoding(names: columns, sheet), rows, to: output) }
        return options.format.isTable
            ? try write(TableEncoding(columns: columns, options), rows, to: output)
            : try write(JSONEncoding(columns: columns, options.layout), rows, to: output)
    }

    private func write<Encoding: RecordEncoding>(
        _ encoding: Encoding, _ rows: ((JoinRow) throws -> Void) throws -> Void, to output: ByteOutput
    ) throws -> Int {
        var stream = RecordStream(output, encoding)
        try rows { row in
            if stream.count % 1024 == 0, options.isCancelled() { throw CancellationError() }
            var values: [Int64?] = [row.pair.source, row.pair.target]
            if join.isSourceOrdered { values.append(row.sourcePosition) }
            if join.isTargetOrdered { values.append(row.targetPosition) }
            for value in values {
                try stream.value { encoding, column, buffer in
                    guard let value else { return encoding.null(column, &buffer) }
                    try encoding.integer(value, column: column, into: &buffer)
                }
            }
            try stream.endRecord()
        }
        try stream.finish()
        return stream.count
    }
}
