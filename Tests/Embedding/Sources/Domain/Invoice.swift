/// A bill of this service.
public struct Invoice: Sendable, Hashable {
    public let id: InvoiceID
    public var number: String
    public var customer: CustomerID?

    public init(id: InvoiceID, number: String, customer: CustomerID?) {
        self.id = id
        self.number = number
        self.customer = customer
    }
}

/// Who pays it.
public struct Customer: Sendable, Hashable {
    public let id: CustomerID
    public var name: String

    public init(id: CustomerID, name: String) {
        self.id = id
        self.name = name
    }
}

public struct InvoiceID: RawRepresentable, Sendable, Hashable, Codable, Comparable {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public struct CustomerID: RawRepresentable, Sendable, Hashable, Codable, Comparable {
    public let rawValue: Int64

    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
