public import Foundation
import StrataCore

/// One sort key: a property, of the records themselves or of what a to-one relationship leads to, or a value; and a direction.
public struct SortKey<Record: PersistentRecord>: Sendable {
    /// The direction: forward has null first, reverse has it last.
    public let order: SortOrder
    private let key: @Sendable () throws -> StoreRequest.Sort.Criterion

    /// Sorts by a property.
    public init(_ path: any PartialKeyPath<Record> & Sendable, order: SortOrder = .forward) {
        self.order = order
        key = { .property(try Self.column(at: path)) }
    }

    /// Sorts by a property of what a reference leads to; a reference that leads nowhere sorts as null.
    public init<Destination: PersistentRecord>(
        _ reference: any KeyPath<Record, Destination.ID?> & Sendable,
        _ path: any PartialKeyPath<Destination> & Sendable, order: SortOrder = .forward
    ) {
        self.order = order
        key = { .property("\(try Self.column(at: reference)).\(try SortKey<Destination>.column(at: path))") }
    }

    /// Sorts by a path in text, across any number of to-one relationships: `boss.company.name`.
    public init(_ path: String, order: SortOrder = .forward) {
        self.order = order
        key = { .property(path) }
    }

    /// Sorts by a value that is found for each record, as `.function(.length, .property("name"))`.
    public init(_ value: FetchOperand, order: SortOrder = .forward) {
        self.order = order
        key = { .value(value) }
    }

    private static func column(at path: any PartialKeyPath<Record> & Sendable) throws -> String {
        guard let column = Record.entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest,
                "the sort key \((path as AnyKeyPath).text) is no attribute, to-one relationship or identifier",
                entity: Record.entity.name)
        }
        return column
    }

    func lowered() throws -> StoreRequest.Sort {
        StoreRequest.Sort(key: try key(), descending: order == .reverse)
    }
}
