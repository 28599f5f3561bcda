public import Foundation
import StrataCore

/// A sort key of a request, with its direction.
///
/// Records are sorted by one of their properties, by a property of an object that a to-one relationship references, or
/// by a calculated value.
///
/// Texts are sorted by their UTF-8 bytes, so that `Z` precedes `a`. To ignore case, sort by `.function(.lowercased,
/// .property("name"))`. For texts with a format that has an order, such as years, see <doc:ComparisonRules>.
///
/// ## Topics
///
/// - ``init(_:_:order:)``
/// - ``keys(_:_:now:)``
/// - ``order``
public struct SortKey<Record: ManagedRecord>: Sendable {
    /// The direction: `.forward` sorts null before all other values, and `.reverse` sorts it after them.
    public let order: SortOrder
    private let key: @Sendable (RecordEntity<Record>) throws -> StoreRequest.Sort.Criterion

    /// Creates a sort key from a property of the records.
    public init(_ path: any PartialKeyPath<Record> & Sendable, order: SortOrder = .forward) {
        self.order = order
        key = { .property(try Self.column(at: path, of: $0)) }
    }

    /// Creates a sort key from a property of a referenced object; if the reference is null, the sort value is null.
    ///
    /// - Parameters:
    ///   - reference: The to-one relationship of the record.
    ///   - path: The property of the referenced object.
    ///   - order: The direction.
    public init<Destination: PersistentRecord>(
        _ reference: any KeyPath<Record, Destination.ID?> & Sendable,
        _ path: any PartialKeyPath<Destination> & Sendable, order: SortOrder = .forward
    ) {
        self.order = order
        key = { entity in
            let column = try SortKey<Destination>.column(at: path, of: Destination.entity)
            return .property("\(try Self.column(at: reference, of: entity)).\(column)")
        }
    }

    /// Creates a sort key from a property path in text form, across any number of to-one relationships:
    /// `boss.company.name`.
    public init(_ path: String, order: SortOrder = .forward) {
        self.order = order
        key = { _ in .property(path) }
    }

    /// Creates a sort key from a value that is calculated for each record.
    ///
    /// For example, `.function(.length, .property("name"))` sorts by the length of a name.
    public init(_ value: FetchOperand, order: SortOrder = .forward) {
        self.order = order
        key = { _ in .value(value) }
    }

    /// Creates a sort key from a sort criterion of a store request.
    init(_ sort: StoreRequest.Sort) {
        order = sort.isDescending ? .reverse : .forward
        key = { _ in sort.key }
    }

    private static func column(
        at path: any PartialKeyPath<Record> & Sendable, of entity: RecordEntity<Record>
    ) throws -> String {
        guard let column = entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest,
                "the sort key \((path as AnyKeyPath).text) is not an attribute, to-one relationship or identifier",
                entity: entity.name)
        }
        return column
    }

    func lowered(of entity: RecordEntity<Record>) throws -> StoreRequest.Sort {
        StoreRequest.Sort(key: try key(entity), descending: order == .reverse)
    }
}
