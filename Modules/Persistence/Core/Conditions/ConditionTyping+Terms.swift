/// Operands made ready for evaluation in memory.
extension ConditionTyping {
    package typealias Term = ConditionEvaluator.Term

    /// An operand of its own kind.
    package func term(_ operand: FetchOperand) throws -> Term {
        try term(operand, as: type(of: operand).kind)
    }

    /// An operand brought to a kind.
    ///
    /// Decimals are brought to the scale that is known before any row is read, as SQL does it, so that every store finds the same overflow.
    func term(_ operand: FetchOperand, as kind: OperandType.Kind) throws -> Term {
        let found = try type(of: operand).kind
        guard case .decimal(let scale) = kind, found.scale < scale, found != .null else {
            return try plain(operand, as: kind)
        }
        let term = try plain(operand, as: found)
        return { try term($0).scaledUp(to: scale) }
    }

    private func plain(_ operand: FetchOperand, as kind: OperandType.Kind) throws -> Term {
        switch operand {
        case .property(let name):
            let index = entity.columnIndex(name) ?? -1
            return { $0(index) }
        case .constant(let value): return { _ in value }
        case .arithmetic(let left, let operation, let right):
            let keepsScales = operation == .multiply
            let left = keepsScales ? try term(left) : try term(left, as: kind)
            let right = keepsScales ? try term(right) : try term(right, as: kind)
            return { try operation.apply(try left($0), try right($0)) }
        case .negated(let operand):
            let operand = try term(operand)
            return { try operand($0).negated() }
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
        case .relatedCount(let name, let condition):
            let counts = try relatedCounts(name, condition)
            return { .integer(Int64(try counts.count($0))) }
        case .related(let name, let operand):
            let related = try relatedValues(name, operand, as: kind)
            return { try related.value($0) }
        }
    }
}

extension StoredValue {
    /// The number with its sign turned.
    package func negated() throws -> StoredValue {
        switch self {
        case .double(let value): .double(0 - value)
        default: try FetchArithmetic.subtract.apply(.integer(0), self)
        }
    }

    /// A whole number or decimal as a decimal of a larger scale.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/arithmetic`` when it does not fit.
    fileprivate func scaledUp(to scale: UInt8) throws -> StoredValue {
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
