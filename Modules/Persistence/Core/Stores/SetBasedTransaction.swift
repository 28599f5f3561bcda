/// A writing transaction of a store that changes and deletes all rows a condition selects by itself, without giving them out.
///
/// A store whose transactions conform is told so by batches, where the model alone decides what may be stored; from any other, and where rows have to
/// be looked at, batches read rows and save them in parts. What is stored is the same.
///
/// What throws with code ``PersistenceError/Code/uniqueness``, ``PersistenceError/Code/danglingReference``, ``PersistenceError/Code/arithmetic`` or
/// ``PersistenceError/Code/validation`` need not name the row: the transaction is taken back, and the batch tried again row by row, which finds it.
public protocol SetBasedTransaction: StoreTransaction {
    /// Gives the rows that a condition selects new values.
    ///
    /// Rows that have all of them already stay as they are; the others' versions rise by one. Uniqueness and references may be checked row by row:
    /// what would only hold at the end may be refused.
    ///
    /// - Parameter update: The rows and the values, all calculated from the row as it was.
    /// - Returns: The identifiers of the rows that changed, ascending.
    /// - Throws: ``PersistenceError``, which ends the transaction: let it pass.
    /// - Complexity: O(*n*) in the rows of the entity, or in those that an index finds; 8 bytes for each row that changes.
    func update(_ update: ResolvedUpdate) throws -> [Int64]

    /// Deletes the rows that a condition selects, with their pairs in many-to-many relationships; no delete rule is carried out.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - condition: What the rows fulfil; `nil` for all.
    /// - Returns: The identifiers of the rows that are gone, ascending.
    /// - Throws: ``PersistenceError``, with code ``PersistenceError/Code/danglingReference`` where a reference to one of the rows is left; it ends the
    ///   transaction: let it pass.
    /// - Complexity: As ``update(_:)``.
    func delete(_ entity: EntityDescription, where condition: ResolvedCondition?) throws -> [Int64]
}

/// New values for all rows that a condition selects, as stores get them.
public struct ResolvedUpdate: Sendable {
    /// A column and its new value.
    public struct Assignment: Sendable {
        /// The column's place in the entity.
        public let column: Int
        /// The value: a fixed one in its stored form, or what is calculated from the row, of the column's kind; nothing is asked of related objects.
        public let value: ResolvedOperand

        /// A value for a column: of its kind, and a fixed one in its stored form.
        public init(column: Int, value: ResolvedOperand) {
            (self.column, self.value) = (column, value)
        }
    }

    /// The entity.
    public let entity: EntityDescription
    /// What the rows fulfil; `nil` for all.
    public let condition: ResolvedCondition?
    /// The columns and values, at least one, in the order of the columns.
    public let assignments: [Assignment]

    /// New values; for who tests a store.
    public init(entity: EntityDescription, condition: ResolvedCondition?, assignments: [Assignment]) {
        self.entity = entity
        self.condition = condition
        self.assignments = assignments
    }
}
