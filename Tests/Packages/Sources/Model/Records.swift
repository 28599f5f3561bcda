package import Domain
package import StrataPersistence

extension InvoiceID: RecordIdentifier {}
extension CustomerID: RecordIdentifier {}

extension Customer: Identifiable, PersistentRecord {
    package static var invoices: ToMany<Customer, Invoice> { ToMany("invoices", to: "Invoice", inverse: "customer") }

    package static let entity = RecordEntity<Customer>(
        "Customer", id: \.id,
        [.attribute("name", \.name, rules: [.minimumLength(1)]), .relationship(invoices)]
    ) { row in
        Customer(id: try row.id(), name: try row.next())
    }
}

extension Invoice: Identifiable, PersistentRecord {
    package static let entity = RecordEntity<Invoice>(
        "Invoice", id: \.id,
        [
            .attribute("number", \.number, isUnique: true),
            .toOne("customer", \.customer, to: "Customer", inverse: "invoices", deleteRule: .nullify),
        ]
    ) { row in
        Invoice(id: try row.id(), number: try row.next(), customer: try row.next())
    }
}

/// Returns this service's model.
package func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(records: [Customer.self, Invoice.self])
}
