/// Makes bytes of the bytes of another input.
protocol ByteFilter: AnyObject {
    /// Puts the next bytes into a buffer; 0 at the end.
    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int

    /// Makes sure that nobody has written to the file that the bytes come from.
    func checkUnchanged() throws(InterchangeError)
}
