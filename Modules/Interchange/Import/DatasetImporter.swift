public import StrataCore
public import StrataStoreKit

/// Imports datasets into a store or a container: in one transaction, in blocks of records, in constant memory.
///
/// ```swift
/// let importer = try DatasetImporter(entity: "Color", container: container, options: ImportOptions(format: .csv))
/// let summary = try importer.run(ByteInput(path: "colors.csv"))
/// ```
///
/// Several datasets may come in any order, and their records may reference later records in the same file or another.
/// By default, the first invalid record aborts the import: nothing is stored, and the error contains file, line,
/// record, column, text and rule. ``ImportOptions`` can change this.
///
/// A file is read on a separate thread while the calling thread stores; the call returns when both are done.
public struct DatasetImporter {
    private let container: any BulkWriting
    private let options: ImportOptions
    private let entity: String?

    /// Creates an importer for any entity.
    ///
    /// - Parameters:
    ///   - container: The destination of the records: a container, which notifies its contexts, or a store.
    ///   - options: The options for reading the datasets and for handling invalid records.
    public init(container: any BulkWriting, options: ImportOptions) {
        self.container = container
        self.options = options
        entity = nil
    }

    /// Creates an importer for one entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model.
    ///   - container: The destination of the records: a container, which notifies its contexts, or a store.
    ///   - options: The options for reading the datasets and for handling invalid records.
    /// - Throws: `PersistenceError` if the model has no such entity, ``InterchangeError/Code/columns`` if the mapping
    ///   names unknown attributes.
    public init(entity: String, container: any BulkWriting, options: ImportOptions) throws {
        try options.reading.check(for: container.model.entity(named: entity), in: container.model)
        self.container = container
        self.options = options
        self.entity = entity
    }

    /// Reads an input to its end and stores its records.
    ///
    /// - Parameter input: The dataset of the importer's entity.
    /// - Returns: The summary of the import.
    /// - Throws: The errors of ``run(_:)-([ImportSource])``; `PersistenceError` if the importer was created without an
    ///   entity.
    public func run(_ input: ByteInput) throws -> ImportSummary {
        guard let entity else {
            throw PersistenceError(.invalidRequest, "the importer has no entity; name the entity in the source")
        }
        return try run([ImportSource(entity: entity, input: input)])
    }

    /// Reads datasets to their ends and stores their records.
    ///
    /// - Parameter sources: The datasets. The entity of a source may also be the name of a join table in the model. The
    ///   dataset then contains join rows in the columns `source`, `target`, `sourcePosition` and `targetPosition`.
    /// - Returns: The summary of the import.
    /// - Throws: ``InterchangeError`` with the location in the input, `PersistenceError` if the store fails,
    ///   `CancellationError`. Nothing is stored in this case, except for records that were committed earlier because of
    ///   ``ImportOptions/commitInterval``.
    public func run(_ sources: [ImportSource]) throws -> ImportSummary {
        let run = try ImportRun(sources, container: container, options: options)
        do {
            return try run.run()
        } catch let error as InterchangeError where error.code == .cancelled {
            throw CancellationError()
        }
    }
}
