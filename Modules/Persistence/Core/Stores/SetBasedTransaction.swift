/// A writing transaction of a store that changes or deletes all rows of a condition without returning them.
///
/// Batches use a conforming transaction if only the model decides which values may be stored. With any other store, or
/// if code must check the rows, batches read rows and save them in parts. The stored result is the same.
///
/// An error with code ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference``,
/// ``PersistenceError/Code/arithmetic`` or ``PersistenceError/Code/validation`` need not name the row. The transaction
/// is rolled back, and the batch is retried row by row, which finds the row.
public protocol SetBasedTransaction: StoreTransaction {
    /// Updates the rows that a condition selects.
    ///
    /// Rows that already have all of the new values are unchanged; the versions of the others rise by one. Uniqueness
    /// and references may be checked row by row. The store may therefore reject an update that would be valid only at
    /// its end.
    ///
    /// - Parameter update: The rows and the values, all computed from the row before the update.
    /// - Returns: The identifiers of the rows that changed, ascending.
    /// - Throws: ``PersistenceError``, which ends the transaction: rethrow it.
    /// - Complexity: O(*n*) in the rows of the entity, or in those that an index finds; 8 bytes for each row that
    ///     changes.
    func update(_ update: ResolvedUpdate) throws -> [Int64]

    /// Deletes the rows that a condition selects, with their join rows in many-to-many relationships.
    ///
    /// The method applies no delete rule.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - condition: The condition that the rows satisfy; `nil` for all.
    /// - Returns: The identifiers of the deleted rows, ascending.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/danglingReference`` if a reference to one of
    ///     the rows remains; it ends the transaction: rethrow it.
    /// - Complexity: As ``update(_:)``.
    func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64]
}

/// New values for all rows that a condition selects, in the form that stores receive.
public struct ResolvedUpdate: Sendable {
    /// A column and its new value.
    public struct Assignment: Sendable {
        /// The index of the column in the entity.
        public let column: Int
        /// The value, of the column's kind: a constant in its stored form, or an expression on the row.
        ///
        /// An expression does not use related objects.
        public let value: ResolvedOperand

        /// Creates an assignment from a value of the column's kind; a constant is in its stored form.
        public init(column: Int, value: ResolvedOperand) {
            (self.column, self.value) = (column, value)
        }
    }

    /// The entity.
    public let entity: EntityDescription
    /// The condition that the rows satisfy; `nil` for all.
    public let condition: ResolvedCondition?
    /// The columns and values, at least one, in the order of the columns.
    public let assignments: [Assignment]

    /// Creates an update, for tests of a store.
    public init(entity: EntityDescription, condition: ResolvedCondition?, assignments: [Assignment]) {
        self.entity = entity
        self.condition = condition
        self.assignments = assignments
    }
}
