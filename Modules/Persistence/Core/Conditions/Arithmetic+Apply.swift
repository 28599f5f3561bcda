extension FetchArithmetic {
    /// Returns the result of the arithmetic operation on two values.
    ///
    /// Every store that does not delegate the operation to a database uses this definition.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` on overflow or division by zero.
    public func apply(_ left: StoredValue, _ right: StoredValue) throws -> StoredValue {
        switch (left, right) {
        case (.null, _), (_, .null): return .null
        case (.integer(let left), .integer(let right)) where self != .divide:
            return .integer(try whole(left, right))
        case (.decimal(let left), .decimal(let right)): return .decimal(try decimal(left, right))
        case (.decimal(let left), .integer(let right)):
            return .decimal(try decimal(left, ScaledDecimal(unscaled: right, scale: 0)))
        case (.integer(let left), .decimal(let right)):
            return .decimal(try decimal(ScaledDecimal(unscaled: left, scale: 0), right))
        default:
            guard let left = left.asDouble, let right = right.asDouble else {
                throw PersistenceError(.invalidRequest, "cannot \(rawValue) a \(left.kindName) and a \(right.kindName)")
            }
            return .double(try floating(left, right))
        }
    }

    private func whole(_ left: Int64, _ right: Int64) throws -> Int64 {
        let (result, overflow): (Int64, Bool)
        switch self {
        case .add: (result, overflow) = left.addingReportingOverflow(right)
        case .subtract: (result, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (result, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide, .divideWhole:
            guard right != 0 else { throw Self.divisionByZero }
            (result, overflow) = left.dividedReportingOverflow(by: right)
        case .remainder:
            guard right != 0 else { throw Self.divisionByZero }
            // Swift reports Int64.min % -1 as an overflow, although its value, 0, is defined.
            (result, overflow) = right == -1 ? (0, false) : left.remainderReportingOverflow(dividingBy: right)
        }
        guard !overflow else { throw Self.overflow }
        return result
    }

    /// Returns the result of the arithmetic operation on two decimals, calculated with their unscaled integers.
    ///
    /// Unless the operation is a product, both decimals are first converted to a common scale.
    private func decimal(_ left: ScaledDecimal, _ right: ScaledDecimal) throws -> ScaledDecimal {
        guard self == .add || self == .subtract || self == .multiply else {
            throw PersistenceError(.invalidRequest, "decimals can be added, subtracted and multiplied, but not divided")
        }
        let scale = self == .multiply ? left.scale + right.scale : max(left.scale, right.scale)
        guard scale <= ScaledDecimal.maximumScale else { throw Self.overflow }
        if self == .multiply {
            return ScaledDecimal(unscaled: try whole(left.unscaled, right.unscaled), scale: scale)
        }
        guard let left = left.rescaled(to: scale), let right = right.rescaled(to: scale) else { throw Self.overflow }
        return ScaledDecimal(unscaled: try whole(left.unscaled, right.unscaled), scale: scale)
    }

    private func floating(_ left: Double, _ right: Double) throws -> Double {
        let result: Double
        switch self {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide, .divideWhole:
            guard right != 0 else { throw Self.divisionByZero }
            result = left / right
        case .remainder:
            guard right != 0 else { throw Self.divisionByZero }
            result = left.truncatingRemainder(dividingBy: right)
        }
        guard result.isFinite else { throw Self.overflow }
        return result + 0
    }

    package static var overflow: PersistenceError {
        PersistenceError(
            .arithmetic, "a calculation overflows; in a condition, bound the values by a comparison before it")
    }

    package static var divisionByZero: PersistenceError {
        PersistenceError(
            .arithmetic, "a calculation divides by zero; in a condition, test the divisor in a comparison before it")
    }
}

extension StoredValue {
    /// The number as a double; `nil` if the value is neither a double nor a whole number.
    var asDouble: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }
}
