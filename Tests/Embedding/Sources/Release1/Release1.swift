public import Foundation
public import StrataPersistence

/// The first release of a service: customers and their orders.
public enum Release1 {
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Customer.self, Order.self])
    }

    public struct Customer: PersistentRecord {
        public let id: RecordID<Customer>
        public var name: String
        public var mail: String
        public var fax: String?

        public static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name), .attribute("mail", \.mail, isUnique: true), .attribute("fax", \.fax),
                .toMany("orders", to: "Order", inverse: "customer", deleteRule: .cascade),
            ]
        ) { row in
            Customer(id: try row.id(), name: try row.next(), mail: try row.next(), fax: try row.next())
        }
    }

    public struct Order: PersistentRecord {
        public let id: RecordID<Order>
        public var number: Int
        public var total: Decimal
        public var customer: RecordID<Customer>?

        public static let entity = RecordEntity<Order>(
            "Order", id: \.id,
            [
                .attribute("number", \.number, isUnique: true), .attribute("total", \.total, scale: 2),
                .toOne("customer", \.customer, to: "Customer", inverse: "orders"),
            ]
        ) { row in
            Order(id: try row.id(), number: try row.next(), total: try row.next(), customer: try row.next())
        }
    }

    /// What the service had when its second release came.
    public static func fill(_ context: ManagedObjectContext) throws {
        try context.transaction { context in
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
