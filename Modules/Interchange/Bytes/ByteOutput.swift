import Foundation
import StrataFiles

/// A destination of bytes that is written block by block: a file descriptor or memory.
///
/// Call ``flush()`` at the end, because the deallocation of the output discards the buffered bytes. If the output is a
/// pipe without a reader, a write ends the process with `SIGPIPE`. If the process ignores `SIGPIPE`, the write throws
/// ``InterchangeError/Code/closedPipe``. Do not use one instance from several threads at once.
public final class ByteOutput {
    /// The default count of bytes that are buffered before they are written.
    public static let defaultBlockSize = 256 * 1024

    /// The name of the output in messages: the path that the caller specified, or `<stdout>`.
    public let name: String

    /// A closure that is called, in order, with all bytes that were written to the descriptor.
    var didWrite: ((UnsafeRawBufferPointer) -> Void)?

    private var failure: InterchangeError?
    private let descriptor: Int32?
    private let sink: ((UnsafeRawBufferPointer) -> Void)?
    private let blockSize: Int
    private var buffer: [UInt8] = []

    /// Creates an output that writes to a file descriptor; the caller closes the descriptor.
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

    /// Returns an output that stores all appended bytes in ``bytes``.
    ///
    /// - Returns: An output whose methods never throw an error.
    public static func memory() -> ByteOutput {
        ByteOutput(name: "<memory>")
    }

    /// The bytes that were appended and not written yet; for an output in memory, all appended bytes.
    public var bytes: [UInt8] { buffer }

    /// Appends bytes to the buffer, and writes the buffer if it contains a whole block.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed`` if the bytes cannot be
    ///   written.
    public func append(_ bytes: [UInt8]) throws(InterchangeError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= blockSize { try flush() }
    }

    /// Appends borrowed bytes to the buffer, and writes the buffer if it contains a whole block.
    ///
    /// If there is at least a whole block of bytes, they are written directly, without being copied to the buffer.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) throws(InterchangeError) {
        guard !isMemory, bytes.count >= blockSize else {
            buffer.append(contentsOf: bytes)
            if buffer.count >= blockSize { try flush() }
            return
        }
        try flush()
        try write(UnsafeRawBufferPointer(bytes))
    }

    /// Writes the buffered bytes; does nothing if the output is in memory.
    ///
    /// - Throws: ``InterchangeError/Code/closedPipe`` or ``InterchangeError/Code/outputFailed`` if the bytes cannot be
    ///   written. Some of the buffered bytes may have been written; the others are lost.
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
            let count = withoutInterruption { Foundation.write(descriptor, rest.baseAddress, rest.count) }
            guard count >= 0 else {
                let error = InterchangeError.output(name, failedWith: errno)
                failure = error
                throw error
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        didWrite?(bytes)
    }
}
