import StrataCore

/// An object with its record type: what ``ManagedObject`` cannot do without knowing it.
protocol TypedObject: AnyObject {
    /// The current values, and those that cannot be stored.
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure])

    /// The values as they were read or saved last; `nil` before the first save.
    func committedRow() -> [StoredValue]?

    /// Takes the values as the current ones, as if a property had been written.
    func write(_ values: [StoredValue]) throws

    /// Takes a value as a column's current one, as if the property had been written.
    func write(_ value: StoredValue, column: Int) throws

    /// A column's current value; null where it cannot be stored.
    func value(at column: Int) -> StoredValue

    /// A column's value as it was read or saved last; `nil` before the first save.
    func committedValue(at column: Int) -> StoredValue?

    /// Takes a row as what the store has.
    ///
    /// Where that makes no record it throws, and the object is as before.
    func rebase(onto row: StoredRow, _ merging: RowMerging) throws

    /// Takes a row as what others made of it, under changes of one's own: what both changed stays a conflict for the save to find.
    ///
    /// Where that makes no record it throws, and the object is as before.
    func absorb(_ row: StoredRow) throws

    /// Takes the current values as what the store has.
    func commit(version: Int64)

    /// Takes what the store has as the current values.
    func revert()

    /// Gives what puts the object back as it is now.
    func restoration() -> () -> Void

    /// Keeps the values as they are, because they are about to change.
    func keepBase()

    /// Makes this new object an update of a row that the store has already.
    func becomeUpdate(of row: StoredRow) throws

    /// Makes this changed object, whose row is gone, a new one.
    func becomeInsertion()

    /// Why the record's initialiser would refuse the values; `nil` when it would not.
    func refusal(of values: [StoredValue]) -> ValidationFailure?

    /// Lets a visitor work with the typed object.
    func accept(_ visitor: inout some ObjectVisitor) throws
}
