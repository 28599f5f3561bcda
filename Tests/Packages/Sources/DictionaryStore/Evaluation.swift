import StrataCore
import StrataStoreKit

/// The row-by-row evaluation of resolved conditions according to the comparison rules.
struct Evaluation {
    let database: Database

    // MARK: Conditions

    func holds(_ condition: ResolvedCondition, for row: StoredRow) throws -> Bool {
        switch condition.form {
        case .constant(let truth): return truth
        case .compare(let left, let comparison, let right):
            return holds(comparison, try value(of: left, for: row), try value(of: right, for: row))
        case .isTrue(let operand): return try value(of: operand, for: row) == .boolean(true)
        case .contains(let text, let part, let ignoringCase):
            return try texts(text, part, for: row, ignoringCase: ignoringCase) { text, part in
                part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
            }
        case .startsWith(let text, let part, let ignoringCase):
            return try texts(text, part, for: row, ignoringCase: ignoringCase) { $0.starts(with: $1) }
        case .endsWith(let text, let part, let ignoringCase):
            return try texts(text, part, for: row, ignoringCase: ignoringCase) {
                $0.reversed().starts(with: $1.reversed())
            }
        case .like(let operand, let pattern, let ignoringCase):
            guard case .string(let text) = try value(of: operand, for: row) else { return false }
            return TextPattern(pattern, ignoringCase: ignoringCase).matches(text)
        case .isIn(let operand, let values): return values.contains(try value(of: operand, for: row))
        case .all(let conditions): return try conditions.allSatisfy { try holds($0, for: row) }
        case .any(let conditions): return try conditions.contains { try holds($0, for: row) }
        case .not(let condition): return try !holds(condition, for: row)
        case .related(let relationship, let condition):
            return try count(of: relationship, where: condition, for: row) > 0
        }
    }

    private func holds(_ comparison: FetchComparison, _ left: StoredValue, _ right: StoredValue) -> Bool {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        // An ordering comparison with null is false, and so is its negation.
        case _ where left.isNull || right.isNull: false
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    /// Compares texts by their UTF-8 bytes; both operands are evaluated even if the first is null, because the second
    /// may throw.
    private func texts(
        _ text: ResolvedOperand, _ part: ResolvedOperand, for row: StoredRow, ignoringCase: Bool,
        _ holds: ([UInt8], [UInt8]) -> Bool
    ) throws -> Bool {
        let values = (try value(of: text, for: row), try value(of: part, for: row))
        guard case (.string(let text), .string(let part)) = values else { return false }
        func bytes(_ text: String) -> [UInt8] {
            text.utf8.map { ignoringCase && (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
        }
        return holds(bytes(text), bytes(part))
    }

    // MARK: Values

    func value(of operand: ResolvedOperand, for row: StoredRow) throws -> StoredValue {
        switch operand.form {
        case .identifier: return .integer(row.id)
        case .column(let index): return row.values[index]
        case .constant(let value): return value
        case .arithmetic(let left, let operation, let right):
            return try operation.apply(try value(of: left, for: row), try value(of: right, for: row))
        case .negated(let operand): return try value(of: operand, for: row).negated()
        case .function(let function, let operand): return try function.apply(try value(of: operand, for: row))
        case .coalesce(let left, let right):
            let first = try value(of: left, for: row)
            return try brought(first.isNull ? try value(of: right, for: row) : first, to: operand.type)
        case .conditional(let condition, let left, let right):
            let chosen = try holds(condition, for: row) ? left : right
            return try brought(try value(of: chosen, for: row), to: operand.type)
        case .truth(let condition): return .boolean(try holds(condition, for: row))
        case .relatedCount(let relationship, let condition):
            return .integer(Int64(try count(of: relationship, where: condition, for: row)))
        case .related(let relationship, let operand):
            return try related(relationship, to: row).first.map { try value(of: operand, for: $0) } ?? .null
        case .relatedAggregate(let relationship, let aggregate, let condition):
            var result = AggregateValue(aggregate)
            for row in try related(relationship, to: row).filter({ try holds(condition, for: $0) }) {
                try result.add(try aggregate.operands.map { try value(of: $0, for: row) }[...])
            }
            return try result.result()
        }
    }

    /// Decimals get the scale that is determined before any row is read, so that every store detects the same overflow.
    private func brought(_ value: StoredValue, to type: OperandType) throws -> StoredValue {
        guard case .decimal(let scale) = type.kind else { return value }
        return try value.scaledUp(to: scale)
    }

    // MARK: Relationships

    /// Returns the count of related rows that satisfy a condition; an error for one of them is an error for the owner.
    private func count(
        of relationship: ResolvedRelationship, where condition: ResolvedCondition, for row: StoredRow
    ) throws -> Int {
        try related(relationship, to: row).filter { try holds(condition, for: $0) }.count
    }

    private func related(_ relationship: ResolvedRelationship, to row: StoredRow) -> [StoredRow] {
        guard let rows = database.tables[relationship.destination.name]?.rows else { return [] }
        switch relationship.storage {
        case .ownColumn(let index):
            guard case .integer(let id) = row.values[index] else { return [] }
            return rows[id].map { [$0] } ?? []
        case .inverseColumn(let index): return rows.values.filter { $0.values[index] == .integer(row.id) }
        case .join(let join, let isSource):
            return (database.pairs[join.name] ?? [:]).keys.compactMap { pair in
                if join.isSymmetric {
                    return pair.source == row.id ? rows[pair.target] : pair.target == row.id ? rows[pair.source] : nil
                }
                let (owner, other) = isSource ? (pair.source, pair.target) : (pair.target, pair.source)
                return owner == row.id ? rows[other] : nil
            }
        }
    }
}
