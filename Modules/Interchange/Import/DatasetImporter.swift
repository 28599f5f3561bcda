public import StrataCore

/// Brings datasets into a store, a container's or one by itself: in one transaction, in blocks of records, in constant memory.
///
/// ```swift
/// let importer = try DatasetImporter(entity: "Color", container: container, options: ImportOptions(format: .csv))
/// let summary = try importer.run(ByteInput(path: "colors.csv"))
/// ```
///
/// Several datasets may come in any order, and their records may refer to records that come later, in the same file or another. Unless
/// ``ImportOptions`` says otherwise the first bad record ends the import: nothing is stored, and the error says file, line, record, column, text and rule.
///
/// A file is read on a thread of its own while the calling thread stores; the call returns when both are done.
public struct DatasetImporter {
    private let container: any BulkWriting
    private let options: ImportOptions
    private let entity: String?

    /// Prepares imports into any entity.
    ///
    /// - Parameters:
    ///   - container: What gets the records: a container, which tells its contexts, or a store.
    ///   - options: How the datasets are read, and what happens to records that do not fit.
    public init(container: any BulkWriting, options: ImportOptions) {
        self.container = container
        self.options = options
        entity = nil
    }

    /// Prepares imports into one entity.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model.
    ///   - container: What gets the records: a container, which tells its contexts, or a store.
    ///   - options: How the datasets are read, and what happens to records that do not fit.
    /// - Throws: `PersistenceError` when the model has no such entity, ``InterchangeError/Code/columns`` when the mapping names attributes
    ///   that there are not.
    public init(entity: String, container: any BulkWriting, options: ImportOptions) throws {
        try options.reading.check(for: container.model.entity(named: entity), in: container.model)
        self.container = container
        self.options = options
        self.entity = entity
    }

    /// Reads an input to its end and stores its records.
    ///
    /// - Parameter input: The dataset, of the entity the importer was made for.
    /// - Returns: What was done.
    /// - Throws: What ``run(_:)-([ImportSource])`` throws; `PersistenceError` when the importer was made for no entity.
    public func run(_ input: ByteInput) throws -> ImportSummary {
        guard let entity else {
            throw PersistenceError(.invalidRequest, "the importer was made for no entity; name one in a source")
        }
        return try run([ImportSource(entity: entity, input: input)])
    }

    /// Reads datasets to their ends and stores their records.
    ///
    /// - Parameter sources: The datasets; the name of a source's entity may also be that of a join table of the model, whose pairs it then holds in the
    ///   columns `source`, `target`, `sourcePosition` and `targetPosition`.
    /// - Returns: What was done.
    /// - Throws: ``InterchangeError`` with the place in the input, `PersistenceError` when the store fails, `CancellationError`; nothing is
    ///   stored then, but for what ``ImportOptions/commitInterval`` had stored before.
    public func run(_ sources: [ImportSource]) throws -> ImportSummary {
        let run = try ImportRun(sources, container: container, options: options)
        do {
            return try run.run()
        } catch let error as InterchangeError where error.code == .cancelled {
            throw CancellationError()
        }
    }
}
