/// The maximum size of a record.
///
/// The limit applies to the content of the record's values, whatever the format, so that a record accepted in one
/// format is accepted in the others. The text of the record in the file has a separate limit, because the whole text is
/// in memory.
struct RecordLimit {
    /// The maximum count of bytes of a record's values: of texts without quotes and escapes.
    let held: Int

    /// The maximum count of bytes of a record in its file.
    ///
    /// Each byte of a text has at most six bytes as an escape. The syntax around the values has some additional room.
    let spelled: Int

    private static let bytesOfEscape = 6
    private static let roomAround = 1024 * 1024

    init(_ held: Int) {
        self.held = max(1, held)
        let (product, overflows) = self.held.multipliedReportingOverflow(by: Self.bytesOfEscape)
        spelled = overflows || product > .max - 2 * Self.roomAround ? .max - Self.roomAround : product + Self.roomAround
    }
}
