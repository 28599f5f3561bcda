public import StrataCore

/// A request for values in the form that stores receive.
///
/// A store returns one array of values for each row that ``rows`` selects, in its order: the values of ``columns``. If
/// ``grouping`` is not `nil`, it returns instead one array for each group: the keys, followed by the values of the
/// aggregates. An ``InMemoryGroups`` forms groups in memory; ``StoreReader`` has a default implementation that uses it.
public struct ResolvedSelection: Sendable {
    /// The request for the rows.
    public let rows: ResolvedRequest
    /// The values of each row; with groups, the keys followed by the operands of all aggregates.
    public let columns: [ResolvedOperand]
    /// The groups; `nil` if each row has a result.
    public let grouping: ResolvedGrouping?
    /// The values of each result, computed from the keys and aggregates of a group; `nil` without groups.
    let results: [ResolvedOperand]?

    /// The types of the values that a store returns.
    public var types: [OperandType] {
        grouping?.groups.entity.columns.map { OperandType(kind: .init($0.type), isNullable: $0.isOptional) }
            ?? columns.map(\.type)
    }

    /// The types of the values of a result.
    package var resultTypes: [OperandType] { results?.map(\.type) ?? columns.map(\.type) }

    /// A Boolean value that indicates whether the evaluation of a row can fail.
    package var mayFail: Bool {
        rows.condition?.mayFail ?? false || columns.contains(where: \.mayFail)
            || rows.sort.contains { $0.operand.mayFail }
    }

    /// Returns a closure that converts the values that a store returns to those of a result.
    ///
    /// - Throws: The errors of the evaluation.
    package func resultTerms() throws -> @Sendable ([StoredValue]) throws -> [StoredValue] {
        guard let results else { return { $0 } }
        let evaluation = ConditionEvaluation(relatives: nil)
        let terms = try results.map { try evaluation.column($0) }
        return { values in try terms.map { term in try term { values[$0] } } }
    }
}

/// The groups of a selection in the form that stores receive.
public struct ResolvedGrouping: Sendable {
    /// The count of the leading values in ``ResolvedSelection/columns`` that are the keys of groups.
    public let keyCount: Int
    /// The aggregates over the rows of each group; their operands follow the keys in ``ResolvedSelection/columns``.
    public let aggregates: [ResolvedAggregate]
    /// The request for groups, whose entity has a column for each key and each aggregate.
    ///
    /// Its sort keys contain the keys of the groups, so that the order is complete.
    public let groups: ResolvedRequest
}

extension ConditionEvaluation {
    /// Prepares an operand for a result, in which all values of an operand have the same kind.
    func column(_ operand: ResolvedOperand) throws -> Term {
        let term = try term(operand)
        switch operand.type.kind {
        case .double:
            // A choice between a whole number and a double may return the whole number.
            return { values in
                let value = try term(values)
                return if case .integer(let number) = value { .double(Double(number)) } else { value }
            }
        // An unsaved decimal has as many digits as its program wrote.
        case .decimal(let scale): return { try term($0).scaledUp(to: scale) }
        default: return term
        }
    }
}
