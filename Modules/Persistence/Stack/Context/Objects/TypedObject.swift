import StrataCore

/// The operations on an object that require its record type, which ``ManagedObject`` does not know.
protocol TypedObject: AnyObject {
    /// Returns the current values as a row, and the failures of values that cannot be stored.
    func currentRow() -> (values: [StoredValue], failures: [ValidationFailure])

    /// Returns the values that were last read or saved, or `nil` if the object was never saved.
    func committedRow() -> [StoredValue]?

    /// Replaces the current values, as if each property had been written.
    func write(_ values: [StoredValue]) throws

    /// Replaces the current value of a column, as if the property had been written.
    func write(_ value: StoredValue, column: Int) throws

    /// Returns the current value of a column, or null if the value cannot be stored.
    func value(at column: Int) -> StoredValue

    /// Returns the value of a column that was last read or saved, or `nil` if the object was never saved.
    func committedValue(at column: Int) -> StoredValue?

    /// Makes a row the stored state of the object, and treats the object's unsaved changes as `merging` specifies.
    ///
    /// If the resulting values form no valid record, the method throws an error and the object is unchanged.
    func rebase(onto row: StoredRow, _ merging: RowMerging) throws

    /// Merges a row that another save wrote, and retains the object's unsaved changes.
    ///
    /// If both saves changed a property, the conflict remains for the next save. If the resulting values form no valid
    /// record, the method throws an error and the object is unchanged.
    func absorb(_ row: StoredRow) throws

    /// Records that the current values were saved with a row version.
    func commit(version: Int64)

    /// Restores the values that were last read or saved.
    func revert()

    /// Returns a closure that restores the present values and state of the object.
    func restoration() -> () -> Void

    /// Stores a snapshot of the present values before they are changed.
    func keepBase()

    /// Turns this new object into an update of an existing row.
    func becomeUpdate(of row: StoredRow) throws

    /// Turns this changed object, whose row was deleted, into a new object.
    func becomeInsertion()

    /// Returns the failure with which the record's initializer would reject the values, or `nil` if it would accept
    /// them.
    func refusal(of values: [StoredValue]) -> ValidationFailure?

    /// Calls a visitor with this object as a ``Managed`` object of its record type.
    func accept(_ visitor: inout some ObjectVisitor) throws
}

/// An operation on an object whose record type the caller does not know.
///
/// Higher layers define their operations on typed objects as visitors, so that ``ManagedObject`` does not depend on
/// these layers.
protocol ObjectVisitor {
    /// Performs the operation on the object.
    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws
}
