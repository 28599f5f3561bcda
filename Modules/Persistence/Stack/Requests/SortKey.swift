public import Foundation
import StrataCore

/// One sort key: a property, of the records themselves or of what a to-one relationship leads to, or a value; and a direction.
public struct SortKey<Record: ManagedRecord>: Sendable {
    /// The direction: forward has null first, reverse has it last.
    public let order: SortOrder
    private let key: @Sendable (RecordEntity<Record>) throws -> StoreRequest.Sort.Criterion

    /// Sorts by a property.
    public init(_ path: any PartialKeyPath<Record> & Sendable, order: SortOrder = .forward) {
        self.order = order
        key = { .property(try Self.column(at: path, of: $0)) }
    }

    /// Sorts by a property of what a reference leads to; a reference that leads nowhere sorts as null.
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

    /// Sorts by a path in text, across any number of to-one relationships: `boss.company.name`.
    public init(_ path: String, order: SortOrder = .forward) {
        self.order = order
        key = { _ in .property(path) }
    }

    /// Sorts by a value that is found for each record, as `.function(.length, .property("name"))`.
    public init(_ value: FetchOperand, order: SortOrder = .forward) {
        self.order = order
        key = { _ in .value(value) }
    }

    /// The same as a store understands it.
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
                "the sort key \((path as AnyKeyPath).text) is no attribute, to-one relationship or identifier",
                entity: entity.name)
        }
        return column
    }

    func lowered(of entity: RecordEntity<Record>) throws -> StoreRequest.Sort {
        StoreRequest.Sort(key: try key(entity), descending: order == .reverse)
    }
}
