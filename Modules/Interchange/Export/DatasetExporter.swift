public import StrataCore
public import StrataStoreKit

/// An export of the rows of an entity from one state of the store, row by row, in constant memory.
///
/// ```swift
/// let exporter = DatasetExporter(store: container.coordinator.store, format: .csv)
/// let count = try exporter.run(StoreRequest("Color"), to: output)
/// ```
///
/// If all rows of an entity are exported in id order, several threads read and format them, each with its own snapshot
/// of the same state. The bytes are the same as with one thread.
public struct DatasetExporter {
    let store: any PersistentStore
    let options: ExportOptions

    /// Creates an export of all columns.
    ///
    /// - Parameters:
    ///   - store: The store that contains the rows.
    ///   - format: The format of the output.
    ///   - isCancelled: A closure that is called every few thousand rows; if it returns `true`, the export throws
    ///     `CancellationError`.
    public init(
        store: any PersistentStore, format: DatasetFormat, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        var options = ExportOptions(format: format)
        options.isCancelled = isCancelled
        self.options = options
    }

    /// Creates an export with options.
    ///
    /// - Parameters:
    ///   - store: The store that contains the rows.
    ///   - options: The export options.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format does not support.
    public init(store: any PersistentStore, options: ExportOptions) throws(InterchangeError) {
        try options.check()
        self.store = store
        self.options = options
    }

    /// Throws an error if an entity does not have a selected column.
    ///
    /// - Parameters:
    ///   - columns: The selected columns; `nil` for all.
    ///   - entity: The entity's name.
    ///   - model: The model that contains the entity.
    /// - Throws: ``InterchangeError/Code/columns`` with the first column that is missing or repeated.
    public static func check(_ columns: [ExportColumn]?, of entity: String, in model: ManagedObjectModel) throws {
        _ = try ResolvedColumn.resolve(columns, model.entity(named: entity), in: model)
    }

    /// Writes the rows that a request selects to an output.
    ///
    /// If the request does not sort the rows, they are in the order in which files contain them.
    ///
    /// - Parameters:
    ///   - request: The request that selects the rows.
    ///   - output: The output, which is flushed at the end.
    /// - Returns: The number of rows that were written.
    /// - Throws: ``InterchangeError`` if writing fails, `PersistenceError` if reading fails, `CancellationError`.
    @discardableResult
    public func run(_ request: StoreRequest, to output: ByteOutput) throws -> Int {
        let isDivisible = RowExport<TableEncoding>.isDivisible(request)
        let snapshots = try store.openSnapshots(
            isDivisible ? max(1, min(options.readers, store.concurrentReaders)) : 1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try run(request, snapshots, to: output)
    }

    /// Writes the rows that a request selects, read from snapshots of the same state.
    func run(_ request: StoreRequest, _ snapshots: [any StoreSnapshot], to output: ByteOutput) throws -> Int {
        let entity = try store.model.entity(named: request.entity)
        let columns = try ResolvedColumn.resolve(options.columns, entity, in: store.model)
        let names = columns.map(\.name)
        func export<Encoding: RecordEncoding>(_ encoding: Encoding) throws -> Int {
            let plan = ExportPlan(entity, columns: columns, encoding: encoding)
            let export = RowExport(
                plan: plan, request: request, isCancelled: options.isCancelled, progress: options.progress)
            return try export.run(snapshots, to: output)
        }
        if options.format.isTable {
            if let spelled = try SpelledTable.table(columns, entity, options) { return try export(spelled) }
        } else if let spelled = try SpelledTable.document(columns, entity, options) {
            return try export(spelled)
        }
        return try options.format.isTable
            ? export(TableEncoding(columns: names, options)) : export(JSONEncoding(columns: names, options.layout))
    }
}
