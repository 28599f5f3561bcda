import StrataCore

/// The conversion of constants, whose kinds depend on the operands with which they are combined.
extension PredicateParser {
    /// An arithmetic operation in a textual predicate; the operands determine the kind of a quotient.
    enum Calculation {
        case add, subtract, multiply, divide
    }

    /// Returns a parsed value as an operand on the entity's rows.
    ///
    /// - Parameters:
    ///   - value: The parsed value.
    ///   - kind: The kind of the other operand of a comparison or calculation, to which constants are converted; `nil`
    ///     if it is unknown.
    /// - Returns: The operand.
    /// - Throws: ``PredicateTextError`` with the location of the error.
    func operand(_ value: TextValue, as kind: OperandType.Kind?) throws(PredicateTextError) -> FetchOperand {
        switch value.content {
        case .literal(let literal): return .constant(try constant(literal, value.span, as: kind))
        case .operand(let operand, _): return operand
        case .many(let path): throw error(manyMessage(path), value.span)
        case .negated(let inner): return .negated(try operand(inner, as: kind))
        case .function(let function, let inner): return try self.function(function, of: inner, value.span, as: kind)
        case .coalesce(let first, let second):
            let own = TextValue.common(value.kind, kind)
            let result = FetchOperand.coalesce(try operand(first, as: own), try operand(second, as: own))
            _ = try self.kind(of: result, value.span)
            return result
        case .arithmetic(let left, let calculation, let right):
            let (left, right) = (try operand(left, as: kind), try operand(right, as: kind))
            let (isWholeLeft, isWholeRight) = (try isWhole(left, value.span), try isWhole(right, value.span))
            let operation: FetchArithmetic =
                switch calculation {
                case .add: .add
                case .subtract: .subtract
                case .multiply: .multiply
                case .divide: isWholeLeft && isWholeRight ? .divideWhole : .divide
                }
            let result = FetchOperand.arithmetic(left, operation, right)
            _ = try self.kind(of: result, value.span)
            return result
        }
    }

    func manyMessage(_ path: TextValue.ManyPath) -> String {
        "\"\(path.manyName)\" refers to many objects; write any, all or none before it, or count them: "
            + "\(path.manyName).@count"
    }

    private func isWhole(_ operand: FetchOperand, _ span: Range<Int>) throws(PredicateTextError) -> Bool {
        let kind = try kind(of: operand, span)
        return kind == .integer || kind == .null
    }

    func kind(of operand: FetchOperand, _ span: Range<Int>) throws(PredicateTextError) -> OperandType.Kind {
        try placed(span) { try resolver.type(of: operand).kind }
    }

    /// Runs a closure, and converts its error to one with a location in the textual predicate.
    func placed<Result>(_ span: Range<Int>, _ body: () throws -> Result) throws(PredicateTextError) -> Result {
        do {
            return try body()
        } catch let error as PersistenceError {
            throw self.error(error.message, span)
        } catch {
            throw self.error("\(error)", span)
        }
    }

    /// Returns a constant, converted to the kind of the other operand.
    func constant(
        _ literal: TextValue.Literal, _ span: Range<Int>, as kind: OperandType.Kind?
    ) throws(PredicateTextError) -> StoredValue {
        switch literal {
        case .null: return .null
        case .boolean(let value):
            guard kind == nil || kind == .boolean || kind == .null else {
                throw error("true and false cannot be compared with a \(name(kind)); write \(example(kind))", span)
            }
            return .boolean(value)
        case .now:
            guard kind == nil || kind == .date || kind == .null else {
                throw error("now() is a date and cannot be compared with a \(name(kind)); write \(example(kind))", span)
            }
            return .date(now)
        case .number(let text): return try number(text, span, as: kind)
        case .string(let text): return try string(text, span, as: kind)
        }
    }

    private func number(
        _ text: String, _ span: Range<Int>, as kind: OperandType.Kind?
    ) throws(PredicateTextError) -> StoredValue {
        switch kind {
        case .double:
            guard let value = Double(text), value.isFinite else {
                throw error("the number is out of the range of a double", span)
            }
            return .double(value + 0)
        case .boolean where text == "1" || text == "0": return .boolean(text == "1")
        case let kind? where kind != .null && !kind.isNumber:
            throw error("a number cannot be compared with a \(name(kind)); write \(example(kind))", span)
        default:
            if let value = Int64(text) { return .integer(value) }
            guard let value = ScaledDecimal(text) else {
                throw error("the number does not fit into 64 bits with all its digits", span)
            }
            if value.scale == 0 { return .integer(value.unscaled) }
            return .decimal(value)
        }
    }

    private func string(
        _ text: String, _ span: Range<Int>, as kind: OperandType.Kind?
    ) throws(PredicateTextError) -> StoredValue {
        guard let kind, kind != .string, let coding = kind.coding else { return .string(text) }
        guard let refusal = coding.textRefusal else {
            throw error("a text cannot be compared with a \(name(kind)); write \(example(kind))", span)
        }
        let value: StoredValue
        var isHeld = true
        do throws(InvalidText) {
            value = try coding.parse(text)
            if kind == .date { isHeld = try DateText.instant(Array(text.utf8).span).isHeldByDate }
        } catch {
            // The predicate already contains the invalid text. The message needs only an example of a valid one.
            throw self.error(refusal, span)
        }
        guard isHeld else {
            throw error(
                "the date has more fractional digits than a date can store; shorten the fraction", span)
        }
        return value
    }

    private func name(_ kind: OperandType.Kind?) -> String { kind.map { "\($0)" } ?? "value" }

    /// Returns an example of a constant of a kind, for error messages.
    private func example(_ kind: OperandType.Kind?) -> String { kind?.coding?.example ?? "null" }
}
