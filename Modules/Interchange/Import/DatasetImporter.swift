import StrataCore
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
///
/// An importer without an entity takes several datasets, each with its entity, in one transaction:
///
/// ```swift
/// let importer = DatasetImporter(container: container, options: ImportOptions(format: .csv))
/// let summary = try importer.run([
///     ImportSource(entity: "Boss", input: ByteInput.file(at: "bosses.csv.gz")),
///     ImportSource(entity: "Employee", input: ByteInput.file(at: "employees.csv")),
/// ])
/// print(summary.count, summary.rejected)
/// ```
///
/// ``ByteInput/file(at:blockSize:)`` decompresses gzip and zstd. An input with compressed bytes is an error of an
/// import. An import takes its inputs over: use a new input for each import, and do not read it elsewhere.
/// ``DatasetDirectory`` finds the files of a directory.
///
/// An import needs some 25 MB of memory, whatever the size of the files. It needs more in three cases: dangling
/// references of objects that come later, join rows that wait for such objects, and updates that exchange unique
/// values.
///
/// ## Topics
///
/// ### Creating an importer
///
/// - ``init(entity:container:options:)``
/// - ``init(container:options:)``
/// - ``ImportOptions``
///
/// ### Importing
///
/// - ``run(_:)-([ImportSource])``
/// - ``ImportSource``
/// - ``ImportSummary``
public struct DatasetImporter {
    private let container: any BulkWriting
    private let options: ImportOptions
    private let entity: String?

    /// Creates an importer for any entity.
    ///
    /// Pass the sources with their entities to ``run(_:)-([ImportSource])``. Nothing is validated before the import
    /// begins.
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
    /// The mapping of the reading options is validated now; the columns of a file are validated when it is opened.
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
    /// The call blocks the calling thread until the records are stored.
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
    /// The call blocks the calling thread until the records are stored. The transaction begins after the headers of all
    /// datasets were read and validated, if there are at most 16 of them. Further datasets are opened one after the
    /// other.
    ///
    /// If the sources are not in the order of their references, the importer reads the datasets of referenced entities
    /// first. The summary has the order of the sources nevertheless.
    ///
    /// - Parameter sources: The datasets. The entity of a source may also be the name of a join table in the model. The
    ///   dataset then contains join rows in the columns `source`, `target`, `sourcePosition` and `targetPosition`.
    /// - Returns: The summary of the import, with one entry for each source.
    /// - Throws: ``InterchangeError`` with the location in the input, or with the code
    ///   ``InterchangeError/Code/columns`` for all problems of a header; `PersistenceError` if the store fails or an
    ///   entity is unknown; `CancellationError` if ``ImportOptions/isCancelled`` returns `true`; the errors of closures
    ///   in the options. Nothing is stored in these cases, except for records that were committed earlier because of
    ///   ``ImportOptions/commitInterval``.
    /// - Complexity: O(*n*) in the bytes of the datasets.
    public func run(_ sources: [ImportSource]) throws -> ImportSummary {
        let run = try ImportRun(sources, container: container, options: options)
        do {
            return try run.run()
        } catch let error as InterchangeError where error.code == .cancelled {
            throw CancellationError()
        }
    }
}
