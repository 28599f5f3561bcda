import Foundation

extension StoredValue: Hashable {
    /// Returns a Boolean value that indicates whether two values are equal by the comparison rules.
    ///
    /// Text is compared by its UTF-8 bytes, and numbers and dates by value. Null is equal to null.
    public static func == (lhs: StoredValue, rhs: StoredValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let left), .string(let right)): left.hasSameUTF8(as: right)
        case (.integer(let left), .integer(let right)): left == right
        default: lhs.compare(rhs) == .equal
        }
    }

    /// Hashes the parts that equality compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .integer(let value): IntegerCoding.hash(value, into: &hasher)
        default:
            if let coding { coding.hash(self, into: &hasher) } else { hasher.combine(0) }
        }
    }
}

/// The order of two stored values.
package enum Order: Sendable {
    case before, equal, after

    package init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .before : (left == right ? .equal : .after)
    }

    var reversed: Order {
        switch self {
        case .before: .after
        case .equal: .equal
        case .after: .before
        }
    }
}

extension StoredValue: Comparable {
    /// Returns a Boolean value that indicates whether the first value is before the second in ascending order.
    ///
    /// Null is before every other value.
    public static func < (lhs: StoredValue, rhs: StoredValue) -> Bool {
        lhs.compare(rhs) == .before
    }

    /// Returns the order of two values.
    ///
    /// This is the only definition of order. Sorting, conditions in memory, uniqueness and change detection use it.
    /// Values of kinds that cannot be compared (a date and a text, a double and a decimal) are different and have an
    /// arbitrary but fixed order. Requests never compare such values.
    package func compare(_ other: StoredValue) -> Order {
        switch (self, other) {
        case (.null, .null): .equal
        case (.null, _): .before
        case (_, .null): .after
        case (.string(let left), .string(let right)): left.compareUTF8(to: right)
        case (.integer(let left), .integer(let right)): Order(left, right)
        case (.double(let left), .double(let right)): Order(left, right)
        case (.integer(let left), .double(let right)): Order.exact(left, right)
        case (.double(let left), .integer(let right)): Order.exact(right, left).reversed
        case (.decimal(let left), .decimal(let right)): Order(left, right)
        case (.decimal(let left), .integer(let right)): Order(left, ScaledDecimal(unscaled: right, scale: 0))
        case (.integer(let left), .decimal(let right)): Order(ScaledDecimal(unscaled: left, scale: 0), right)
        case (.date(let left), .date(let right)): Order(left, right)
        default: compareByCoding(other)
        }
    }

    /// Returns the order of two values that are not numbers of different kinds.
    private func compareByCoding(_ other: StoredValue) -> Order {
        guard let left = coding, let right = other.coding else { return .equal }
        return left.rank == right.rank ? left.compare(self, other) : Order(left.rank, right.rank)
    }
}

extension Order {
    /// Returns the order of an integer and a double without losing a digit of either.
    static func exact(_ integer: Int64, _ double: Double) -> Order {
        if double >= 0x1p63 { return .before }
        if double < -0x1p63 { return .after }
        let whole = Int64(double.rounded(.towardZero))
        if integer != whole { return Order(integer, whole) }
        let fraction = double - double.rounded(.towardZero)
        return Order(0, fraction)
    }

    static func bytes(_ left: Data, _ right: Data) -> Order {
        if left == right { return .equal }
        return left.lexicographicallyPrecedes(right) ? .before : .after
    }

    static func bytes(_ left: UUID, _ right: UUID) -> Order {
        withUnsafeBytes(of: left.uuid) { left in
            withUnsafeBytes(of: right.uuid) { right in
                if left.elementsEqual(right) { return .equal }
                return left.lexicographicallyPrecedes(right) ? .before : .after
            }
        }
    }
}

extension String {
    /// Returns a Boolean value that indicates whether two texts have equal UTF-8 bytes.
    ///
    /// Swift's `==` considers the composed and the decomposed "é" equal.
    func hasSameUTF8(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    func compareUTF8(to other: String) -> Order {
        var left = utf8.makeIterator()
        var right = other.utf8.makeIterator()
        while true {
            switch (left.next(), right.next()) {
            case (nil, nil): return .equal
            case (nil, _): return .before
            case (_, nil): return .after
            case (let left?, let right?):
                if left != right { return left < right ? .before : .after }
            }
        }
    }

    /// Returns the text with the letters A to Z in lower case and all other characters unchanged.
    package func foldingASCIICase() -> String {
        guard utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return self }
        return String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether this text contains another text's bytes.
    ///
    /// The result is `true` for the empty text.
    package func containsUTF8(_ other: String) -> Bool {
        let needle = Array(other.utf8)
        let hay = Array(utf8)
        guard let first = needle.first else { return true }
        guard hay.count >= needle.count else { return false }
        for start in 0...(hay.count - needle.count)
        where hay[start] == first && hay[start..<(start + needle.count)].elementsEqual(needle) {
            return true
        }
        return false
    }
}
