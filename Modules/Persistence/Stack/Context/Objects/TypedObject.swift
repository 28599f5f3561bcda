import StrataCore

/// The operations of an object that require its record type, which ``ManagedObject`` does not know.
protocol TypedObject: AnyObject {
    /// Returns the current values, and the failures of those that cannot be stored.
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure])

    /// Returns the values that were last read or saved; `nil` before the first save.
    func committedRow() -> [StoredValue]?

    /// Makes values the current ones, as if a property had been written.
    func write(_ values: [StoredValue]) throws

    /// Makes a value the current one of a column, as if the property had been written.
    func write(_ value: StoredValue, column: Int) throws

    /// Returns the current value of a column; null if it cannot be stored.
    func value(at column: Int) -> StoredValue

    /// Returns the value of a column that was last read or saved; `nil` before the first save.
    func committedValue(at column: Int) -> StoredValue?

    /// Makes a row the stored state of the object, and merges the object's changes.
    ///
    /// If the values make no valid record, the method throws and the object is unchanged.
    func rebase(onto row: StoredRow, _ merging: RowMerging) throws

    /// Merges a row that another save wrote, below the object's own changes.
    ///
    /// A value that both sides changed remains a conflict, which the save finds. If the values make no valid record,
    /// the method throws and the object is unchanged.
    func absorb(_ row: StoredRow) throws

    /// Records that the current values were stored, under a version.
    func commit(version: Int64)

    /// Restores the values that were last read or saved.
    func revert()

    /// Returns a closure that restores the present state of the object.
    func restoration() -> () -> Void

    /// Retains the present values, because they are about to change.
    func keepBase()

    /// Turns this new object into an update of a row that the store has already.
    func becomeUpdate(of row: StoredRow) throws

    /// Turns this changed object, whose row was deleted, into a new one.
    func becomeInsertion()

    /// Returns the reason why the record's initializer would reject the values; `nil` if it would not.
    func refusal(of values: [StoredValue]) -> ValidationFailure?

    /// Passes the typed object to a visitor.
    func accept(_ visitor: inout some ObjectVisitor) throws
}
