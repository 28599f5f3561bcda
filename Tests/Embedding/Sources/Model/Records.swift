public import Domain
public import StrataPersistence

extension InvoiceID: RecordIdentifier {}
extension CustomerID: RecordIdentifier {}

extension Customer: Identifiable, PersistentRecord {
    public static var invoices: ToMany<Customer, Invoice> { ToMany("invoices", to: "Invoice", inverse: "customer") }

    public static let entity = RecordEntity<Customer>(
        "Customer", id: \.id,
        [.attribute("name", \.name, rules: [.minimumLength(1)]), .relationship(invoices)]
    ) { row in
        Customer(id: try row.id(), name: try row[0])
    }
}

extension Invoice: Identifiable, PersistentRecord {
    public static let entity = RecordEntity<Invoice>(
        "Invoice", id: \.id,
        [
            .attribute("number", \.number, isUnique: true),
            .toOne("customer", \.customer, to: "Customer", inverse: "invoices", deleteRule: .nullify),
        ]
    ) { row in
        Invoice(id: try row.id(), number: try row[0], customer: try row[1])
    }
}

/// This service's model.
public func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(records: [Customer.self, Invoice.self])
}
