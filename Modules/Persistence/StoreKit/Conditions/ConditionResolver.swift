package import StrataCore

/// A resolver of conditions on an entity.
///
/// It looks up the names in a condition once, determines the kinds of the operands, and rejects an invalid condition.
///
/// Stores and evaluators receive its results and need not handle unknown names or incompatible kinds, so that every
/// store rejects the same conditions with the same messages. Recursion is limited by `ConditionNesting.maximum`, so
/// that no condition causes a stack overflow.
package struct ConditionResolver {
    package let entity: EntityDescription
    /// The model that contains the entity; if it is `nil`, conditions cannot traverse relationships.
    let model: ManagedObjectModel?
    /// A Boolean value that indicates whether an operand may contain an aggregate over a group of rows.
    ///
    /// A parser sets it to `true`, because it needs only the kinds of operands. ``StoreSelection`` replaces aggregates
    /// before a store receives an operand.
    package var permitsAggregates = false

    package init(entity: EntityDescription, model: ManagedObjectModel? = nil) {
        self.entity = entity
        self.model = model
    }

    /// Resolves the names and kinds of a condition.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the condition has an
    ///   unknown name, compares kinds that cannot be compared, or is nested too deeply.
    package func resolve(_ condition: FetchCondition) throws -> ResolvedCondition {
        try resolve(condition, depth: 1)
    }

    /// Resolves the names and kinds of an operand.
    ///
    /// - Throws: The errors of ``resolve(_:)-(FetchCondition)``.
    package func resolve(_ operand: FetchOperand) throws -> ResolvedOperand {
        try resolve(operand, depth: 1)
    }

    // The depth is the count of enclosing nodes, including the node that is resolved.

    private func resolve(_ condition: FetchCondition, depth: Int) throws -> ResolvedCondition {
        try check(depth)
        return ResolvedCondition(try form(of: condition, depth: depth + 1), source: condition)
    }

    private func resolve(_ operand: FetchOperand, depth: Int) throws -> ResolvedOperand {
        try check(depth)
        let (form, type) = try form(of: operand, depth: depth + 1)
        return ResolvedOperand(form, type: type)
    }

    private func check(_ depth: Int) throws {
        guard depth <= ConditionNesting.maximum else { throw ConditionNesting.tooDeep(entity) }
    }

    /// Returns the kind of an operand's values, and whether the operand may be null.
    package func type(of operand: FetchOperand) throws -> OperandType { try resolve(operand).type }

    /// Throws an error if a condition has unknown names, incompatible kinds or too deep nesting.
    package func check(_ condition: FetchCondition) throws { _ = try resolve(condition) }

    /// Returns a resolver of conditions on the destination entity of a relationship.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship does not
    ///   exist.
    package func destination(_ name: String) throws -> ConditionResolver {
        destination(try relationship(name))
    }

    // MARK: Relationships

    private func relationship(_ name: String) throws -> ResolvedRelationship {
        guard let model else {
            throw PersistenceError(
                .invalidRequest,
                "a condition across a relationship cannot be evaluated for a row without its related rows",
                entity: entity.name, attribute: name)
        }
        let (description, destination, storage) = try model.relationship(name, of: entity)
        return ResolvedRelationship(
            source: entity, description: description, destination: destination, storage: storage)
    }

    private func toOneRelationship(_ name: String) throws -> ResolvedRelationship {
        let relationship = try relationship(name)
        guard relationship.description.cardinality == .toOne else {
            throw PersistenceError(
                .invalidRequest,
                "the relationship refers to many objects and has no single value; count them, or use any with a "
                    + "condition",
                entity: entity.name, attribute: name)
        }
        return relationship
    }

    private func destination(_ relationship: ResolvedRelationship) -> ConditionResolver {
        ConditionResolver(entity: relationship.destination, model: model)
    }

    // MARK: Conditions

    private func form(of condition: FetchCondition, depth: Int) throws -> ResolvedCondition.Form {
        switch condition {
        case .constant(let value): return .constant(value)
        case .compare(let left, let comparison, let right):
            let (left, right) = (try resolve(left, depth: depth), try resolve(right, depth: depth))
            _ = try common(left.type, right.type)
            guard !comparison.isEquality, let format = TextOrder.format(left, right, in: entity) else {
                return .compare(left, comparison, right)
            }
            return .compare(
                try TextOrder.inOrder(left, of: format, in: entity), comparison,
                try TextOrder.inOrder(right, of: format, in: entity))
        case .isTrue(let operand): return .isTrue(try resolve(operand, expecting: .boolean, depth: depth))
        case .like(let operand, let pattern, let ignoringCase):
            let operand = try resolve(operand, expecting: .string, depth: depth)
            try TextPattern.check(pattern, entity)
            return .like(operand, pattern, ignoringCase: ignoringCase)
        case .contains(let text, let part, let ignoringCase):
            return .contains(
                try resolveText(text, depth: depth), try resolveText(part, depth: depth), ignoringCase: ignoringCase)
        case .startsWith(let text, let part, let ignoringCase):
            return .startsWith(
                try resolveText(text, depth: depth), try resolveText(part, depth: depth), ignoringCase: ignoringCase)
        case .endsWith(let text, let part, let ignoringCase):
            return .endsWith(
                try resolveText(text, depth: depth), try resolveText(part, depth: depth), ignoringCase: ignoringCase)
        case .isIn(let operand, let values):
            try checkLength(of: values)
            let operand = try resolve(operand, depth: depth)
            for value in values { _ = try common(operand.type, OperandType(kind: .init(value), isNullable: true)) }
            return .isIn(operand, values)
        case .all(let conditions): return .all(try conditions.map { try resolve($0, depth: depth) })
        case .any(let conditions): return .any(try conditions.map { try resolve($0, depth: depth) })
        case .not(let condition): return .not(try resolve(condition, depth: depth))
        case .related(let name, let condition):
            let relationship = try relationship(name)
            return .related(relationship, try destination(relationship).resolve(condition, depth: depth))
        }
    }

    private func resolveText(_ operand: FetchOperand, depth: Int) throws -> ResolvedOperand {
        try resolve(operand, expecting: .string, depth: depth)
    }

    private func resolve(
        _ operand: FetchOperand, expecting kind: OperandType.Kind, depth: Int
    ) throws -> ResolvedOperand {
        let operand = try resolve(operand, depth: depth)
        let found = operand.type.kind
        guard found == kind || found == .null else { throw mismatch("a \(found) where a \(kind) is expected") }
        return operand
    }

    /// The maximum count of constants in a list, unless all of them are whole numbers or all are texts without U+0000.
    ///
    /// SQLite accepts 32,766 parameters in one statement; the rest of the statement needs some of them.
    static let maximumListCount = 32_000

    private func checkLength(of values: [StoredValue]) throws {
        guard values.count > Self.maximumListCount else { return }
        let given = values.filter { !$0.isNull }
        if given.allSatisfy(\.isWhole) || given.allSatisfy(\.isPlainText) { return }
        throw PersistenceError(
            .invalidRequest,
            "the list has \(values.count) values; a list of more than \(Self.maximumListCount) values can contain only "
                + "whole numbers, or only texts without U+0000",
            entity: entity.name)
    }

    // MARK: Values

    private func form(of operand: FetchOperand, depth: Int) throws -> (ResolvedOperand.Form, OperandType) {
        switch operand {
        case .property("id"): return (.identifier, OperandType(kind: .integer, isNullable: false))
        case .property(let name):
            guard let index = entity.columnIndex(name) else {
                throw PersistenceError(.invalidRequest, "there is no attribute “\(name)”", entity: entity.name)
            }
            let column = entity.columns[index]
            return (.column(index), OperandType(kind: .init(column.type), isNullable: column.isOptional))
        case .constant(let value):
            return (.constant(value), OperandType(kind: .init(value), isNullable: value.isNull))
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (try resolve(left, depth: depth), try resolve(right, depth: depth))
            return (.arithmetic(left, operation, right), try type(of: operation, left.type, right.type))
        case .negated(let operand):
            let operand = try resolve(operand, depth: depth)
            guard operand.type.kind.isNumber || operand.type.kind == .null else {
                throw mismatch("a \(operand.type.kind) cannot be negated")
            }
            return (.negated(operand), operand.type)
        case .function(let function, let operand):
            let operand = try resolve(operand, depth: depth)
            let kind = try kind(of: function, operand.type.kind)
            return (.function(function, operand), OperandType(kind: kind, isNullable: operand.type.isNullable))
        case .coalesce(let left, let right):
            let (left, right) = (try resolve(left, depth: depth), try resolve(right, depth: depth))
            let isNullable = left.type.isNullable && right.type.isNullable
            let kind = try common(left.type, right.type)
            return (.coalesce(left, right), OperandType(kind: kind, isNullable: isNullable))
        case .conditional(let condition, let left, let right):
            let condition = try resolve(condition, depth: depth)
            let (left, right) = (try resolve(left, depth: depth), try resolve(right, depth: depth))
            let isNullable = left.type.isNullable || right.type.isNullable
            let kind = try common(left.type, right.type)
            return (.conditional(condition, left, right), OperandType(kind: kind, isNullable: isNullable))
        case .truth(let condition):
            return (.truth(try resolve(condition, depth: depth)), OperandType(kind: .boolean, isNullable: false))
        case .relatedCount(let name, let condition):
            let relationship = try relationship(name)
            let condition = try destination(relationship).resolve(condition, depth: depth)
            return (.relatedCount(relationship, condition), OperandType(kind: .integer, isNullable: false))
        case .related(let name, let operand):
            let relationship = try toOneRelationship(name)
            let operand = try destination(relationship).resolve(operand, depth: depth)
            return (.related(relationship, operand), OperandType(kind: operand.type.kind, isNullable: true))
        case .relatedAggregate(let name, let aggregate, let condition):
            let relationship = try relationship(name)
            let destination = destination(relationship)
            let resolved = try destination.resolve(aggregate, depth: depth)
            let condition = try destination.resolve(condition, depth: depth)
            return (.relatedAggregate(relationship, resolved, condition), resolved.type)
        case .aggregate(let aggregate):
            if permitsAggregates {
                var rows = self
                rows.permitsAggregates = false
                return (.constant(.null), try rows.resolve(aggregate, depth: depth).type)
            }
            throw mismatch(
                "\(aggregate.name)() computes a value from many rows, and is permitted only in the results of a "
                    + "selection, and in the condition and the order of its groups")
        }
    }

    // MARK: Aggregates

    /// Resolves the names and kinds of an aggregate over rows of the entity.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if an operand is invalid or
    ///   has a kind that the aggregate does not accept.
    package func resolve(_ aggregate: FetchAggregate) throws -> ResolvedAggregate {
        try resolve(aggregate, depth: 1)
    }

    private func resolve(_ aggregate: FetchAggregate, depth: Int) throws -> ResolvedAggregate {
        try check(depth)
        let operands = try aggregate.operands.map { try resolve($0, depth: depth + 1) }
        if case .countDistinct([]) = aggregate { throw mismatch("count(distinct) requires a value") }
        for operand in operands where operand.type.kind == .null {
            throw mismatch("\(aggregate.name)() cannot be applied to null")
        }
        guard let type = ResolvedAggregate.type(of: aggregate, operands.first?.type.kind) else {
            throw mismatch("\(aggregate.name)() cannot be applied to a \(operands[0].type.kind)")
        }
        var format: TextFormat?
        switch aggregate {
        case .minimum, .maximum: format = TextOrder.format(of: operands[0], in: entity)
        default: break
        }
        return ResolvedAggregate(aggregate, operands: operands, type: type, format: format)
    }

    private func type(of operation: FetchArithmetic, _ left: OperandType, _ right: OperandType) throws -> OperandType {
        let isNullable = left.isNullable || right.isNullable
        for kind in [left.kind, right.kind] where !kind.isNumber && kind != .null {
            throw mismatch("a \(kind) cannot be used in a calculation")
        }
        switch (operation, left.kind, right.kind) {
        case (.multiply, .decimal(let first), .decimal(let second)):
            guard first + second <= ScaledDecimal.maximumScale else {
                throw mismatch("the product has more than \(ScaledDecimal.maximumScale) digits after the point")
            }
            return OperandType(kind: .decimal(scale: first + second), isNullable: isNullable)
        case (.divide, .decimal, _), (.divide, _, .decimal), (.divideWhole, .decimal, _), (.divideWhole, _, .decimal),
            (.remainder, .decimal, _), (.remainder, _, .decimal):
            throw mismatch("decimals can be added, subtracted and multiplied, but not divided")
        case (.divide, _, _): return OperandType(kind: .double, isNullable: isNullable)
        default: return OperandType(kind: try common(left, right), isNullable: isNullable)
        }
    }

    private func kind(of function: FetchFunction, _ argument: OperandType.Kind) throws -> OperandType.Kind {
        if case .rounded(let digits) = function, !FetchFunction.digits.contains(digits) {
            throw mismatch(
                "a number can be rounded to between -18 and 18 digits after the decimal point, not to \(digits)")
        }
        guard let kind = function.kind(of: argument) else {
            throw mismatch("\(function.name) cannot be applied to a \(argument)")
        }
        return kind
    }

    private func common(_ left: OperandType, _ right: OperandType) throws -> OperandType.Kind {
        guard let kind = left.kind.common(with: right.kind) else {
            throw mismatch("a \(left.kind) and a \(right.kind) cannot be compared")
        }
        return kind
    }

    private func mismatch(_ message: String) -> PersistenceError {
        PersistenceError(.invalidRequest, message, entity: entity.name)
    }
}

extension StoredValue {
    fileprivate var isWhole: Bool {
        if case .integer = self { true } else { false }
    }

    fileprivate var isPlainText: Bool {
        if case .string(let text) = self { !text.utf8.contains(0) } else { false }
    }
}
