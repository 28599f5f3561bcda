import Foundation
import StrataFiles

/// A source of bytes that is read block by block: a file, standard input, or memory.
///
/// Reading needs the memory of one block, independent of the size of the input. Do not use one instance from several
/// threads at once.
public final class ByteInput {
    /// The default maximum count of bytes that one read returns.
    ///
    /// A block of this size makes the cost of system calls negligible and fits in a processor's cache.
    public static let defaultBlockSize = 256 * 1024

    /// The greatest allowed ``blockSize``, 64 MiB; larger blocks are not faster.
    public static let maximumBlockSize = 64 * 1024 * 1024

    /// The name of the input in messages: the path that the caller specified, or `<stdin>`.
    public let name: String

    /// The maximum count of bytes that one read returns, 1 to ``maximumBlockSize``.
    public let blockSize: Int

    /// A closure that returns `true` to cancel the reading.
    ///
    /// The closure is called before every block. If the input is not a regular file and has no data, it is also called
    /// ten times a second. If it returns `true`, the read throws ``InterchangeError/Code/cancelled``.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The name of the encoding of the input's original bytes, before their conversion to UTF-8, for messages.
    public internal(set) var encodingName = "UTF-8"

    /// The count of bytes that were read from the input; for a compressed file, the count of decompressed bytes.
    public private(set) var bytesRead = 0

    /// The size of the input in bytes; `nil` if it is unknown because the input is a pipe, a device or a compressed
    /// file.
    public var byteCount: Int? { status.map { Int($0.byteCount) } ?? memoryByteCount }

    /// The sheet whose rows the input converts to CSV; `nil` for other inputs.
    var sheet: SheetFilter?

    /// A Boolean value that indicates whether quotes distinguish texts from numbers, dates and Boolean values.
    package var hasTypedCells: Bool { sheet != nil }

    /// The status of the file when it was opened; `nil` if it is not a regular file.
    private let status: FileStatus?
    private let memoryByteCount: Int?

    /// The digest of the bytes that were read; `nil` unless ``beginDigest()`` was called.
    private var digesting: RunningDigest?

    private var origin: InputOrigin
    /// The bytes that ``peek(_:)`` returned and no read has returned yet.
    private var peeked: [UInt8] = []
    /// A Boolean value that indicates whether a read may wait for another process, as for a terminal, a pipe or a
    /// socket.
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
    ///   ``InterchangeError/Code/unreadable``, with the path and the system's error text.
    public init(path: String, blockSize: Int = defaultBlockSize) throws(InterchangeError) {
        name = path
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        guard !path.utf8.contains(0) else { throw InterchangeError.input(path, failedWith: ENOENT) }
        let descriptor = withoutInterruption { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw InterchangeError.input(path, failedWith: errno) }
        origin = .descriptor(descriptor, isOwned: true)
        status = Self.status(descriptor)
        (mayWait, memoryByteCount) = (status == nil, nil)
    }

