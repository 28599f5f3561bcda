#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A source of bytes that is read block by block: a file, standard input, or memory.
///
/// Reading needs the memory of one block, whatever the size of the input. Do not use one instance from several threads
/// at once.
public final class ByteInput {
    /// The default size of a block in bytes.
    ///
    /// It is large enough that the cost of system calls is negligible, and small enough to stay in a processor's cache.
    public static let defaultBlockSize = 256 * 1024

    /// The maximum size of a block, 64 MiB; larger blocks are not faster.
    public static let maximumBlockSize = 64 * 1024 * 1024

    /// The name of the input for messages: the path as it was given, or `<stdin>`.
    public let name: String

    /// The maximum count of bytes that one read returns, 1 to ``maximumBlockSize``.
    public let blockSize: Int

    /// A closure that returns `true` to cancel the reading.
    ///
    /// It is called before every block, and ten times a second while an input that is not a regular file has no data.
    /// If it returns `true`, the read throws ``InterchangeError/Code/cancelled``.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The name of the encoding that the bytes were in before they became UTF-8, for messages.
    public internal(set) var encodingName = "UTF-8"

    /// The count of bytes read from the file; of a compressed file, the count of decompressed bytes.
    public private(set) var bytesRead = 0

    /// The size of the file in bytes; `nil` if it is not a regular file, or if it is compressed.
    public var byteCount: Int? { stamp?.byteCount ?? memoryByteCount }

    /// The size and time of change of the file when it was opened; `nil` if it is not a regular file.
    private let stamp: FileStamp?
    private let memoryByteCount: Int?

    /// The digest that is computed while the bytes are read; see ``beginDigest()``.
    private var digesting: RunningDigest?

    private var origin: InputOrigin
    /// Bytes that were peeked at and not returned by a read yet.
    private var peeked: [UInt8] = []
    /// A Boolean value that indicates whether a read may wait for a writer: of a terminal, a pipe or a socket.
    private let mayWait: Bool

    private enum InputOrigin {
        case descriptor(Int32, isOwned: Bool)
        case memory([UInt8], position: Int)
        case filter(any ByteFilter)
        case closed
    }

    /// Opens a file, a device or a FIFO for reading.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    /// - Throws: ``InterchangeError/Code/inputNotFound``, ``InterchangeError/Code/permission`` or
    ///   ``InterchangeError/Code/unreadable``, with the path and the system's text.
    public init(path: String, blockSize: Int = defaultBlockSize) throws(InterchangeError) {
        name = path
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        guard !path.utf8.contains(0) else { throw InterchangeError.input(path, failedWith: ENOENT) }
        var descriptor: Int32
        repeat {
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw InterchangeError.input(path, failedWith: errno) }
        origin = .descriptor(descriptor, isOwned: true)
        stamp = FileStamp(descriptor)
        (mayWait, memoryByteCount) = (stamp == nil, nil)
    }

