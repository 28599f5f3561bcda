package import StrataCore

extension ResolvedOperand {
    /// Returns the text format by which an operand on an entity's rows is sorted; `nil` if it is sorted by its values.
    package func orderFormat(in entity: EntityDescription) -> TextFormat? { TextOrder.format(of: self, in: entity) }
}

/// The order of texts that have a format, for comparisons and sorting.
enum TextOrder {
    /// Returns the text format whose order is used to compare two operands; `nil` if they are compared without a
    /// format.
    ///
    /// If one operand is a constant, it is interpreted as a text of the other operand's format. If both operands have
    /// different formats, they are compared as plain texts.
    static func format(
        _ left: ResolvedOperand, _ right: ResolvedOperand, in entity: EntityDescription
    ) -> TextFormat? {
        let (first, second) = (format(of: left, in: entity), format(of: right, in: entity))
        return switch (first, second) {
        case (let format?, nil) where right.constant != nil: format
        case (nil, let format?) where left.constant != nil: format
        default: first == second ? first : nil
        }
    }

    /// Returns an operand converted for a comparison in the order of a text format.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a constant does not have
    ///   the format.
    static func inOrder(
        _ operand: ResolvedOperand, of format: TextFormat, in entity: EntityDescription
    ) throws -> ResolvedOperand {
        guard case .string(let text)? = operand.constant else {
            return operand.constant == .null
                ? operand : ResolvedOperand(.function(.inOrder(of: format), operand), type: operand.type)
        }
        guard format.takes(text) else {
            throw PersistenceError(
                .invalidRequest, "“\(text)” cannot be compared in order, because it is not \(format.example)",
                entity: entity.name)
        }
        return .constant(.string(format.orderKey(of: text)))
    }

    /// Returns the operand by which rows are sorted: the sort key of its text format, or the operand itself without a
    /// format.
    static func inOrder(_ operand: ResolvedOperand, in entity: EntityDescription) throws -> ResolvedOperand {
        guard let format = format(of: operand, in: entity) else { return operand }
        return try inOrder(operand, of: format, in: entity)
    }

    /// Returns the text format of an operand if that format defines an order; otherwise `nil`.
    static func format(of operand: ResolvedOperand, in entity: EntityDescription) -> TextFormat? {
        switch operand.form {
        case .column(let index):
            guard let format = entity.columns[index].attribute?.domain?.format, format.isOrdered else { return nil }
            return format
        case .related(let relationship, let operand): return format(of: operand, in: relationship.destination)
        case .coalesce(let left, let right), .conditional(_, let left, let right):
            return format(left, right, in: entity)
        case .relatedAggregate(_, let aggregate, _): return aggregate.format
        case .identifier, .constant, .arithmetic, .negated, .function, .truth, .relatedCount: return nil
        }
    }
}
