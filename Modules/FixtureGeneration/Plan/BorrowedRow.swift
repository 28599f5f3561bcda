/// A row that is valid while it is borrowed.
package struct BorrowedRow {
    /// The values, in the order of the entity's fields.
    package let cells: UnsafeBufferPointer<FixtureCell>
    let texts: BorrowedTexts
    let numbers: UnsafeBufferPointer<Int64>
}
