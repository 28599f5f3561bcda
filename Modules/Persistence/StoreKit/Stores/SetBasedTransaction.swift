public import StrataCore

/// A writing transaction of a store that can update or delete all rows of a condition without returning them.
///
/// Batches use such a transaction if the model alone determines which values are valid. If code must check the rows, or
/// if the store has no such transaction, batches read the rows and save them in parts. The stored result is the same.
///
/// An error with code ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference``,
/// ``PersistenceError/Code/arithmetic`` or ``PersistenceError/Code/validation`` need not name the row that caused it.
/// The transaction is then rolled back, and the batch is retried row by row, which finds the row.
public protocol SetBasedTransaction: StoreTransaction {
    /// Updates the rows that a condition selects.
    ///
    /// A row that already has all of the new values does not change; the version of each changed row is raised by one.
    /// The store may check uniqueness and references after each row. It may therefore reject an update whose final
    /// state would be valid.
    ///
    /// - Parameter update: The condition and the new values; each new value is computed from the row before the update.
    /// - Returns: The identifiers of the changed rows, ascending.
    /// - Throws: ``PersistenceError``; the transaction is then invalid, so rethrow the error.
    /// - Complexity: O(*n*) in the count of the entity's rows, or of those that an index finds. The method needs 8
    ///   bytes of memory for each changed row.
    func update(_ update: ResolvedUpdate) throws -> [Int64]

    /// Deletes the rows that a condition selects, and their join rows in many-to-many relationships.
    ///
    /// The method applies no delete rule.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - condition: The condition that selects the rows; `nil` selects all rows.
    /// - Returns: The identifiers of the deleted rows, ascending.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/danglingReference`` if another row still
    ///   references one of the rows. The transaction is then invalid, so rethrow the error.
    /// - Complexity: As ``update(_:)``.
    func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64]
}

/// An update of all rows that a condition selects, in the form that stores receive.
public struct ResolvedUpdate: Sendable {
    /// The assignment of a new value to a column.
    public struct Assignment: Sendable {
        /// The index of the column in the entity.
        public let column: Int
        /// The operand with the new value: a constant in its stored form, or an expression on the row.
        ///
        /// The operand has the column's kind, and does not refer to related objects.
        public let value: ResolvedOperand

        /// Creates an assignment from a value of the column's kind; a constant is in its stored form.
        public init(column: Int, value: ResolvedOperand) {
            (self.column, self.value) = (column, value)
        }
    }

    /// The entity of the rows to update.
    public let entity: EntityDescription
    /// The condition that selects the rows to update; `nil` selects all rows.
    public let condition: ResolvedCondition?
    /// The assignments of new values to columns, at least one, in the order of the columns.
    public let assignments: [Assignment]

    /// Creates an update; the initializer is public for tests of a store.
    public init(entity: EntityDescription, condition: ResolvedCondition?, assignments: [Assignment]) {
        self.entity = entity
        self.condition = condition
        self.assignments = assignments
    }
}
