import StrataCore
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
/// Use a report to get an overview of a store whose data you do not know, for example after an import. The content for
/// a column depends only on the model and, for texts, on the values; there is nothing to configure for a single column.
///
/// Reading takes two passes over the rows of each entity, independent of the number of columns. In addition, it usually
/// takes one or two statements for each median, and one or two for each tree. The required memory does not grow with
/// the number of rows; it is at most a few MiB for each column of the entity that is being read. The same store
/// produces the same bytes on every machine.
///
/// A report is immutable and independent of its store, which can be closed after the report is created. Any thread may
/// use it.
///
/// ## Topics
///
/// ### Creating a report
///
/// - ``init(reading:_:)``
/// - ``ReportOptions``
///
/// ### Writing a report
///
/// - ``page``
public struct StoreReport: Sendable {
    /// The title of the page.
    let title: String
    /// The model for the diagram.
    let model: ModelSummary
    /// The summaries of all entities, in the order of the model.
    let entities: [EntitySummary]
    /// The counts of the join rows of all many-to-many relationships, in the order of the model.
    let joins: [JoinSummary]

    /// Creates a report of all entities of a store's model from one snapshot.
    ///
    /// The initializer blocks until the report is complete, which takes about as long as reading all rows twice. Any
    /// thread may call it. The snapshot is open meanwhile, so that the log of a SQLite store may grow if other
    /// processes write.
    ///
    /// An entity without rows has a section without figures. An attribute with only nulls has a sentence instead of a
    /// figure.
    ///
    /// - Parameters:
    ///   - store: The store. Other contexts and processes can write to it meanwhile; the report does not contain their
    ///     changes.
    ///   - options: The title and the amount of data to show.
    /// - Throws: `PersistenceError` if the store cannot be read or was closed, or `CancellationError` if the options
    ///   request cancellation.
    /// - Complexity: O(*n*) in the count of values and join rows.
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
    ///
    /// The page contains values of the store: texts, labels of rows, and extreme values. Treat it with the same
    /// confidentiality as the store. Text of the store is escaped, so that it cannot add elements to the page.
    public var page: String { ReportPage(title: title, model: model, entities: entities, joins: joins).html }
}
