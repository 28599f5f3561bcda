/// A bill of this service.
package struct Invoice: Sendable, Hashable {
    package let id: InvoiceID
    package var number: String
    package var customer: CustomerID?

    package init(id: InvoiceID, number: String, customer: CustomerID?) {
        self.id = id
        self.number = number
        self.customer = customer
    }
}

/// The payer of an invoice.
package struct Customer: Sendable, Hashable {
    package let id: CustomerID
    package var name: String

    package init(id: CustomerID, name: String) {
        self.id = id
        self.name = name
    }
}

package struct InvoiceID: RawRepresentable, Sendable, Hashable, Codable, Comparable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

package struct CustomerID: RawRepresentable, Sendable, Hashable, Codable, Comparable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
