#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A destination of bytes that is written block by block: a file descriptor or memory.
///
/// Call ``flush()`` at the end: the buffered bytes are not written when the output is deallocated. Writing to a pipe
/// without a reader kills a process that does not ignore `SIGPIPE`; a process that ignores it gets
/// ``InterchangeError/Code/closedPipe``. Do not use one instance from several threads at once.
public final class ByteOutput {
    /// The default size of a block in bytes.
    public static let defaultBlockSize = 256 * 1024

    /// The name of the output for messages: the path as it was given, or `<stdout>`.
    public let name: String

    /// A closure that is called with all bytes that were written to the descriptor, in order.
    var didWrite: ((UnsafeRawBufferPointer) -> Void)?

    private var failure: InterchangeError?
    private let descriptor: Int32?
    private let sink: ((UnsafeRawBufferPointer) -> Void)?
    private let blockSize: Int
    private var buffer: [UInt8] = []

    /// Creates an output that writes to a file descriptor that the caller closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, such as 1 for standard output.
    ///   - name: The name of the output for messages.
    ///   - blockSize: The count of bytes that are buffered before they are written; clamped to
    ///     1...``ByteInput/maximumBlockSize``.
    public init(descriptor: Int32, name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.descriptor = descriptor
        sink = nil
        self.blockSize = min(max(1, blockSize), ByteInput.maximumBlockSize)
        buffer.reserveCapacity(self.blockSize)
    }

    private init(name: String) {
        self.name = name
        descriptor = nil
        sink = nil
        blockSize = .max
    }

    /// Creates an output that passes the bytes to a closure instead of writing them.
    ///
    /// - Parameters:
    ///   - name: The name of the output for messages.
    ///   - sink: A closure that receives the bytes, block by block.
    package init(name: String, sink: @escaping (UnsafeRawBufferPointer) -> Void) {
        self.name = name
        descriptor = nil
        self.sink = sink
        blockSize = Self.defaultBlockSize
    }

    /// Returns an output that writes to standard output, named `<stdout>`.
    ///
    /// - Returns: An output that does not close the descriptor.
    public static func standardOutput() -> ByteOutput {
        ByteOutput(descriptor: STDOUT_FILENO, name: "<stdout>")
    }

    /// Returns an output that keeps everything in ``bytes``.
    ///
    /// - Returns: An output that never fails.
    public static func memory() -> ByteOutput {
        ByteOutput(name: "<memory>")
    }

    /// The bytes that were appended and are not written yet; for an output in memory, all bytes.
    public var bytes: [UInt8] { buffer }

    /// Appends bytes, and writes the buffer if it holds a whole block.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed``.
    public func append(_ bytes: [UInt8]) throws(InterchangeError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= blockSize { try flush() }
    }

    /// Appends borrowed bytes, and writes the buffer if it holds a whole block.
    ///
    /// If there is a block or more, the bytes are written directly, without a copy into the buffer.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(InterchangeError) {
        guard !isMemory, bytes.count >= blockSize else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= blockSize { try flush() }
            return
        }
        try flush()
        try write(UnsafeRawBufferPointer(bytes))
    }

    /// Writes the buffered bytes; does nothing for an output in memory.
    ///
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed``. The buffered bytes are
    ///   then lost: some of them may have been written.
    public func flush() throws(InterchangeError) {
        guard !isMemory else { return }
        // After a failed write, bytes are missing from the output. Every later flush fails too, so that no caller takes
        // the rest for the whole.
        if let failure { throw failure }
        defer { buffer.removeAll(keepingCapacity: true) }
        let result = buffer.withUnsafeBytes { bytes in
            Result { () throws(InterchangeError) in try write(bytes) }
        }
        try result.get()
    }

    private var isMemory: Bool { descriptor == nil && sink == nil }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(InterchangeError) {
        guard let descriptor else {
            sink?(bytes)
            return
        }
        var rest = bytes
        while !rest.isEmpty {
            let count = writeBytes(descriptor, rest)
            if count < 0 {
                let number = errno
                if number == EINTR { continue }
                let error = InterchangeError.output(name, failedWith: number)
                failure = error
                throw error
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        didWrite?(bytes)
    }
}

/// Calls `write(2)`.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
