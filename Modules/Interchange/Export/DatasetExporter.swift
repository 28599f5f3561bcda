public import StrataCore

/// Writes what a store has of an entity: one state of the store, row by row, in constant memory.
///
/// ```swift
/// let count = try DatasetExporter(store: container.coordinator.store, format: .csv).run(StoreRequest("Color"), to: output)
/// ```
///
/// All rows of an entity by id are read and formatted by several threads, each with a snapshot of its own of that one state; the bytes are
/// the same as one thread's.
public struct DatasetExporter {
    let store: any PersistentStore
    let options: ExportOptions

    /// Prepares an export of all columns.
    ///
    /// - Parameters:
    ///   - store: What is read.
    ///   - format: What is written.
    ///   - isCancelled: Asked every few thousand rows; true ends the export with `CancellationError`.
    public init(
        store: any PersistentStore, format: DatasetFormat, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        var options = ExportOptions(format: format)
        options.isCancelled = isCancelled
        self.options = options
    }

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - store: What is read.
    ///   - options: What is written.
    /// - Throws: ``InterchangeError/Code/unsupported`` for options that the format does not have.
    public init(store: any PersistentStore, options: ExportOptions) throws(InterchangeError) {
        try options.check()
        self.store = store
        self.options = options
    }

    /// Makes sure that an entity has the columns that are asked for.
    ///
    /// - Parameters:
    ///   - columns: The columns; `nil` is all.
    ///   - entity: The entity's name.
    ///   - model: The model.
    /// - Throws: ``InterchangeError/Code/columns`` naming the first that is not there, or is there twice.
    public static func check(_ columns: [ExportColumn]?, of entity: String, in model: ManagedObjectModel) throws {
        _ = try ResolvedColumn.resolve(columns, model.entity(named: entity), in: model)
    }

    /// Writes the rows a request selects, in the order of files unless the request sorts them.
    ///
    /// - Parameters:
    ///   - request: Which rows.
    ///   - output: Where they go; flushed at the end.
    /// - Returns: The number of rows.
    /// - Throws: ``InterchangeError`` when writing fails, `PersistenceError` when reading does, `CancellationError`.
    @discardableResult
    public func run(_ request: StoreRequest, to output: ByteOutput) throws -> Int {
        let isDivisible = RowExport<TableEncoding>.isDivisible(request)
        let snapshots = try store.openSnapshots(
            isDivisible ? max(1, min(options.readers, store.concurrentReaders)) : 1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try run(request, snapshots, to: output)
    }

    /// Writes rows from snapshots of one state.
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
