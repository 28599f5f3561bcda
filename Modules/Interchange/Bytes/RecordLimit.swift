/// How long a record may be.
///
/// What counts is what its values hold, whatever the format, so that what one format takes the others take too. How it is spelled has a bound of its
/// own, as a record is in memory as it stands in the file.
struct RecordLimit {
    /// The most bytes of a record's values: of texts without quotes and escapes.
    let held: Int

    /// The most bytes of a record in its file: each byte of a text is at most six of an escape, and what stands around the values has some room.
    let spelled: Int

    private static let bytesOfEscape = 6
    private static let roomAround = 1024 * 1024

    init(_ held: Int) {
        self.held = max(1, held)
        let (product, overflows) = self.held.multipliedReportingOverflow(by: Self.bytesOfEscape)
        spelled = overflows || product > .max - 2 * Self.roomAround ? .max - Self.roomAround : product + Self.roomAround
    }
}
