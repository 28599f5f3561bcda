public import StrataCore
public import StrataFixtures
public import StrataInterchange
public import StrataStoreKit

/// The rows that a description specifies, which can be written to files, directories and stores of a model.
///
/// ```swift
/// let dataset = try FixtureDataset(FixtureDescription(model: model), model: model)
/// try dataset.write(to: "fixtures", options: ExportOptions(format: .csv))
/// ```
///
/// The initializer reports all errors in the description, before anything is written.
///
/// A dataset contains no rows. Each output generates them again, block by block, so that the memory does not depend on
/// the number of rows. Outputs of one dataset contain the same rows, and the identifier of a row is its number, from 1.
///
/// A dataset is immutable. Several threads can write it to different outputs at the same time.
///
/// ## Topics
///
/// ### Creating a dataset
///
/// - ``init(_:model:)``
/// - ``description``
/// - ``model``
///
/// ### Writing files
///
/// - ``write(_:to:options:from:)``
/// - ``write(to:options:from:willCommit:)``
/// - ``needsStore``
/// - ``fileNames``
/// - ``leftovers(in:nextTo:)``
///
/// ### Writing stores
///
/// - ``store(in:isCancelled:progress:willCommit:)``
///
/// ### Producing rows
///
/// - ``producer(of:)``
/// - ``producers``
/// - ``pairs``
public struct FixtureDataset: Sendable {
    /// The description that specifies the rows.
    public let description: FixtureDescription
    /// The model of the files and stores.
    ///
    /// It can contain entities that the description does not contain. They have no rows, and no files are written for
    /// them.
    public let model: ManagedObjectModel
    /// The producers of the rows of each described entity, in the model's order.
    ///
    /// References can refer to later entities. A store must therefore check them after all rows are inserted.
    public let producers: [FixtureProducer]
    /// The producers of join rows, for relationships whose entities are both described.
    ///
    /// Their order is that of the model's join tables.
    public let pairs: [FixturePairs]

    /// Creates a dataset after validating a description.
    ///
    /// The fields of each described entity must fit the columns of the model: each has a column of the same type, a
    /// mandatory column without a default has values in all rows, and a unique column has unique values. A description
    /// that was created for the model fulfills these conditions. The rules of attributes are checked later, for each
    /// row.
    ///
    /// - Parameters:
    ///   - description: The description.
    ///   - model: The model, which must contain the entities of the description.
    /// - Throws: `FixtureError` with the entity and the attribute if its values cannot be generated or do not match the
    ///   model.
    /// - Complexity: O(*n*) in the number of texts and in the number of targets of bounded references; no rows are
    ///   generated.
    public init(_ description: FixtureDescription, model: ManagedObjectModel) throws(FixtureError) {
        let fixtures = try Fixtures(description)
        self.description = description
        self.model = model
        for name in description.entities.keys.sorted() where !model.entities.contains(where: { $0.name == name }) {
            throw FixtureError(.unknown, entity: name, "the model has no such entity")
        }
        var producers: [FixtureProducer] = []
        for entity in model.entities where description.entities[entity.name] != nil {
            producers.append(try FixtureProducer(try fixtures.plan(of: entity.name), for: entity))
        }
        self.producers = producers
        pairs = model.joins.compactMap { join in
            fixtures.links.first { $0.link.table == join.name }.map { FixturePairs($0, for: join) }
        }
    }

    /// Returns the producer of the rows of an entity.
    ///
    /// - Parameter entity: The name of the entity.
    /// - Returns: The producer, which several threads can use at the same time.
    /// - Throws: `FixtureError` with the code `unknown` if the description does not contain the entity.
    public func producer(of entity: String) throws(FixtureError) -> FixtureProducer {
        guard let producer = producers.first(where: { $0.entity.name == entity }) else {
            throw FixtureError(.unknown, entity: entity, "the description does not contain this entity")
        }
        return producer
    }

    /// Writes the rows of one entity to an output.
    ///
    /// The method blocks the calling thread until all rows are written or an error occurs. If it throws an error, the
    /// output can contain the beginning of the file. The bytes are those of an export of a store with the rows.
    ///
    /// The option `columns` of `ExportOptions` is supported only with a store.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - output: The output of the rows, which is flushed at the end.
    ///   - options: The file format and its options.
    ///   - store: A store that contains only the dataset. If ``needsStore`` is true, the rows are read from this store.
    /// - Returns: The number of written rows.
    /// - Throws: `FixtureError` if the description does not contain the entity; `InterchangeError` if writing fails, or
    ///   if ``needsStore`` is true and `store` is `nil`; `CancellationError`.
    /// - Complexity: O(*n*) in the number of rows, in constant memory, on `ExportOptions.readers` threads.
    @discardableResult
    public func write(
        _ entity: String, to output: ByteOutput, options: ExportOptions, from store: (any PersistentStore)? = nil
    ) throws -> Int {
        try checkStore(store)
        if let store, needsStore {
            return try DatasetExporter(store: store, options: options).run(
                StoreRequest(try producer(of: entity).entity.name), to: output)
        }
        return try ProducedDataset(try producer(of: entity), options: options).write(to: output)
    }
}
