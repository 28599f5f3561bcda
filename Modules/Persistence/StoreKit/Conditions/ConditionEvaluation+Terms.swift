public import StrataCore

/// The preparation of a condition's operands for evaluation in memory.
extension ConditionEvaluation {
    /// Prepares an operand for evaluation, without converting its values to another kind.
    package func term(_ operand: ResolvedOperand) throws -> Term { try term(operand, as: operand.type.kind) }

    /// Prepares an operand for evaluation, with its values converted to a kind.
    ///
    /// A decimal is converted to a scale that is known before any row is read, as in SQL. Every store therefore detects
    /// the same overflows.
    func term(_ operand: ResolvedOperand, as kind: OperandType.Kind) throws -> Term {
        let found = operand.type.kind
        guard case .decimal(let scale) = kind, found.scale < scale, found != .null else {
            return try plain(operand, as: kind)
        }
        let term = try plain(operand, as: found)
        return { try term($0).scaledUp(to: scale) }
    }

    private func plain(_ operand: ResolvedOperand, as kind: OperandType.Kind) throws -> Term {
        switch operand.form {
        case .identifier: return { $0(-1) }
        case .column(let index): return { $0(index) }
        case .constant(let value): return { _ in value }
        case .arithmetic(let left, let operation, let right):
            let keepsScales = operation == .multiply
            let left = keepsScales ? try term(left) : try term(left, as: kind)
            let right = keepsScales ? try term(right) : try term(right, as: kind)
            return { try operation.apply(try left($0), try right($0)) }
        case .negated(let operand):
            let operand = try term(operand)
            return { try operand($0).negated() }
        case .function(let function, let operand):
            let operand = try term(operand)
            return { try function.apply(try operand($0)) }
        case .coalesce(let left, let right):
            let (left, right) = (try term(left, as: kind), try term(right, as: kind))
            return { values in
                let value = try left(values)
                return value.isNull ? try right(values) : value
            }
        case .conditional(let condition, let left, let right):
            let test = try test(condition)
            let (left, right) = (try term(left, as: kind), try term(right, as: kind))
            return { try test($0) ? try left($0) : try right($0) }
        case .truth(let condition):
            let test = try test(condition)
            return { .boolean(try test($0)) }
        case .relatedCount(let relationship, let condition):
            let counts = try RelatedCounts(relationship, condition, self)
            return { .integer(Int64(try counts.count($0))) }
        case .related(let relationship, let operand):
            let related = try RelatedValues(relationship, operand, kind: kind, self)
            return { try related.value($0) }
        case .relatedAggregate(let relationship, let aggregate, let condition):
            let related = try RelatedAggregates(relationship, aggregate, condition, self)
            return { try related.value($0) }
        }
    }
}

extension StoredValue {
    /// Returns the number with the opposite sign, or null if this value is null.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if the number is the least 64-bit
    ///   integer, whose opposite does not fit in 64 bits.
    public func negated() throws -> StoredValue {
        switch self {
        case .double(let value): .double(0 - value)
        default: try FetchArithmetic.subtract.apply(.integer(0), self)
        }
    }

    /// Returns a whole number or decimal as a decimal of a larger scale, and any other value unchanged.
    ///
    /// If an operand chooses between two decimals, as ``ResolvedOperand/Form/coalesce(_:_:)`` does, both decimals are
    /// first converted to the scale of the operand's kind.
    ///
    /// - Parameter scale: The count of digits after the decimal point.
    /// - Returns: The decimal; the unchanged value if it is neither a whole number nor a decimal.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` if the decimal does not fit in 64
    ///   bits.
    public func scaledUp(to scale: UInt8) throws -> StoredValue {
        let number: ScaledDecimal
        switch self {
        case .integer(let value): number = ScaledDecimal(unscaled: value, scale: 0)
        case .decimal(let value): number = value
        default: return self
        }
        guard let result = number.rescaled(to: scale) else { throw FetchArithmetic.overflow }
        return .decimal(result)
    }
}
