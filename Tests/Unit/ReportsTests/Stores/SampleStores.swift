import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataReports
import StrataStoreKit
import StrataTesting

/// An entity with every kind of column, and an entity that is related by references and by join rows.
enum SampleModel {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Thing",
                [
                    .attribute(AttributeDescription("whole", .integer64, isOptional: true)),
                    .attribute(AttributeDescription("price", .decimal(scale: 2), isOptional: true)),
                    .attribute(AttributeDescription("real", .double, isOptional: true)),
                    .attribute(AttributeDescription("flag", .boolean, isOptional: true)),
                    .attribute(AttributeDescription("day", .date, isOptional: true)),
                    .attribute(AttributeDescription("paint", .string, isOptional: true)),
                    .attribute(AttributeDescription("name", .string, isOptional: true)),
                    .attribute(AttributeDescription("key", .uuid, isOptional: true)),
                    .attribute(AttributeDescription("bytes", .binary, isOptional: true)),
                    .relationship(RelationshipDescription("owner", to: "Owner", .toOne, inverse: "things")),
                    .relationship(RelationshipDescription("tags", to: "Owner", .toMany, inverse: "tagged")),
                ]),
            EntityDescription(
                "Owner",
                [
                    .attribute(AttributeDescription("title", .string, isOptional: true)),
                    .relationship(RelationshipDescription("things", to: "Thing", .toMany, inverse: "owner")),
                    .relationship(RelationshipDescription("tagged", to: "Thing", .toMany, inverse: "tags")),
                ]),
        ])
    }

    /// The positions of the columns of `Thing`.
    enum Column: Int, CaseIterable {
        case whole, price, real, flag, day, paint, name, key, bytes, owner
    }
}

/// A store with things and owners.
struct SampleStore {
    private let stack: TestStack

    var store: any PersistentStore { stack.container.coordinator.store }

    init(_ kind: StoreKind, owners: [String?] = [], things: [[SampleModel.Column: StoredValue]] = []) throws {
        stack = try kind.stack(try SampleModel.model())
        try insert("Owner", owners.map { [$0.map(StoredValue.string) ?? .null] })
        try insert("Thing", things.map { thing in SampleModel.Column.allCases.map { thing[$0] ?? .null } })
    }

    /// Creates the store's report.
    ///
    /// The store remains in memory until the report is complete.
    func report(_ options: ReportOptions = ReportOptions()) throws -> StoreReport {
        try withExtendedLifetime(self) { try StoreReport(reading: store, options) }
    }

    private func insert(_ entity: String, _ rows: [[StoredValue]]) throws {
        try store.insertRows(of: entity) { inserter in
            for (index, values) in rows.enumerated() {
                try inserter.insert(id: nil, values: values, location: RowLocation(line: index + 1, record: index + 1))
            }
        }
    }
}
