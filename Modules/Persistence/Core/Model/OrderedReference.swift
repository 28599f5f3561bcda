/// A reference whose inverse is an ordered relationship, with the attribute that orders it.
package struct OrderedReference: Sendable {
    /// The index of the reference column in the entity.
    package let column: Int
    /// The index of the ordering attribute's column in the same entity.
    package let sortKey: Int

    package init(column: Int, sortKey: Int) {
        self.column = column
        self.sortKey = sortKey
    }
}

extension EntityDescription {
    /// Returns the references of the entity whose inverses are ordered by an attribute of the entity.
    package func orderedReferences(in model: ManagedObjectModel) -> [OrderedReference] {
        columns.indices.compactMap { column in
            guard let destination = columns[column].destination, let target = model[destination],
                let inverse = relationship(named: columns[column].name)?.inverse,
                let attribute = target.relationship(named: inverse)?.orderingAttribute,
                let sortKey = columnIndex(attribute)
            else { return nil }
            return OrderedReference(column: column, sortKey: sortKey)
        }
    }
}
