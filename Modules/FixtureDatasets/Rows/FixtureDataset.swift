public import StrataCore
public import StrataFixtures
public import StrataInterchange

/// The rows of a description on their way into files, directories and stores of a model.
///
/// ```swift
/// let dataset = try FixtureDataset(FixtureDescription(model: model), model: model)
/// try dataset.write(to: "fixtures", options: ExportOptions(format: .csv))
/// ```
///
/// Everything that can be wrong with the description is found when this is made, before anything is written.
public struct FixtureDataset: Sendable {
    /// What is made.
    public let description: FixtureDescription
    /// The model.
    public let model: ManagedObjectModel
    /// What makes the rows of each entity that the description makes, in the model's order.
    public let producers: [FixtureProducer]
    /// What makes the pairs of many-to-many relationships both of whose entities the description makes.
    public let pairs: [FixturePairs]

    /// Looks a description over.
    ///
    /// - Parameters:
    ///   - description: The description.
    ///   - model: The model, which has the entities of the description.
    /// - Throws: `FixtureError` naming entity and attribute where something cannot be made, or is not as the model has it.
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

    /// What makes the rows of an entity.
    ///
    /// - Throws: `FixtureError` with the code `unknown` where the description does not make it.
    public func producer(of entity: String) throws(FixtureError) -> FixtureProducer {
        guard let producer = producers.first(where: { $0.entity.name == entity }) else {
            throw FixtureError(.unknown, entity: entity, "the description does not make this entity")
        }
        return producer
    }

    /// Writes one entity's rows.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - output: Where they go; flushed at the end.
    ///   - options: How they are written.
    ///   - store: A store that has nothing but the dataset; where ``needsStore`` says so, files are written from it.
    /// - Returns: The number of rows.
    /// - Throws: `FixtureError` for an entity that is not made, `InterchangeError` when writing fails, or when a store is needed and not given,
    ///   `CancellationError`.
    /// - Complexity: O(*n*) in the rows, in constant memory, on `ExportOptions.readers` threads.
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
