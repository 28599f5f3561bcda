/// A reference whose inverse is ordered by an attribute of the reference's entity.
package struct OrderedReference: Sendable {
    /// The column of the reference.
    package let column: Int
    /// The column of the ordering attribute.
    package let sortKey: Int

    package init(column: Int, sortKey: Int) {
        self.column = column
        self.sortKey = sortKey
    }
}

extension EntityDescription {
    /// Returns the entity's references whose inverses are ordered.
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
