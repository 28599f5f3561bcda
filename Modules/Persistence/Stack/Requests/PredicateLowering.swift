import Foundation
import StrataCore

/// A translation of a `#Predicate` to a condition for stores.
///
/// Every node type of Foundation that can be translated conforms to ``LowerableExpression``, whatever its generic
/// parameters are. Each child node is cast to that protocol, so that the translation finds and names an unsupported
/// node at any depth.
///
/// The translation evaluates nothing for a row. Captured values become constants, key paths become columns, and a call
/// that no store supports becomes an error that names the node.
struct PredicateLowering {
    /// The translation of one node of a predicate.
    ///
    /// A node may be a single value, a condition, or a list or range that is valid only as the argument of `contains`.
    enum Part {
        /// A value of each row.
        case operand(FetchOperand)
        /// A condition, which a parent node may use as a truth value.
        case condition(FetchCondition)
        /// The elements of a captured array or set.
        case values([StoredValue])
        /// A captured range with constant bounds.
        case range(lower: StoredValue, upper: StoredValue, includesUpper: Bool)
        /// A range whose bounds are calculated for each row.
        case bounds(lower: FetchOperand, upper: FetchOperand, includesUpper: Bool)
    }

    let entityName: String
    let column: (AnyKeyPath) -> String?
    let isRawPath: (AnyKeyPath) -> Bool
    let record: PredicateExpressions.VariableID
    /// The operands that the variables of `if let` and optional chaining represent.
    var scope: [PredicateExpressions.VariableID: FetchOperand] = [:]

    static func condition<Record: ManagedRecord>(
        of predicate: Predicate<Record>, _ entity: RecordEntity<Record>
    ) throws -> FetchCondition {
        var lowering = PredicateLowering(
            entityName: entity.name, column: entity.column(at:), isRawPath: entity.isRawPath,
            record: predicate.variable.key)
        return try lowering.condition(predicate.expression)
    }

    mutating func part(_ expression: any PredicateExpression) throws -> Part {
        guard let node = expression as? any LowerableExpression else {
            throw untranslatable(type(of: expression), "it has no form that every store understands")
        }
        return try node.lower(&self)
    }

    mutating func condition(_ expression: any PredicateExpression) throws -> FetchCondition {
        switch try part(expression) {
        case .condition(let condition): return condition
        case .operand(.constant(.boolean(let value))): return .constant(value)
        case .operand(.truth(let condition)): return condition
        case .operand(let operand): return .isTrue(operand)
        default: throw untranslatable(type(of: expression), "it is not a condition")
        }
    }

    mutating func operand(_ expression: any PredicateExpression) throws -> FetchOperand {
        switch try part(expression) {
        case .operand(let operand): return operand
        case .condition(.constant(let value)): return .constant(.boolean(value))
        case .condition(let condition): return .truth(condition)
        default: throw untranslatable(type(of: expression), "it is not a single value")
        }
    }

    func untranslatable(_ type: Any.Type, _ reason: String) -> PersistenceError {
        let name = String(describing: type)
        return PersistenceError(
            .invalidRequest, "the predicate's part \(name) cannot be translated: \(reason)", entity: entityName)
    }
}

/// A node of a predicate that can be translated to a condition.
protocol LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part
}

/// A collection that a predicate captures and whose elements can be stored.
protocol ValueList {
    func storedValues() throws -> [StoredValue]?
}

extension Array: ValueList {
    func storedValues() throws -> [StoredValue]? { try listed(self) }
}

extension Set: ValueList {
    func storedValues() throws -> [StoredValue]? { try listed(self) }
}

private func listed(_ elements: some Sequence) throws -> [StoredValue]? {
    var values: [StoredValue] = []
    for element in elements {
        guard let value = element as? any AttributeValue else { return nil }
        values.append(try value.storedValue())
    }
    return values
}

/// A range that a predicate captures and whose bounds can be stored.
protocol ValueRange {
    func storedBounds() throws -> (StoredValue, StoredValue, includesUpper: Bool)?
}

extension ClosedRange: ValueRange {
    func storedBounds() throws -> (StoredValue, StoredValue, includesUpper: Bool)? {
        guard let lower = lowerBound as? any AttributeValue, let upper = upperBound as? any AttributeValue else {
            return nil
        }
        return (try lower.storedValue(), try upper.storedValue(), true)
    }
}

extension Range: ValueRange {
    func storedBounds() throws -> (StoredValue, StoredValue, includesUpper: Bool)? {
        guard let lower = lowerBound as? any AttributeValue, let upper = upperBound as? any AttributeValue else {
            return nil
        }
        return (try lower.storedValue(), try upper.storedValue(), false)
    }
}
