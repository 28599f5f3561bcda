import StrataCore

extension SQLiteTranslator {
    /// A comparison, with both sides brought to one kind.
    mutating func compare(_ left: FetchOperand, _ comparison: FetchComparison, _ right: FetchOperand) throws -> Truth {
        let (leftType, rightType) = (try typing.type(of: left), try typing.type(of: right))
        if case .decimal(let scale) = leftType.kind, case .constant(let value) = right {
            if let truth = try compareFine(left, leftType: leftType, comparison: comparison, value: value, scale: scale)
            {
                return truth
            }
            return try compareSame(
                left, leftType: leftType, comparison: comparison, right: .constant(value), rightType: rightType,
                kind: leftType.kind)
        }
        if case .decimal = rightType.kind, case .constant = left {
            return try compare(right, comparison.mirrored, left)
        }
        let kind = leftType.kind.common(with: rightType.kind) ?? leftType.kind
        if case .decimal = kind, leftType.kind != kind || rightType.kind != kind, leftType.kind != .null,
            rightType.kind != .null
        {
            return try compareDecimals(
                left, leftType: leftType, comparison: comparison, right: right, rightType: rightType)
        }
        return try compareSame(
            left, leftType: leftType, comparison: comparison, right: right, rightType: rightType, kind: kind)
    }

    private mutating func compareSame(
        _ left: FetchOperand, leftType: OperandType, comparison: FetchComparison, right: FetchOperand,
        rightType: OperandType,
        kind: OperandType.Kind
    ) throws -> Truth {
        let leftText = try sql(left, as: kind)
        let rightText = try sql(right, as: kind)
        let isNullable = leftType.isNullable || rightType.isNullable
        let sign =
            switch comparison {
            case .equal: isNullable ? "IS" : "="
            case .notEqual: isNullable ? "IS NOT" : "<>"
            case .less: "<"
            case .lessOrEqual: "<="
            case .greater: ">"
            case .greaterOrEqual: ">="
            }
        return Truth(text: "\(leftText) \(sign) \(rightText)", mayBeNull: isNullable && !comparison.isEquality)
    }

    /// A decimal column against a constant with more digits than the column has: the constant lies between two of its values.
    private mutating func compareFine(
        _ left: FetchOperand, leftType: OperandType, comparison: FetchComparison, value: StoredValue, scale: UInt8
    ) throws -> Truth? {
        let fine: ScaledDecimal
        switch value {
        case .decimal(let number): fine = number
        case .integer(let number): fine = ScaledDecimal(unscaled: number, scale: 0)
        default: return nil
        }
        guard fine.rescaled(to: scale) == nil else { return nil }
        switch comparison {
        case .equal: return try always(false, evaluating: left, leftType)
        case .notEqual: return try always(true, evaluating: left, leftType)
        default: break
        }
        guard fine.scale > scale else {
            // Fewer digits, and still it does not fit: it lies beyond every value of the column.
            let constant = StoredValue.decimal(fine)
            let type = OperandType(kind: .init(constant), isNullable: false)
            return try compareDecimals(
                left, leftType: leftType, comparison: comparison, right: .constant(constant), rightType: type)
        }
        let floor = StoredValue.decimal(fine.floored(to: scale))
        let coarse: FetchComparison = comparison == .less || comparison == .lessOrEqual ? .lessOrEqual : .greater
        let floorType = OperandType(kind: .init(floor), isNullable: false)
        return try compareSame(
            left, leftType: leftType, comparison: coarse, right: .constant(floor), rightType: floorType,
            kind: leftType.kind)
    }