    /// Creates an input that reads from a file descriptor that the caller closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, such as 0 for standard input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    public convenience init(descriptor: Int32, name: String, blockSize: Int = defaultBlockSize) {
        self.init(descriptor: descriptor, isOwned: false, name: name, blockSize: blockSize)
    }

    /// Creates an input that reads from a file descriptor, and closes the descriptor at the end if it owns it.
    init(descriptor: Int32, isOwned: Bool, name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .descriptor(descriptor, isOwned: isOwned)
        stamp = FileStamp(descriptor)
        (mayWait, memoryByteCount) = (stamp == nil, nil)
    }

    /// Creates an input that reads from memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    public init(bytes: [UInt8], name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .memory(bytes, position: 0)
        (stamp, mayWait, memoryByteCount) = (nil, false, bytes.count)
    }

    /// Creates an input that reads the output of a filter over another input.
    init(_ filter: any ByteFilter, name: String, byteCount: Int?, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = blockSize
        origin = .filter(filter)
        (stamp, mayWait, memoryByteCount) = (nil, false, byteCount)
    }

    /// Returns an input that reads standard input, named `<stdin>`.
    ///
    /// - Returns: An input that does not close the descriptor.
    public static func standardInput() -> ByteInput {
        ByteInput(descriptor: STDIN_FILENO, name: "<stdin>")
    }

    deinit { close() }

    /// Closes the file if this input opened it.
    ///
    /// Later reads return 0, the end of the input. Repeated calls have no effect.
    public func close() {
        if case .descriptor(let descriptor, isOwned: true) = origin { closeDescriptor(descriptor) }
        origin = .closed
    }

    /// Reads the next block into a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The buffer. At most ``blockSize`` of its bytes from `offset` on are overwritten; its size does not
    ///     change.
    ///   - offset: The offset of the block in the buffer, 0 to the size of the buffer.
    /// - Returns: The number of bytes read; 0 at the end, or if the buffer has no room.
    /// - Throws: The system's error, with ``name``, or ``InterchangeError/Code/cancelled``.
    public func read(into buffer: inout [UInt8], at offset: Int) throws(InterchangeError) -> Int {
        let room = min(blockSize, buffer.count - offset)
        guard offset >= 0, room > 0 else { return 0 }
        if !peeked.isEmpty {
            let count = min(room, peeked.count)
            buffer.replaceSubrange(offset..<offset + count, with: peeked[..<count])
            peeked.removeFirst(count)
            return count
        }
        let count = try readBlock(into: &buffer, at: offset, room)
        note(count, in: buffer, at: offset)
        return count
    }

    /// Starts to count and digest all bytes that are read; for a compressed file, the decompressed bytes.
    ///
    /// Call this method before the first read. Bytes that were only peeked at are included.
    func beginDigest() {
        let digesting = RunningDigest()
        peeked.withUnsafeBytes { digesting.update($0) }
        self.digesting = digesting
    }

    /// Returns the digest of the bytes that were read; `nil` if no digest was started.
    ///
    /// Nothing may be read afterwards.
    func endDigest() -> FileDigest? {
        defer { digesting = nil }
        return digesting?.finish()
    }

    private func note(_ count: Int, in buffer: [UInt8], at offset: Int) {
        bytesRead += count
        guard let digesting else { return }
        buffer.withUnsafeBytes { digesting.update(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    }

    /// Moves back to the beginning; returns `false` if the bytes cannot be read again, for example those of a pipe.
    func rewind() -> Bool {
        switch origin {
        case .memory(let bytes, _): origin = .memory(bytes, position: 0)
        case .descriptor(let descriptor, isOwned: true):
            guard byteCount != nil, lseek(descriptor, 0, SEEK_SET) == 0 else { return false }
        case .descriptor, .filter, .closed: return false
        }
        peeked = []
        bytesRead = 0
        if digesting != nil { digesting = RunningDigest() }
        return true
    }

    /// Throws if the file changed after it was opened.
    ///
    /// The bytes that were read would then be neither the old nor the new content.
    ///
    /// - Throws: ``InterchangeError/Code/changed``.
    func checkUnchanged() throws(InterchangeError) {
        switch origin {
        case .filter(let filter): try filter.checkUnchanged()
        case .descriptor(let descriptor, _):
            guard let stamp, FileStamp(descriptor) != stamp else { return }
            throw InterchangeError(
                .changed, source: name,
                message: "the file changed while it was read; import the file again when no process writes to it")
        case .memory, .closed: return
        }
    }

    /// Returns the descriptor of an opened file, positioned at its beginning; `nil` if the input is not a file.
    func rewoundDescriptor() -> Int32? {
        guard case .descriptor(let descriptor, isOwned: true) = origin, rewind() else { return nil }
        return descriptor
    }

    /// Returns the next bytes without consuming them; fewer than `count` at the end of the input.
    func peek(_ count: Int) throws(InterchangeError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: blockSize)
        while peeked.count < count {
            let length = try readBlock(into: &buffer, at: 0, blockSize)
            guard length > 0 else { break }
            note(length, in: buffer, at: 0)
            peeked += buffer[..<length]
        }
        return Array(peeked.prefix(count))
    }

    private func readBlock(into buffer: inout [UInt8], at offset: Int, _ room: Int) throws(InterchangeError) -> Int {
        switch origin {
        case .closed:
            return 0
        case .memory(let bytes, let position):
            let count = min(room, bytes.count - position)
            buffer.replaceSubrange(offset..<offset + count, with: bytes[position..<position + count])
            origin = .memory(bytes, position: position + count)
            return count
        case .filter(let filter):
            return try filter.read(into: &buffer, at: offset, room, isCancelled: isCancelled)
        case .descriptor(let descriptor, _):
            while true {
                try waitForBytes(descriptor)
                let count = readBytes(descriptor, &buffer, offset: offset, count: room)
                if count >= 0 { return count }
                guard errno == EINTR else { throw InterchangeError.input(name, failedWith: errno) }
            }
        }
    }

    /// The time to wait for bytes between two calls of ``isCancelled``, in milliseconds.
    private static let millisecondsBetweenChecks: Int32 = 100

    /// Waits until a read returns at once, with bytes, with the end or with an error.
    private func waitForBytes(_ descriptor: Int32) throws(InterchangeError) {
        guard let isCancelled else { return }
        while true {
            guard !isCancelled() else {
                throw InterchangeError(.cancelled, source: name, message: "the reading was canceled")
            }
            guard mayWait else { return }
            var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let answer = poll(&question, 1, Self.millisecondsBetweenChecks)
            if answer > 0 || (answer < 0 && errno != EINTR) { return }
        }
    }
}

private func closeDescriptor(_ descriptor: Int32) {
    _ = close(descriptor)
}

/// Calls `read(2)`; the caller has checked that the range is inside the buffer.
private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8], offset: Int, count: Int) -> Int {
    buffer.withUnsafeMutableBytes { bytes in
        read(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count]).baseAddress, count)
    }
}
