public import StrataCore

/// The figures of a store: its model as a drawing and in words, counts, shares of nulls, distributions, trees and palettes, all of one state of it.
///
/// ```swift
/// let report = try StoreReport(reading: container.coordinator.store, ReportOptions(title: "Staff"))
/// let page = report.page
/// ```
///
/// Reading takes two passes over the rows of each entity, whatever its columns, as a rule one or two more statements
/// for each median, and one or two for each tree. Memory does not grow with the rows. The same store gives the same bytes on every machine.
public struct StoreReport: Sendable {
    let title: String
    let model: ModelSummary
    let entities: [EntitySummary]
    let joins: [JoinSummary]

    /// Reads all entities of a store's model from one snapshot.
    ///
    /// - Parameters:
    ///   - store: The store; others may write to it meanwhile.
    ///   - options: What to show.
    /// - Throws: `PersistenceError`, or `CancellationError` when the options say so.
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

    /// The report as one page of HTML: no script, nothing fetched, style inside.
    ///
    /// The text is well-formed XML too, to be encoded in UTF-8. It is made anew with each call; its length depends on
    /// the model and the options, not on the rows.
    public var page: String { ReportPage(title: title, model: model, entities: entities, joins: joins).html }
}
