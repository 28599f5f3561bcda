import StrataCore
import StrataStoreKit

/// Reads some columns of datasets as texts; the import reports other errors in them.
///
/// The columns are attributes of type text of a temporary entity, so files are read by the same code as in an import.
struct ColumnTexts {
    /// The names of the columns in the model, in column order.
    let names: [String]
    private let entity: EntityDescription

    /// Creates a reader of columns.
    ///
    /// - Parameters:
    ///   - dataset: The name of the dataset in messages.
    ///   - columns: The names of the columns, in the model and in files.
    init(_ dataset: String, _ columns: [(name: String, externalName: String)]) {
        names = columns.map(\.name)
        entity = EntityDescription(
            "Texts",
            columns.map { column in
                .attribute(
                    AttributeDescription(column.name, .string, isOptional: true, externalName: column.externalName))
            }, external: ExternalForm(name: dataset, identifiers: .own))
    }

    /// Returns the reading options without mappings of other columns, which are unknown here.
    func known(_ reading: ReadingOptions) -> ReadingOptions {
        var reading = reading
        reading.ignoresUnknownColumns = true
        reading.readsNumbersAsTexts = true
        let known = Set((names + entity.columns.map(\.externalName)).map(NameMatching.folded))
        reading.mapping = reading.mapping.filter { known.contains(NameMatching.folded($0.value)) }
        return reading
    }

    /// Reads a dataset to its end, in constant memory.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: The options for reading the dataset.
    ///   - isCancelled: A closure that is called every thousand records; if it returns `true`, this method throws
    ///     `CancellationError`.
    ///   - body: A closure that receives the index of a column and a text, record by record.
    /// - Throws: ``InterchangeError`` if the file cannot be read, `CancellationError`.
    func read(
        _ input: ByteInput, _ reading: ReadingOptions, isCancelled: @escaping @Sendable () -> Bool,
        _ body: (Int, String) -> Void
    ) throws {
        var reading = known(reading)
        reading.columnSpellings = [:]
        reading.spellingOptions = []
        reading.keyAttribute = nil
        reading.valueAttribute = nil
        var options = ImportOptions(format: reading.format)
        options.onError = .reject
        options.isCancelled = isCancelled
        let plan = try ColumnPlan(DatasetShape(entity, in: try ManagedObjectModel([entity])), reading: reading)
        let decoding = RowDecoding(0, plan: plan, options: options, reading: reading)
        let decoder: any RowDecoder =
            try reading.format.isTable
            ? RecordDecoder(CSVRecords(input, decoding: decoding, reading: reading), input: input)
            : RecordDecoder(JSONRecords(input, decoding: decoding, reading: reading), input: input)
        let batch = RowBatch(of: entity)
        repeat {
            batch.reuse()
            try decoder.fill(batch)
            for row in 0..<batch.block.count {
                for place in entity.columns.indices {
                    guard case .string(let text) = batch.block.value(row: row, column: place) else { continue }
                    body(place, text)
                }
            }
        } while !batch.isLast
    }
}
