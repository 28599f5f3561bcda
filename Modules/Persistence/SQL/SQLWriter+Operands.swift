import StrataCore
import StrataStoreKit

/// The methods that write comparisons and operands, with both sides of a comparison converted to one kind of value.
extension SQLWriter {
    /// Returns the comparison of two operands, both of which are converted to one kind of value.
    mutating func compare(
        _ left: ResolvedOperand, _ comparison: FetchComparison, _ right: ResolvedOperand
    ) -> Truth {
        let (leftKind, rightKind) = (left.type.kind, right.type.kind)
        if case .decimal(let scale) = leftKind, let value = right.constant {
            return compareFine(left, comparison: comparison, value: value, scale: scale)
                ?? compareSame(left, comparison, right, as: leftKind)
        }
        if case .decimal = rightKind, left.constant != nil { return compare(right, comparison.mirrored, left) }
        if let truth = compareWithDouble(left, comparison, right) { return truth }
        let kind = leftKind.common(with: rightKind) ?? leftKind
        if case .decimal = kind, leftKind != kind || rightKind != kind, leftKind != .null, rightKind != .null {
            return compareDecimals(left, comparison, right)
        }
        return compareSame(left, comparison, right, as: kind)
    }

    private mutating func compareSame(
        _ left: ResolvedOperand, _ comparison: FetchComparison, _ right: ResolvedOperand, as kind: OperandType.Kind
    ) -> Truth {
        // An engine uses an index for these forms, but not for each form that treats two nulls as equal.
        if right.constant == .null, comparison.isEquality {
            let leftText = sql(left, as: left.type.kind)
            return Truth(text: "\(leftText) IS \(comparison == .equal ? "" : "NOT ")NULL")
        }
        let leftText = sql(left, as: kind)
        let rightText = sql(right, as: kind)
        let isNullable = left.type.isNullable || right.type.isNullable
        switch comparison {
        case .equal where left.type.isNullable && right.type.isNullable:
            return Truth(text: dialect.isSame(leftText, rightText))
        case .notEqual where isNullable: return Truth(text: dialect.isDifferent(leftText, rightText))
        default: return Truth(text: "\(leftText) \(comparison.sign) \(rightText)", mayBeNull: isNullable)
        }
    }

    /// Returns the comparison of a decimal column with a constant that the column cannot store exactly.
    ///
    /// Such a constant is between two values of the column, or outside the range of its values. The method returns
    /// `nil` if the column can store the constant.
    private mutating func compareFine(
        _ left: ResolvedOperand, comparison: FetchComparison, value: StoredValue, scale: UInt8
    ) -> Truth? {
        let fine: ScaledDecimal
        switch value {
        case .decimal(let number): fine = number
        case .integer(let number): fine = ScaledDecimal(unscaled: number, scale: 0)
        default: return nil
        }
        guard fine.rescaled(to: scale) == nil else { return nil }
        switch comparison {
        case .equal: return always(false, evaluating: left)
        case .notEqual: return always(true, evaluating: left)
        default: break
        }
        guard fine.scale > scale else {
            // The constant has no more digits than the column, but it does not fit: it is outside the range of the
            // column's values.
            return compareDecimals(left, comparison, .constant(.decimal(fine)))
        }
        let floor = ResolvedOperand.constant(.decimal(fine.floored(to: scale)))
        let coarse: FetchComparison = comparison == .less || comparison == .lessOrEqual ? .lessOrEqual : .greater
        return compareSame(left, coarse, floor, as: left.type.kind)
    }

    private mutating func compareDecimals(
        _ left: ResolvedOperand, _ comparison: FetchComparison, _ right: ResolvedOperand
    ) -> Truth {
        let (leftScale, rightScale) = (left.type.kind.scale, right.type.kind.scale)
        return compare(left, comparison, right) { dialect, left, right in
            dialect.comparison(of: left, scale: leftScale, with: right, scale: rightScale)
        }
    }

    /// Returns the exact comparison of an integer with a floating-point number if the engine itself would round one of
    /// them.
    ///
    /// The method returns `nil` for operands of other types, and if the engine itself compares them exactly.
    private mutating func compareWithDouble(
        _ left: ResolvedOperand, _ comparison: FetchComparison, _ right: ResolvedOperand
    ) -> Truth? {
        guard dialect.comparison(ofInteger: "", withDouble: "") != nil else { return nil }
        switch (left.type.kind, right.type.kind) {
        case (.integer, .double):
            return compare(left, comparison, right) { dialect, left, right in
                dialect.comparison(ofInteger: left, withDouble: right) ?? ""
            }
        case (.double, .integer):
            return compare(left, comparison, right) { dialect, left, right in
                "-" + (dialect.comparison(ofInteger: right, withDouble: left) ?? "")
            }
        default: return nil
        }
    }

