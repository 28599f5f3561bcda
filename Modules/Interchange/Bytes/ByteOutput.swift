#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A destination of bytes, written block by block: a file descriptor or memory.
///
/// Call ``flush()`` at the end: what is still in the buffer is not written when the output goes away. Writing to a pipe
/// that nobody reads kills a process that does not ignore `SIGPIPE`; one that does gets
/// ``InterchangeError/Code/closedPipe``. Not to be used from several threads at once.
public final class ByteOutput {
    /// The size of a block unless said otherwise.
    public static let defaultBlockSize = 256 * 1024

    /// The name of the output for messages: the path as it was given, or `<stdout>`.
    public let name: String

    /// Told of all bytes that were written to the descriptor, in order.
    var didWrite: ((UnsafeRawBufferPointer) -> Void)?

    private var failure: InterchangeError?
    private let descriptor: Int32?
    private let sink: ((UnsafeRawBufferPointer) -> Void)?
    private let blockSize: Int
    private var buffer: [UInt8] = []

    /// Writes to a file descriptor that somebody else closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, such as 1 for standard output.
    ///   - name: The name of the output for messages.
    ///   - blockSize: How many bytes are gathered before they are written; brought into
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

    /// Gives the bytes to somebody instead of writing them anywhere.
    ///
    /// - Parameters:
    ///   - name: The name of the output for messages.
    ///   - sink: Takes the bytes, block by block.
    package init(name: String, sink: @escaping (UnsafeRawBufferPointer) -> Void) {
        self.name = name
        descriptor = nil
        self.sink = sink
        blockSize = Self.defaultBlockSize
    }

    /// Standard output, named `<stdout>`.
    ///
    /// - Returns: An output that leaves the descriptor open.
    public static func standardOutput() -> ByteOutput {
        ByteOutput(descriptor: STDOUT_FILENO, name: "<stdout>")
    }

    /// An output that keeps everything in ``bytes``.
    ///
    /// - Returns: An output that never fails.
    public static func memory() -> ByteOutput {
        ByteOutput(name: "<memory>")
    }

    /// What has been appended and is not written yet; everything, when the output is memory.
    public var bytes: [UInt8] { buffer }

    /// Adds bytes at the end, and writes the gathered ones when they fill a block.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed``.
    public func append(_ bytes: [UInt8]) throws(InterchangeError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= blockSize { try flush() }
    }

    /// Adds bytes that are borrowed, and writes the gathered ones when they fill a block.
    ///
    /// A block or more is written from where it is, without being gathered.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(InterchangeError) {
        guard !isMemory, bytes.count >= blockSize else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= blockSize { try flush() }
            return
        }
        try flush()
        try write(UnsafeRawBufferPointer(bytes))
    }

    /// Writes what has been gathered; has nothing to do for memory.
    ///
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed``. What was gathered is
    ///   then lost: part of it may have been written.
    public func flush() throws(InterchangeError) {
        guard !isMemory else { return }
        // What was lost is missing for good: nobody may take the rest for the whole.
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

/// `write(2)`.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
