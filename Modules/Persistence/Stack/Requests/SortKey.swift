public import Foundation
import StrataCore

/// A sort key with a direction.
///
/// The key is a property of the records, a property of an object of a to-one relationship, or a value.
public struct SortKey<Record: ManagedRecord>: Sendable {
    /// The direction: `.forward` sorts null first, and `.reverse` sorts it last.
    public let order: SortOrder
    private let key: @Sendable (RecordEntity<Record>) throws -> StoreRequest.Sort.Criterion

    /// Creates a sort key from a property.
    public init(_ path: any PartialKeyPath<Record> & Sendable, order: SortOrder = .forward) {
        self.order = order
        key = { .property(try Self.column(at: path, of: $0)) }
    }

    /// Creates a sort key from a property of a referenced object; a null reference sorts as null.
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

    /// Creates a sort key from a path in text, across any number of to-one relationships: `boss.company.name`.
    public init(_ path: String, order: SortOrder = .forward) {
        self.order = order
        key = { _ in .property(path) }
    }

    /// Creates a sort key from a value that is calculated for each record.
    ///
    /// For example, the value is `.function(.length, .property("name"))`.
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
