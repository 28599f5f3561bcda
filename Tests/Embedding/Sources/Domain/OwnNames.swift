// Words that every service has a type for. Strata has none of that name, so that a file which imports both needs no qualification.

public struct Entity: Sendable, Hashable {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }
}

public struct Property: Sendable, Hashable {
    public let address: String

    public init(address: String) {
        self.address = address
    }
}

public struct Link: Sendable, Hashable {
    public let target: String

    public init(to target: String) {
        self.target = target
    }
}

public enum Condition: Sendable, Hashable { case new, used }
public enum Comparison: Sendable, Hashable { case cheaper, dearer }
public enum Operand: Sendable, Hashable { case left, right }
public enum Arithmetic: Sendable, Hashable { case exact, rounded }
public enum Filter: Sendable, Hashable { case all, unpaid }
public enum Place: Sendable, Hashable { case shop, web }