    private mutating func compareDecimals(
        _ left: FetchOperand, leftType: OperandType, comparison: FetchComparison, right: FetchOperand,
        rightType: OperandType
    ) throws -> Truth {
        let leftText = try sql(left, as: leftType.kind)
        let rightText = try sql(right, as: rightType.kind)
        let call =
            "\(SQLiteFunctions.compareName)(\(leftText), \(leftType.kind.scale), \(rightText), \(rightType.kind.scale))"
        guard leftType.isNullable || rightType.isNullable, comparison.isEquality else {
            return Truth(text: "\(call) \(comparison.sign) 0", mayBeNull: leftType.isNullable || rightType.isNullable)
        }
        // The function gives null where either side is null; they are the same value only where both are.
        let (leftAgain, rightAgain) = (try sql(left, as: leftType.kind), try sql(right, as: rightType.kind))
        let same = "coalesce(\(call) = 0, \(leftAgain) IS \(rightAgain))"
        return Truth(text: comparison == .equal ? same : "NOT \(same)")
    }

    /// An operand's text, brought to a kind: a decimal to its scale, a whole number to a decimal where one is asked for.
    mutating func sql(_ operand: FetchOperand, as kind: OperandType.Kind) throws -> String {
        let found = try typing.type(of: operand).kind
        if case .constant(let value) = operand, found == kind || value.brought(to: kind) != nil {
            return value.isNull ? "NULL" : bind(value.brought(to: kind) ?? value)
        }
        if case .decimal(let scale) = kind, found.scale < scale, found != .null {
            let text = try sql(operand, as: found)
            let factor = bind(.integer(PowersOfTen.power(ofScale: scale - found.scale)))
            return "\(SQLiteFunctions.name(.multiply))(\(text), \(factor))"
        }
        return try plain(operand, as: kind)
    }

    private mutating func plain(_ operand: FetchOperand, as kind: OperandType.Kind) throws -> String {
        switch operand {
        case .property(let name): return column(name)
        case .constant(let value): return bind(value)
        case .arithmetic(let left, let operation, let right):
            let (leftKind, rightKind) = try sides(left, operation: operation, right: right, as: kind)
            let (leftText, rightText) = (try sql(left, as: leftKind), try sql(right, as: rightKind))
            return "\(SQLiteFunctions.name(operation))(\(leftText), \(rightText))"
        case .negated(let operand):
            return "\(SQLiteFunctions.name(.subtract))(0, \(try sql(operand, as: kind)))"
        case .coalesce(let left, let right):
            let (leftText, rightText) = (try sql(left, as: kind), try sql(right, as: kind))
            return "coalesce(\(leftText), \(rightText))"
        case .conditional(let condition, let left, let right):
            let test = try sql(condition).text
            let (leftText, rightText) = (try sql(left, as: kind), try sql(right, as: kind))
            return "CASE WHEN \(test) THEN \(leftText) ELSE \(rightText) END"
        case .truth(let condition): return "(\(try sql(condition).certain))"
        case .relatedCount(let name, let condition): return try relatedCount(name, condition)
        case .related(let name, let operand): return try related(name, operand, as: kind)
        }
    }

    private func sides(_ left: FetchOperand, operation: FetchArithmetic, right: FetchOperand, as kind: OperandType.Kind)
        throws
        -> (
            OperandType.Kind, OperandType.Kind
        )
    {
        // A product's scale is the sum of its factors' scales, so each keeps its own; everything else is brought to one kind.
        guard operation == .multiply, case .decimal = kind else { return (kind, kind) }
        return (try typing.type(of: left).kind, try typing.type(of: right).kind)
    }
}

extension StoredValue {
    /// The value as a column of that kind holds it; `nil` when it cannot exactly.
    func brought(to kind: OperandType.Kind) -> StoredValue? {
        switch (kind, self) {
        case (.decimal(let scale), .decimal(let value)): value.rescaled(to: scale).map(StoredValue.decimal)
        case (.decimal(let scale), .integer(let value)):
            ScaledDecimal(unscaled: value, scale: 0).rescaled(to: scale).map(StoredValue.decimal)
        case (.integer, .decimal(let value)): value.rescaled(to: 0).map { .integer($0.unscaled) }
        default: self
        }
    }
}

extension FetchComparison {
    var sign: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension String {
    /// The first text after all that start with this one; `nil` when there is none.
    var endOfPrefixRange: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The surrogates are no scalars: after U+D7FF comes U+E000.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars)
                text.unicodeScalars.append(scalar)
                return text
            }
        }
        return nil
    }
}
