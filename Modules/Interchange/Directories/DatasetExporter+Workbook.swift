import StrataContainers
package import StrataCore
import StrataStoreKit
import Synchronization

extension DatasetExporter {
    /// The result of an export to a workbook.
    package struct WorkbookResult: Sendable {
        /// The count of records.
        package fileprivate(set) var count = 0
        /// The count of join rows.
        package fileprivate(set) var joinCount = 0
        /// The count of numbers that were written as texts, because they have more than 15 digits.
        package fileprivate(set) var longNumbers = 0
        /// The datasets whose sheets have other names, and these names.
        package fileprivate(set) var renamed: [(dataset: String, sheet: String)] = []
    }

    /// Writes the rows of requests as a workbook (`.xlsx`) with a sheet for each of them.
    ///
    /// The limits of rows and columns are checked before anything is written.
    ///
    /// - Parameters:
    ///   - requests: The requests, at most one for an entity; only the columns, header and cancellation of the options
    ///     apply.
    ///   - joins: The many-to-many relationships whose join rows are written to further sheets.
    ///   - output: The output.
    /// - Returns: The counts of what was written.
    /// - Throws: ``InterchangeError`` if a limit is exceeded, a value has no text, or the output cannot be written.
    package func writeWorkbook(
        _ requests: [StoreRequest], joins: [JoinDescription] = [], to output: ByteOutput
    ) throws -> WorkbookResult {
        let isDivisible = requests.allSatisfy(RowExport<SheetEncoding>.isDivisible)
        let snapshots = try store.openSnapshots(
            isDivisible ? max(1, min(options.readers, store.concurrentReaders)) : 1)
        defer { for snapshot in snapshots { snapshot.close() } }
        var result = WorkbookResult()
        let counts = SheetEncoding.Counts()
        // All requests are checked before the first sheet.
        let exports = try requests.map { try export($0, snapshots[0], counts) }
        for join in joins { try check(join, snapshots[0]) }
        let names =
            try requests.map { try store.model.entity(named: $0.entity) }.map { $0.external.name ?? $0.name }
            + joins.map(\.externalName)
        let sheets = WorkbookWriter.sheetNames(names)
        result.renamed = zip(names, sheets).filter { $0 != $1 }.map { (dataset: $0, sheet: $1) }
        do {
            let workbook = try WorkbookOutput(sheets: sheets, output)
            for export in exports { result.count += try workbook.writeSheet { try export.run(snapshots, to: $0) } }
            for join in joins {
                result.joinCount += try workbook.writeSheet {
                    try JoinExport(join, options, sheet: counts).run(snapshots[0], to: $0)
                }
            }
            try workbook.finish()
        } catch let error as ContainerError {
            throw InterchangeError(.unsupported, source: output.name, message: error.message)
        }
        result.longNumbers = counts.longNumbers.load(ordering: .relaxed)
        return result
    }

    /// Returns the export of a request to a sheet.
    private func export(
        _ request: StoreRequest, _ snapshot: any StoreSnapshot, _ counts: SheetEncoding.Counts
    ) throws -> RowExport<SheetEncoding> {
        let entity = try store.model.entity(named: request.entity)
        let columns = try ResolvedColumn.resolve(options.columns, entity, in: store.model)
        guard columns.count <= CellAddress.maximumColumns else {
            throw InterchangeError(
                .unsupported,
                message: "\(entity.name): \(columns.count) columns, but a sheet has at most "
                    + "\(CellAddress.maximumColumns); select some with --columns")
        }
        try checkRows(try snapshot.count(request), of: entity.name)
        let encoding = try SheetEncoding(columns: columns, counts, hasHeader: options.hasHeader)
        return RowExport(
            plan: ExportPlan(entity, columns: columns, encoding: encoding), request: request,
            isCancelled: options.isCancelled, progress: options.progress)
    }

    private func check(_ join: JoinDescription, _ snapshot: any StoreSnapshot) throws {
        var count = 0
        try snapshot.joins(JoinRequest(join.name)) { _ in
            count += 1
            return .next
        }
        // The snapshot returns a symmetric join row from both ends.
        try checkRows(join.isSymmetric ? count / 2 : count, of: join.name)
    }

    private func checkRows(_ count: Int, of name: String) throws {
        let rows = count + (options.hasHeader ? 1 : 0)
        guard rows <= CellAddress.maximumRows else {
            throw InterchangeError(
                .unsupported,
                message: "\(name): \(rows) rows with the header, but a sheet has at most \(CellAddress.maximumRows); "
                    + "select some with --where or --limit, or write CSV")
        }
    }
}

/// A workbook whose sheets are written one after the other.
private final class WorkbookOutput {
    private var writer: WorkbookWriter
    private let name: String
    private var failure: (any Error)?

    init(sheets: [String], _ output: ByteOutput) throws {
        name = output.name
        writer = try WorkbookWriter(sheets: sheets) { try output.append($0) }
    }

    /// Writes the next sheet, whose rows a closure writes, and returns the result of the closure.
    func writeSheet(_ body: (ByteOutput) throws -> Int) throws -> Int {
        try writer.beginSheet()
        let output = ByteOutput(name: name) { self.append($0) }
        let count = try body(output)
        try output.flush()
        if let failure { throw failure }
        try writer.endSheet()
        return count
    }

    func finish() throws { try writer.finish() }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        do { try writer.append(Array(bytes)) } catch { failure = error }
    }
}
