package import Foundation
package import StrataPersistence

/// The first release of a service: customers and their orders.
package enum Release1 {
    package static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Customer.self, Order.self])
    }

    package struct Customer: PersistentRecord {
        package let id: RecordID<Customer>
        package var name: String
        package var mail: String
        package var fax: String?

        package static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name), .attribute("mail", \.mail, isUnique: true), .attribute("fax", \.fax),
                .toMany("orders", to: "Order", inverse: "customer", deleteRule: .cascade),
            ]
        ) { row in
            Customer(id: try row.id(), name: try row.next(), mail: try row.next(), fax: try row.next())
        }
    }

    package struct Order: PersistentRecord {
        package let id: RecordID<Order>
        package var number: Int
        package var total: Decimal
        package var customer: RecordID<Customer>?

        package static let entity = RecordEntity<Order>(
            "Order", id: \.id,
            [
                .attribute("number", \.number, isUnique: true), .attribute("total", \.total, scale: 2),
                .toOne("customer", \.customer, to: "Customer", inverse: "orders"),
            ]
        ) { row in
            Order(id: try row.id(), number: try row.next(), total: try row.next(), customer: try row.next())
        }
    }

    /// Inserts the data that the service has before its second release.
    package static func fill(_ context: ManagedObjectContext) throws {
        try context.performTransactionAndWait { context in
            let ada = try context.insert(Customer.self) {
                Customer(id: $0, name: "Ada Lovelace", mail: "ada@example.com", fax: nil)
            }
            let grace = try context.insert(Customer.self) {
                Customer(id: $0, name: "Grace Hopper", mail: "grace@example.com", fax: "+1 555")
            }
            for (number, customer) in [(1, ada), (2, grace), (3, grace)] {
                _ = try context.insert(Order.self) {
                    Order(id: $0, number: number, total: Decimal(number) / 4, customer: customer.id)
                }
            }
        }
    }
}