    /// Creates an input that reads from a file descriptor; the caller closes the descriptor.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, such as 0 for standard input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    public convenience init(descriptor: Int32, name: String, blockSize: Int = defaultBlockSize) {
        self.init(descriptor: descriptor, isOwned: false, name: name, blockSize: blockSize)
    }

    /// Creates an input that reads from a file descriptor; if the input owns the descriptor, the input closes it.
    init(descriptor: Int32, isOwned: Bool, name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .descriptor(descriptor, isOwned: isOwned)
        status = Self.status(descriptor)
        (mayWait, memoryByteCount) = (status == nil, nil)
    }

    /// Creates an input that reads from memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    public init(bytes: [UInt8], name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .memory(bytes, position: 0)
        (status, mayWait, memoryByteCount) = (nil, false, bytes.count)
    }

    /// Creates an input that reads the bytes that a filter converts.
    init(_ filter: any ByteFilter, name: String, byteCount: Int?, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = blockSize
        origin = .filter(filter)
        (status, mayWait, memoryByteCount) = (nil, false, byteCount)
    }

    /// Returns an input that reads standard input, named `<stdin>`.
    ///
    /// - Returns: An input that does not close the descriptor.
    public static func standardInput() -> ByteInput {
        ByteInput(descriptor: STDIN_FILENO, name: "<stdin>")
    }

    deinit { close() }

    /// Returns the status of an open file, or `nil` if it is not a regular file.
    private static func status(_ descriptor: Int32) -> FileStatus? {
        FileStatus(descriptor: descriptor).flatMap { $0.isRegular ? $0 : nil }
    }

    /// Closes the file if this input opened it.
    ///
    /// Later reads return 0, as at the end of the input. Repeated calls have no effect.
    public func close() {
        if case .descriptor(let descriptor, isOwned: true) = origin { _ = Foundation.close(descriptor) }
        origin = .closed
    }

    /// Reads the next block into a buffer.
    ///
    /// - Parameters:
    ///   - buffer: The buffer. At most ``blockSize`` of its bytes, beginning at `offset`, are overwritten; the size of
    ///     the buffer does not change.
    ///   - offset: The offset of the block in the buffer, 0 to the size of the buffer.
    /// - Returns: The number of bytes read, which is 0 at the end of the input, or if `offset` is the size of the
    ///   buffer.
    /// - Throws: ``InterchangeError`` with ``name`` and the system's error text, or
    ///   ``InterchangeError/Code/cancelled``.
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

    /// Begins to compute the count and the digest of all bytes that are read; for a compressed file, of the
    /// decompressed bytes.
    ///
    /// Call this method before the first read. Bytes that ``peek(_:)`` returned are included.
    func beginDigest() {
        let digesting = RunningDigest()
        peeked.withUnsafeBytes { digesting.update($0) }
        self.digesting = digesting
    }

    /// Returns the count and the digest of the bytes that were read; `nil` if ``beginDigest()`` was not called.
    ///
    /// Do not read from the input after this call.
    func endDigest() -> FileDigest? {
        defer { digesting = nil }
        return digesting?.finish()
    }

    private func note(_ count: Int, in buffer: [UInt8], at offset: Int) {
        bytesRead += count
        guard let digesting else { return }
        buffer.withUnsafeBytes { digesting.update(UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
    }

    /// Moves to the beginning of the input; returns `false` if that is not possible, as for a pipe.
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

    /// Throws an error if the file changed after it was opened.
    ///
    /// If the file changed, the bytes that were read may be neither its old nor its new content.
    ///
    /// - Throws: ``InterchangeError/Code/changed`` if the file changed.
    func checkUnchanged() throws(InterchangeError) {
        switch origin {
        case .filter(let filter): try filter.checkUnchanged()
        case .descriptor(let descriptor, _):
            guard let status, FileStatus(descriptor: descriptor)?.stamp != status.stamp else { return }
            throw InterchangeError(
                .changed, source: name,
                message: "the file changed while it was read; import the file again when no process writes to it")
        case .memory, .closed: return
        }
    }

    /// Returns the descriptor of the input's file, positioned at the beginning of the file; `nil` if the input is not a
    /// file.
    func rewoundDescriptor() -> Int32? {
        guard case .descriptor(let descriptor, isOwned: true) = origin, rewind() else { return nil }
        return descriptor
    }

    /// Returns the next bytes without consuming them; at the end of the input, there may be fewer than `count`.
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
                let count = buffer.withUnsafeMutableBytes {
                    Foundation.read(descriptor, $0.baseAddress.map { $0 + offset }, room)
                }
                if count >= 0 { return count }
                guard errno == EINTR else { throw InterchangeError.input(name, failedWith: errno) }
            }
        }
    }

    /// The time in milliseconds between two calls of ``isCancelled`` while the input has no bytes.
    private static let millisecondsBetweenChecks: Int32 = 100

    /// Waits until a read from the descriptor would return immediately, with bytes, at the end, or with an error.
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
