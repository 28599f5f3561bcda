/// A source of bytes that converts the bytes of another input.
protocol ByteFilter: AnyObject {
    /// Reads the next bytes into a buffer and returns their count; 0 at the end.
    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int

    /// Throws if the file that the bytes come from changed after it was opened.
    func checkUnchanged() throws(InterchangeError)
}
