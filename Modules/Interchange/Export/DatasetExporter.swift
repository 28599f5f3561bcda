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
///
/// Export options select columns and the style of the file. An ``AtomicFile`` replaces its target only after the whole
/// dataset was written:
///
/// ```swift
/// var options = ExportOptions(format: .csv)
/// options.columns = [ExportColumn("lastName", as: "name"), ExportColumn("boss.lastName", as: "boss")]
/// let exporter = try DatasetExporter(store: container.coordinator.store, options: options)
/// let file = try AtomicFile(path: "employees.csv")
/// try exporter.run(StoreRequest("Employee", sort: [.init("lastName")]), to: file.output)
/// try file.commit()
/// ```
///
/// An export reads snapshots of one state of the store, so later changes have no effect on it. Unsaved changes of
/// contexts are not exported. The memory is about 20 MB, whatever the number of rows. An import of the file and another
/// export result in the same bytes, unless ``ExportOptions/escapesFormulas`` is set.
///
/// An exporter has no state of its own; it can be used several times. To export all entities together, use a
/// ``DirectoryExporter``.
///
/// ## Topics
///
/// ### Creating an exporter
///
/// - ``init(store:format:isCancelled:)``
/// - ``init(store:options:)``
/// - ``ExportOptions``
///
/// ### Writing a dataset
///
/// - ``run(_:to:)``
///
/// ### Reading values
///
/// - ``forEach(_:_:)``
/// - ``columns(of:)``
/// - ``Column``
///
/// ### Validating columns
///
/// - ``check(_:of:in:)``
/// - ``ExportColumn``
public struct DatasetExporter {
    let store: any PersistentStore
    let options: ExportOptions

    /// Creates an export of all columns.
    ///
    /// All other options have their default values: the columns are `id` and all columns of the entity, and a table has
    /// a header.
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
    /// The columns are resolved when the export runs, because they depend on the entity of the request.
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
    /// Call it to report a wrong column before a store or a file is opened.
    ///
    /// - Parameters:
    ///   - columns: The selected columns; `nil` for all.
    ///   - entity: The entity's name.
    ///   - model: The model that contains the entity.
    /// - Throws: ``InterchangeError/Code/columns`` with the first column that is missing or repeated, or if the list of
    ///   columns is empty; `PersistenceError` if the model has no such entity.
    public static func check(_ columns: [ExportColumn]?, of entity: String, in model: ManagedObjectModel) throws {
        _ = try ResolvedColumn.resolve(columns, model.entity(named: entity), in: model)
    }

    /// Writes the rows that a request selects to an output.
    ///
    /// If the request does not sort the rows, they are in the order in which files contain them.
    ///
    /// The call blocks the calling thread until all bytes are written. The output is flushed, but not closed or
    /// committed. If the method throws, the output may have a part of the dataset.
    ///
    /// If the request has no condition, sort order, limit and offset, up to ``ExportOptions/readers`` threads read the
    /// rows.
    ///
    /// - Parameters:
    ///   - request: The request that selects the rows.
    ///   - output: The output, which is flushed at the end.
    /// - Returns: The number of rows that were written.
    /// - Throws: ``InterchangeError/Code/columns`` if the entity does not have a selected column;
    ///   ``InterchangeError/Code/invalidValue`` if a value cannot be written, for example because its text means null
    ///   in the files of the model; another ``InterchangeError`` if writing fails; `PersistenceError` if reading fails;
    ///   `CancellationError`.
    /// - Complexity: O(*n*) in the rows and their bytes. Columns of related rows need one query for each relationship
    ///   and 1,024 rows.
    @discardableResult
    public func run(_ request: StoreRequest, to output: ByteOutput) throws -> Int {
        let isDivisible = RowExport<TableEncoding>.isDivisible(request)
        let snapshots = try store.openSnapshots(
            isDivisible ? max(1, min(options.readers, store.concurrentReaders)) : 1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try run(request, snapshots, to: output)
    }

    /// Writes the rows that a request selects, read from snapshots of the same state.
    @discardableResult
    package func run(
        _ request: StoreRequest, _ snapshots: [any StoreSnapshot], to output: ByteOutput
    ) throws -> Int {
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
