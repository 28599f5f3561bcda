package import Foundation
package import StrataPersistence

/// The second release: an attribute is renamed, one is added, one is removed, a rule is tighter, and totals have more
/// digits.
package enum Release2 {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Customer.self, Order.self])
    }

    /// Returns the description of the store with the values that the migration may drop.
    package static func description(_ url: URL) -> PersistentStoreDescription {
        var description = PersistentStoreDescription.sqlite(at: url)
        description.migration.drops = .named(["Customer.fax"])
        return description
    }

    package struct Customer: PersistentRecord {
        package let id: RecordID<Customer>
        package var name: String
        package var email: String
        package var phone: String?

        package static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name, rules: [.minimumLength(1), .maximumLength(80)]),
                .attribute("email", \.email, isUnique: true).renamed(from: "mail"),
                .attribute("phone", \.phone),
                .toMany("orders", to: "Order", inverse: "customer", deleteRule: .deny),
            ]
        ) { row in
            Customer(id: try row.id(), name: try row.next(), email: try row.next(), phone: try row.next())
        }
    }

    package struct Order: PersistentRecord {
        package let id: RecordID<Order>
        package var number: Int
        package var total: Decimal
        package var customer: RecordID<Customer>?
        package var isPaid: Bool

        package init(
            id: RecordID<Order>, number: Int, total: Decimal, customer: RecordID<Customer>?, isPaid: Bool
        ) {
            (self.id, self.number, self.total, self.customer, self.isPaid) = (id, number, total, customer, isPaid)
        }

        package static let entity = RecordEntity<Order>(
            "Order", id: \.id,
            [
                .attribute("number", \.number, isUnique: true), .attribute("total", \.total, scale: 4),
                .toOne("customer", \.customer, to: "Customer", inverse: "orders"),
                .attribute("isPaid", \.isPaid, default: .constant(.boolean(false)), isIndexed: true),
            ]
        ) { row in
            Order(
                id: try row.id(), number: try row.next(), total: try row.next(), customer: try row.next(),
                isPaid: try row.next())
        }
    }
}
