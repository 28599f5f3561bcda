public import StrataCore

/// The running value of an aggregate while rows are added one by one, for stores that evaluate aggregates in memory.
public struct AggregateValue: Sendable {
    private enum State {
        case count(Int64)
        case distinct(Set<[StoredValue]>)
        /// The exact sum of whole numbers or of the unscaled numbers of decimals, and their count.
        ///
        /// A sum of 2^63 numbers fits in 128 bits.
        case exact(Int128, count: Int64)
        case double(Double, count: Int64)
        /// The least or greatest value, with the text by which it is compared if it has a format.
        case extreme(StoredValue, key: String?)
    }

    private let aggregate: ResolvedAggregate
    private var state: State

    /// Creates the value of an aggregate of no rows.
    public init(_ aggregate: ResolvedAggregate) {
        self.aggregate = aggregate
        state =
            switch (aggregate.function, aggregate.operands.first?.type.kind) {
            case (.count, _), (.countValues, _): .count(0)
            case (.countDistinct, _): .distinct([])
            case (.minimum, _), (.maximum, _): .extreme(.null, key: nil)
            case (.sum, .double), (.total, .double), (.average, .double): .double(0, count: 0)
            case (.sum, _), (.total, _), (.average, _): .exact(0, count: 0)
            }
    }

    /// Adds a row.
    ///
    /// - Parameter operands: The values of the aggregate's operands for the row.
    /// - Throws: ``PersistenceError`` if a value does not have the kind of its operand.
    public mutating func add(_ operands: ArraySlice<StoredValue>) throws {
        if operands.contains(where: \.isNull) { return }
        switch (state, operands.first) {
        case (.count(let count), _): state = .count(count + 1)
        case (.distinct(var values), _):
            // The set must have one owner only, so that it is not copied.
            state = .count(0)
            values.insert(Array(operands))
            state = .distinct(values)
        case (.exact(let sum, let count), .integer(let number)): state = .exact(sum + Int128(number), count: count + 1)
        case (.exact(let sum, let count), .decimal(let number)):
            guard let number = number.rescaled(to: aggregate.scale ?? 0) else { throw FetchArithmetic.overflow }
            state = .exact(sum + Int128(number.unscaled), count: count + 1)
        case (.double(let sum, let count), .double(let number)): state = .double(sum + number, count: count + 1)
        case (.double(let sum, let count), .integer(let number)):
            state = .double(sum + Double(number), count: count + 1)
        case (.extreme(let best, let bestKey), let value?):
            let key: String? = if case .string(let text) = value { aggregate.format?.orderKey(of: text) } else { nil }
            if best.isNull || replaces(best, bestKey, value, key) { state = .extreme(value, key: key) }
        default: throw PersistenceError(.invalidRequest, "\(operands) cannot be added to an aggregate")
        }
    }

    private func replaces(_ best: StoredValue, _ bestKey: String?, _ value: StoredValue, _ key: String?) -> Bool {
        var order = value.compare(best)
        if let key, let bestKey, key != bestKey {
            order = StoredValue.string(key).compare(.string(bestKey))
        }
        return aggregate.function == .minimum ? order == .before : order == .after
    }

    /// Returns the value of the aggregate of the added rows.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if a number does not fit in 64
    ///   bits, or if a sum of doubles is not finite.
    public func result() throws -> StoredValue {
        switch state {
        case .count(let count): return .integer(count)
        case .distinct(let values): return .integer(Int64(values.count))
        case .extreme(let value, _): return value
        case .exact(_, count: 0), .double(_, count: 0):
            return aggregate.function == .total ? zero : .null
        case .double(let sum, let count):
            let result = aggregate.function == .average ? sum / Double(count) : sum
            guard result.isFinite else { throw FetchArithmetic.overflow }
            // A store has no negative zero.
            return .double(result + 0)
        case .exact(let sum, let count):
            if aggregate.function == .average { return try AggregateValue.average(sum, count, aggregate.scale) }
            guard let number = Int64(exactly: sum) else { throw FetchArithmetic.overflow }
            guard let scale = aggregate.scale else { return .integer(number) }
            return .decimal(ScaledDecimal(unscaled: number, scale: scale))
        }
    }

    private var zero: StoredValue {
        switch aggregate.type.kind {
        case .decimal(let scale): .decimal(ScaledDecimal(unscaled: 0, scale: scale))
        case .double: .double(0)
        default: .integer(0)
        }
    }

    /// Returns the average of numbers by their exact sum and their count.
    ///
    /// - Parameters:
    ///   - sum: The sum of whole numbers, or of the unscaled numbers of decimals.
    ///   - count: The count of numbers, at least 1.
    ///   - scale: The scale of the decimals; `nil` for whole numbers.
    /// - Returns: A double, or for decimals a decimal with more digits, rounded half away from zero.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if a decimal does not fit in 64
    ///   bits.
    package static func average(_ sum: Int128, _ count: Int64, _ scale: UInt8?) throws -> StoredValue {
        guard let scale else { return .double(Double(sum) / Double(count)) }
        let resultScale = ResolvedAggregate.averageScale(scale)
        let (doubled, first) = sum.magnitude.multipliedReportingOverflow(
            by: 2 * UInt128(PowersOfTen.power(ofScale: resultScale - scale)))
        let (rounded, second) = doubled.addingReportingOverflow(UInt128(count))
        let magnitude = rounded / (2 * UInt128(count))
        guard !first, !second, let positive = Int64(exactly: magnitude) else { throw FetchArithmetic.overflow }
        let unscaled = sum < 0 ? -positive : positive
        return .decimal(ScaledDecimal(unscaled: unscaled, scale: resultScale))
    }
}

extension ResolvedAggregate {
    /// The scale of the decimals that are added; `nil` for other numbers.
    fileprivate var scale: UInt8? {
        if case .decimal(let scale)? = operands.first?.type.kind { scale } else { nil }
    }
}
