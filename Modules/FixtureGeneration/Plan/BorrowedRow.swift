/// A generated row that is valid only while it is borrowed.
package struct BorrowedRow {
    /// The values of the row, in the order of the entity's fields.
    package let cells: UnsafeBufferPointer<FixtureCell>
    let texts: BorrowedTexts
    let numbers: UnsafeBufferPointer<Int64>
}
