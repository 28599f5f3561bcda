/// The maximum size of a record.
///
/// The limit applies to the content of the record's values, independent of the format, so that a record accepted in one
/// format is accepted in the others. A separate limit applies to the text of the record in the file, because the whole
/// text is in memory.
struct RecordLimit {
    /// The maximum count of bytes in the values of a record; texts are counted without quotes and escapes.
    let held: Int

    /// The maximum count of bytes of a record's text in its file.
    ///
    /// An escape has at most six bytes for each byte of a value. The limit also has room for the syntax around the
    /// values.
    let spelled: Int

    private static let bytesOfEscape = 6
    private static let roomAround = 1024 * 1024

    init(_ held: Int) {
        self.held = max(1, held)
        let (product, overflows) = self.held.multipliedReportingOverflow(by: Self.bytesOfEscape)
        spelled = overflows || product > .max - 2 * Self.roomAround ? .max - Self.roomAround : product + Self.roomAround
    }
}
