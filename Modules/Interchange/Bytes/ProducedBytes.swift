extension ByteInput {
    /// Creates an input whose bytes a closure produces while they are read, such as the rows of a table as CSV.
    ///
    /// - Parameters:
    ///   - name: The name of the input for messages.
    ///   - produce: A closure that copies the next bytes into a buffer, from an offset and at most a count of bytes,
    ///     and returns their count, which is 0 at the end.
    package convenience init(name: String, produce: @escaping (inout [UInt8], Int, Int) throws -> Int) {
        self.init(ProducedBytes(name, produce), name: name, byteCount: nil)
    }
}

/// Bytes that a closure produces.
private final class ProducedBytes: ByteFilter {
    private let name: String
    private let produce: (inout [UInt8], Int, Int) throws -> Int

    init(_ name: String, _ produce: @escaping (inout [UInt8], Int, Int) throws -> Int) {
        (self.name, self.produce) = (name, produce)
    }

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        if isCancelled?() ?? false {
            throw InterchangeError(.cancelled, source: name, message: "the reading was canceled")
        }
        do { return try produce(&buffer, offset, room) } catch {
            throw InterchangeError(.unreadable, source: name, message: "\(error)")
        }
    }

    func checkUnchanged() {}
}
