/// A source of bytes that converts the bytes of another input.
protocol ByteFilter: AnyObject {
    /// Reads the next converted bytes into a buffer and returns their count, which is 0 at the end of the input.
    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int

    /// Throws an error if the file from which the bytes come changed after it was opened.
    func checkUnchanged() throws(InterchangeError)
}