    /// Returns the comparison of two operands by an expression with the result -1, 0 or 1, or null if either operand is
    /// null.
    private mutating func compare(
        _ left: ResolvedOperand, _ comparison: FetchComparison, _ right: ResolvedOperand,
        by order: (any SQLDialect, String, String) -> String
    ) -> Truth {
        let (leftType, rightType) = (left.type, right.type)
        let leftText = sql(left, as: leftType.kind)
        let rightText = sql(right, as: rightType.kind)
        let call = order(dialect, leftText, rightText)
        guard leftType.isNullable || rightType.isNullable, comparison.isEquality else {
            return Truth(text: "\(call) \(comparison.sign) 0", mayBeNull: leftType.isNullable || rightType.isNullable)
        }
        // The expression is null if either side is null. Null equals only null.
        let (leftAgain, rightAgain) = (sql(left, as: leftType.kind), sql(right, as: rightType.kind))
        let same = "coalesce(\(call) = 0, \(dialect.isSame(leftAgain, rightAgain)))"
        return Truth(text: comparison == .equal ? same : "NOT \(same)")
    }

    /// Returns the SQL text of an operand, converted to a kind of value, such as an integer to a decimal of a scale.
    mutating func sql(_ operand: ResolvedOperand, as kind: OperandType.Kind) -> String {
        let found = operand.type.kind
        if let value = operand.constant, found == kind || value.brought(to: kind) != nil {
            return value.isNull ? dialect.null(as: kind) : bind(value.brought(to: kind) ?? value)
        }
        if case .decimal(let scale) = kind, found.scale < scale, found != .null {
            let text = ofRow(sql(operand, as: found), operand)
            let factor = bind(.integer(PowersOfTen.power(ofScale: scale - found.scale)))
            return dialect.arithmetic(.multiply, of: text, and: factor, as: kind)
        }
        return plain(operand, as: kind)
    }

    private mutating func plain(_ operand: ResolvedOperand, as kind: OperandType.Kind) -> String {
        switch operand.form {
        case .identifier: return qualified(layout.idColumn)
        case .column(let index): return column(index)
        case .constant(let value): return bind(value)
        case .arithmetic(let left, let operation, let right):
            // A product's scale is the sum of the scales of its factors, so each factor keeps its own scale. All other
            // operands are converted to one kind.
            let kind = kind.orNumber
            var (leftKind, rightKind) = (kind, kind)
            if operation == .multiply, case .decimal = kind {
                (leftKind, rightKind) = (left.type.kind.orNumber, right.type.kind.orNumber)
            }
            let (leftText, rightText) = (sql(left, as: leftKind), sql(right, as: rightKind))
            return dialect.arithmetic(operation, of: ofRow(leftText, left, right), and: rightText, as: kind)
        case .negated(let operand):
            let kind = kind.orNumber
            return dialect.arithmetic(.subtract, of: "0", and: ofRow(sql(operand, as: kind), operand), as: kind)
        case .function(let function, let operand):
            let isOfNumber = function.kind(of: .string) == nil
            let kind = isOfNumber ? operand.type.kind.orNumber : operand.type.kind
            let text = sql(operand, as: kind)
            return dialect.function(function, function.mayFail(for: kind) ? ofRow(text, operand) : text, of: kind)
        case .coalesce(let left, let right):
            let (leftText, rightText) = (sql(left, as: kind), sql(right, as: kind))
            return "coalesce(\(leftText), \(rightText))"
        case .conditional(let condition, let left, let right):
            let test = sql(condition).text
            let (leftText, rightText) = (sql(left, as: kind), sql(right, as: kind))
            return "CASE WHEN \(test) THEN \(leftText) ELSE \(rightText) END"
        case .truth(let condition): return "(\(certain(sql(condition))))"
        case .relatedCount(let relationship, let condition): return relatedCount(relationship, condition)
        case .related(let relationship, let operand): return related(relationship, operand, as: kind)
        case .relatedAggregate(let relationship, let aggregate, let condition):
            return relatedAggregate(relationship, aggregate, condition)
        }
    }
}

extension SQLWriter {
    /// Returns the text of an operand for a calculation that may fail.
    ///
    /// The text makes the engine evaluate the calculation only for rows, even if all operands are known before a row is
    /// read.
    private func ofRow(_ text: String, _ operands: ResolvedOperand...) -> String {
        operands.allSatisfy(\.isKnown) ? dialect.known(text) : text
    }
}

extension ResolvedOperand {
    /// A Boolean value that indicates whether the engine may evaluate the operand before it reads a row.
    ///
    /// This is false for a calculation that may fail, because ``SQLDialect/known(_:)`` prevents the early evaluation.
    fileprivate var isKnown: Bool {
        switch form {
        case .identifier, .column, .relatedCount, .related, .relatedAggregate, .arithmetic, .negated: false
        case .constant, .truth: true
        case .function(_, let operand): operand.isKnown
        case .coalesce(let left, _): left.isKnown
        case .conditional(_, let left, let right): left.isKnown || right.isKnown
        }
    }
}

extension OperandType.Kind {
    /// The integer kind if this is the kind of null, which is no kind of number; otherwise the kind itself.
    fileprivate var orNumber: OperandType.Kind { self == .null ? .integer : self }
}

extension StoredValue {
    /// Returns this value in the form in which a column of a kind stores it, or `nil` if the column cannot store it
    /// exactly.
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
    /// The least text that is greater than every text with this text as its prefix, or `nil` if there is none.
    var endOfPrefixRange: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Surrogates are not scalars: U+E000 follows U+D7FF.
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
