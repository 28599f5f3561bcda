import StrataContainers
package import StrataCore
import StrataStoreKit
import Synchronization

extension DatasetExporter {
    /// The result of an export to a workbook.
    package struct WorkbookResult: Sendable {
        /// The count of records.
        package let count: Int
        /// The count of numbers that were written as texts, because they have more than 15 digits.
        package let longNumbers: Int
    }

    /// Writes the rows of a request as a workbook (`.xlsx`) with one sheet.
    ///
    /// The limits of rows and columns are checked before anything is written.
    ///
    /// - Parameters:
    ///   - request: The request; only its columns, header and cancellation of the options apply.
    ///   - output: The output.
    /// - Returns: The counts of records and of numbers written as texts.
    /// - Throws: ``InterchangeError`` if a limit is exceeded, a value has no text, or the output cannot be written.
    package func writeWorkbook(_ request: StoreRequest, to output: ByteOutput) throws -> WorkbookResult {
        let entity = try store.model.entity(named: request.entity)
        let columns = try ResolvedColumn.resolve(options.columns, entity, in: store.model)
        guard columns.count <= CellAddress.maximumColumns else {
            throw InterchangeError(
                .unsupported,
                message: "\(columns.count) columns, but a sheet has at most \(CellAddress.maximumColumns); select some "
                    + "with --columns")
        }
        let rows = try store.count(request) + (options.hasHeader ? 1 : 0)
        guard rows <= CellAddress.maximumRows else {
            throw InterchangeError(
                .unsupported,
                message:
                    "\(rows) rows with the header, but a sheet has at most \(CellAddress.maximumRows); select some "
                    + "with --where or --limit, or write CSV")
        }
        let counts = SheetEncoding.Counts()
        let encoding = try SheetEncoding(columns: columns, counts, hasHeader: options.hasHeader)
        var writer = try WorkbookWriter(sheet: entity.external.name ?? entity.name) { try output.append($0) }
        var failure: (any Error)?
        let sheet = ByteOutput(name: output.name) { bytes in
            guard failure == nil else { return }
            do { try writer.append(Array(bytes)) } catch { failure = error }
        }
        let plan = ExportPlan(entity, columns: columns, encoding: encoding)
        let export = RowExport(
            plan: plan, request: request, isCancelled: options.isCancelled, progress: options.progress)
        let isDivisible = RowExport<SheetEncoding>.isDivisible(request)
        let snapshots = try store.openSnapshots(
            isDivisible ? max(1, min(options.readers, store.concurrentReaders)) : 1)
        defer { for snapshot in snapshots { snapshot.close() } }
        let count = try export.run(snapshots, to: sheet)
        try sheet.flush()
        do {
            if let failure { throw failure }
            try writer.finish()
        } catch let error as ContainerError {
            throw InterchangeError(.unsupported, source: output.name, message: error.message)
        }
        return WorkbookResult(count: count, longNumbers: counts.longNumbers.load(ordering: .relaxed))
    }
}
