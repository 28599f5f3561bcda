import Foundation
import StrataCore

extension PredicateExpressions.Value: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        if let value = value as? any AttributeValue { return .operand(.constant(try value.storedValue())) }
        if let range = value as? any ValueRange, let (lower, upper, includesUpper) = try range.storedBounds() {
            return .range(lower: lower, upper: upper, includesUpper: includesUpper)
        }
        if let list = value as? any ValueList, let values = try list.storedValues() { return .values(values) }
        throw lowering.untranslatable(
            Output.self, "a value of this type cannot be stored, so nothing can be compared with it")
    }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) -> PredicateLowering.Part { .operand(.constant(.null)) }
}

extension PredicateExpressions.Variable: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        if let bound = lowering.scope[key] { return .operand(bound) }
        throw lowering.untranslatable(Output.self, "a record as a whole is no value; compare its id")
    }
}

/// A key path node with any root.
private protocol PathExpression {
    var path: AnyKeyPath { get }
    var start: any PredicateExpression { get }
}

extension PredicateExpressions.KeyPath: PathExpression {
    fileprivate var path: AnyKeyPath { keyPath }
    fileprivate var start: any PredicateExpression { root }

    /// Returns the key path from the record if the node is a chain of key paths that starts at the record; otherwise
    /// `nil`.
    private func pathFromRecord(_ record: PredicateExpressions.VariableID) -> AnyKeyPath? {
        // Most paths have one part. A cast to a concrete type finds it faster than a cast to a protocol.
        if let variable = root as? PredicateExpressions.Variable<Root.Output> {
            return variable.key == record ? keyPath : nil
        }
        var paths: [AnyKeyPath] = [keyPath]
        var next: any PredicateExpression = root
        while let node = next as? any PathExpression {
            paths.append(node.path)
            next = node.start
        }
        guard let variable = next as? any VariableExpression, variable.variableID == record else { return nil }
        var path = paths.removeLast()
        while let step = paths.popLast() {
            guard let longer = path.appending(path: step) else { return nil }
            path = longer
        }
        return path
    }
}

private protocol VariableExpression {
    var variableID: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableExpression {
    fileprivate var variableID: PredicateExpressions.VariableID { key }
}

extension PredicateExpressions.KeyPath: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        if let path = pathFromRecord(lowering.record), let column = lowering.column(path) {
            return .operand(.property(column))
        }
        if keyPath as AnyKeyPath == \String.isEmpty {
            return .condition(.compare(try lowering.operand(root), .equal, .constant(.string(""))))
        }
        if lowering.isRawPath(keyPath) { return .operand(try lowering.operand(root)) }
        if keyPath as AnyKeyPath == \String.count {
            throw lowering.untranslatable(Self.self, "stores compare texts by bytes and do not count characters")
        }
        if pathFromRecord(lowering.record) == nil,
            let constant = try? evaluate(PredicateBindings()) as? any AttributeValue
        {
            // The path is a member of a captured value. If the evaluation fails, there is no constant, and the error
            // below names the part.
            return .operand(.constant(try constant.storedValue()))
        }
        throw lowering.untranslatable(
            Self.self,
            "\(keyPath.text) is not an attribute, to-one relationship or identifier")
    }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let wrapped = try lowering.operand(wrapped)
        lowering.scope[variable.key] = wrapped
        let transformed = try lowering.operand(transform)
        let exists = FetchCondition.compare(wrapped, .notEqual, .constant(.null))
        return .operand(.conditional(exists, transformed, .constant(.null)))
    }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        .operand(.coalesce(try lowering.operand(lhs), try lowering.operand(rhs)))
    }
}

extension PredicateExpressions.Conditional: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        let test = try lowering.condition(test)
        return .operand(.conditional(test, try lowering.operand(trueBranch), try lowering.operand(falseBranch)))
    }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        throw lowering.untranslatable(Self.self, "`!` fails on null where a store continues; use ?? or if let")
    }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
    func lower(_ lowering: inout PredicateLowering) throws -> PredicateLowering.Part {
        guard Output.self == Optional<Input.Output>.self else {
            throw lowering.untranslatable(Self.self, "casts are not supported in a store")
        }
        return .operand(try lowering.operand(input))
    }
}
