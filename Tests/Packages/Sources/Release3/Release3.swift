package import Foundation
package import StrataPersistence

/// The third release: names are split into two parts by code, and orders become invoices.
package enum Release3 {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Customer.self, Invoice.self])
    }

    /// Returns the description of the store with migrations from both earlier releases, whose models are stored in
    /// files.
    package static func description(
        _ url: URL, first: ManagedObjectModel, second: ManagedObjectModel
    ) throws -> PersistentStoreDescription {
        var description = PersistentStoreDescription.sqlite(at: url)
        description.migrationPlan = try MigrationPlan(
            [ModelVersion("1", first), ModelVersion("2", second), ModelVersion("3", try model())],
            stages: [
                .inferred(from: "1", to: "2", drops: .named(["Customer.fax"])),
                .custom(
                    from: "2", to: "3",
                    [
                        EntityTransform("Customer") { old, new, _ in
                            let names = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1)
                            try new.set("firstName", to: String(names.first ?? ""))
                            try new.set("lastName", to: String(names.dropFirst().first ?? ""))
                            return .keep
                        }
                    ]),
            ])
        return description
    }

    package struct Customer: PersistentRecord {
        package let id: RecordID<Customer>
        package var firstName: String
        package var lastName: String
        package var email: String
        package var phone: String?

        package static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("firstName", \.firstName), .attribute("lastName", \.lastName),
                .attribute("email", \.email, isUnique: true).renamed(from: "mail"),
                .attribute("phone", \.phone),
                .toMany("invoices", to: "Invoice", inverse: "customer", deleteRule: .deny).renamed(from: "orders"),
            ]
        ) { row in
            Customer(
                id: try row.id(), firstName: try row.next(), lastName: try row.next(), email: try row.next(),
                phone: try row.next())
        }
    }

    package struct Invoice: PersistentRecord {
        package let id: RecordID<Invoice>
        package var number: Int
        package var total: Decimal
        package var customer: RecordID<Customer>?
        package var isPaid: Bool

        package static let entity = RecordEntity<Invoice>(
            "Invoice", id: \.id,
            [
                .attribute("number", \.number, isUnique: true), .attribute("total", \.total, scale: 4),
                .toOne("customer", \.customer, to: "Customer", inverse: "invoices"),
                .attribute("isPaid", \.isPaid, default: .constant(.boolean(false)), isIndexed: true),
            ], renamedFrom: ["Order"]
        ) { row in
            Invoice(
                id: try row.id(), number: try row.next(), total: try row.next(), customer: try row.next(),
                isPaid: try row.next())
        }
    }
}
