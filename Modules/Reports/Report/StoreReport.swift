public import StrataCore
public import StrataStoreKit

/// The figures of a store, all of one snapshot.
///
/// A report contains the model as a diagram and in words, counts, shares of nulls, distributions, trees and palettes.
///
/// ```swift
/// let report = try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Staff"))
/// let page = report.page
/// ```
///
/// Reading takes two passes over the rows of each entity, independent of the number of columns. In addition, it usually
/// takes one or two statements for each median, and one or two for each tree. The required memory does not grow with
/// the number of rows. The same store produces the same bytes on every machine.
public struct StoreReport: Sendable {
    let title: String
    let model: ModelSummary
    let entities: [EntitySummary]
    let joins: [JoinSummary]

    /// Creates a report of all entities of a store's model from one snapshot.
    ///
    /// - Parameters:
    ///   - store: The store. Other contexts and processes can write to it meanwhile.
    ///   - options: The title and the amount of data to show.
    /// - Throws: `PersistenceError`, or `CancellationError` if the options request cancellation.
    public init(reading store: any PersistentStore, _ options: ReportOptions = ReportOptions()) throws {
        let snapshots = try store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        let snapshot = snapshots[0]
        title = options.title
        model = ModelSummary(store.model)
        entities = try store.model.entities.map { entity in
            try EntityReading(entity, in: store.model, from: snapshot, options: options).run()
        }
        joins = try store.model.joins.map { join in
            var count = 0
            try snapshot.joins(JoinRequest(join.name)) { _ in
                count += 1
                if count.isMultiple(of: EntityReading.cancellationRows), options.isCancelled() {
                    throw CancellationError()
                }
                return .next
            }
            return JoinSummary(
                name: join.sourceRelationship, source: join.sourceEntity, target: join.targetEntity, count: count)
        }
    }

    /// The report as one HTML page with its style, without scripts and external resources.
    ///
    /// The text is also well-formed XML, and it must be encoded in UTF-8. Each call rebuilds it. Its length depends on
    /// the model and the options, but not on the number of rows.
    public var page: String { ReportPage(title: title, model: model, entities: entities, joins: joins).html }
}
