public import Persistence

/// Writes what a store has of an entity: one state of the store, row by row, in constant memory.
///
/// ```swift
/// let count = try DatasetExporter(store: container.coordinator.store, format: .csv).run(StoreRequest("Color"), to: output)
/// ```
public struct DatasetExporter {
    private let store: any PersistentStore
    private let format: DatasetFormat
    private let isCancelled: @Sendable () -> Bool

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - store: What is read.
    ///   - format: What is written.
    ///   - isCancelled: Asked before every 1,024th row; true ends the export with `CancellationError`.
    public init(
        store: any PersistentStore, format: DatasetFormat, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        self.format = format
        self.isCancelled = isCancelled
    }

    /// Writes the rows a request selects, by identifier unless the request sorts them.
    ///
    /// - Parameters:
    ///   - request: Which rows.
    ///   - output: Where they go; flushed at the end.
    /// - Returns: The number of rows.
    /// - Throws: ``InterchangeError`` when writing fails, `PersistenceError` when reading does, `CancellationError`.
    @discardableResult
    public func run(_ request: StoreRequest, to output: ByteOutput) throws -> Int {
        let entity = try store.model.entity(named: request.entity)
        let columns = entity.datasetColumns
        switch format {
        case .csv: return try run(request, DatasetWriter(entity, CSVWriter(output, columns: columns)))
        case .tsv:
            return try run(request, DatasetWriter(entity, CSVWriter(output, columns: columns, separator: .tab)))
        case .json: return try run(request, DatasetWriter(entity, JSONWriter(output, columns: columns)))
        case .ndjson:
            return try run(request, DatasetWriter(entity, JSONWriter(output, columns: columns, layout: .lines)))
        }
    }

    private func run<Writer>(_ request: StoreRequest, _ writer: DatasetWriter<Writer>) throws -> Int {
        var writer = writer
        var count = 0
        try store.fetch(request) { row in
            if count % 1024 == 0, isCancelled() { throw CancellationError() }
            try writer.write(row)
            count += 1
            return .next
        }
        try writer.finish()
        return count
    }
}
