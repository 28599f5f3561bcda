#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A source of bytes, read block by block: a file, standard input, or memory.
///
/// The memory needed is one block, whatever the size of the input. Not to be used from several threads at once.
public final class ByteInput {
    /// The size of a block unless said otherwise: large enough that the system calls do not show, small enough to stay in
    /// a processor's cache.
    public static let defaultBlockSize = 256 * 1024

    /// The largest size of a block, 64 MiB; larger ones gain nothing.
    public static let maximumBlockSize = 64 * 1024 * 1024

    /// The name of the input for messages: the path as it was given, or `<stdin>`.
    public let name: String

    /// The most bytes that one read gives, 1 to ``maximumBlockSize``.
    public let blockSize: Int

    /// Asked before every block, and ten times a second while an input that is no regular file has nothing to give.
    ///
    /// True ends the reading with ``InterchangeError/Code/cancelled``.
    public var isCancelled: (@Sendable () -> Bool)?

    /// The name of the encoding that the bytes were in before they became UTF-8, for messages.
    public internal(set) var encodingName = "UTF-8"

    /// How many bytes of the file were read; of a compressed one, those of the text.
    public private(set) var bytesRead = 0

    /// The size of the file in bytes; nil for what is no regular file, and for a compressed one.
    public var byteCount: Int? { stamp?.byteCount ?? memoryByteCount }

    /// What the file was like when it was opened; nil for what is no regular file.
    private let stamp: FileStamp?
    private let memoryByteCount: Int?

    /// What is made of the bytes while they are read; see ``beginDigest()``.
    private var digesting: RunningDigest?

    private var origin: InputOrigin
    /// Bytes that were looked at and not read yet.
    private var peeked: [UInt8] = []
    /// Whether a read may wait for somebody who writes: a terminal, a pipe, a socket.
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
    ///   - blockSize: The most bytes that one read gives; brought into 1...``maximumBlockSize``.
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

    /// Reads from a file descriptor that somebody else closes.
    ///
    /// - Parameters:
    ///   - descriptor: An open descriptor, such as 0 for standard input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The most bytes that one read gives; brought into 1...``maximumBlockSize``.
    public convenience init(descriptor: Int32, name: String, blockSize: Int = defaultBlockSize) {
        self.init(descriptor: descriptor, isOwned: false, name: name, blockSize: blockSize)
    }

    /// Reads from a file descriptor, and closes it at the end where it is its own.
    init(descriptor: Int32, isOwned: Bool, name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .descriptor(descriptor, isOwned: isOwned)
        stamp = FileStamp(descriptor)
        (mayWait, memoryByteCount) = (stamp == nil, nil)
    }

    /// Reads from memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole input.
    ///   - name: The name of the input for messages.
    ///   - blockSize: The most bytes that one read gives; brought into 1...``maximumBlockSize``.
    public init(bytes: [UInt8], name: String, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = min(max(1, blockSize), Self.maximumBlockSize)
        origin = .memory(bytes, position: 0)
        (stamp, mayWait, memoryByteCount) = (nil, false, bytes.count)
    }

    /// Reads what something makes of another input.
    init(_ filter: any ByteFilter, name: String, byteCount: Int?, blockSize: Int = defaultBlockSize) {
        self.name = name
        self.blockSize = blockSize
        origin = .filter(filter)
        (stamp, mayWait, memoryByteCount) = (nil, false, byteCount)
    }

    /// Standard input, named `<stdin>`.
    ///
    /// - Returns: An input that leaves the descriptor open.
    public static func standardInput() -> ByteInput {
        ByteInput(descriptor: STDIN_FILENO, name: "<stdin>")
    }

    deinit { close() }

    /// Closes the file, if this input opened it; reading afterwards gives the end.
    ///
    /// Harmless when repeated.
    public func close() {
        if case .descriptor(let descriptor, isOwned: true) = origin { closeDescriptor(descriptor) }
        origin = .closed
    }

    /// Reads the next block into a buffer.
    ///
    /// - Parameters:
    ///   - buffer: Its bytes from `offset` on are overwritten, at most ``blockSize`` of them; its size stays.
    ///   - offset: Where to put the block, 0 to the size of the buffer.
    /// - Returns: The number of bytes read; 0 at the end, or when the buffer has no room.
    /// - Throws: The system's refusal, with ``name``, or ``InterchangeError/Code/cancelled``.
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

    /// Has all bytes counted and digested, of a compressed file those of the text; none but those that were looked at may have been read.
    func beginDigest() {
        let digesting = RunningDigest()
        peeked.withUnsafeBytes { digesting.update($0) }
        self.digesting = digesting
    }

    /// What was read; nil where nobody asked for a digest.
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

    /// Begins anew; false where the bytes that were read are gone, as those of a pipe.
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

    /// Makes sure that nobody has written to the file since it was opened: what was read would be neither what it was nor what it is.
    ///
    /// - Throws: ``InterchangeError/Code/changed``.
    func checkUnchanged() throws(InterchangeError) {
        switch origin {
        case .filter(let filter): try filter.checkUnchanged()
        case .descriptor(let descriptor, _):
            guard let stamp, FileStamp(descriptor) != stamp else { return }
            throw InterchangeError(
                .changed, source: name,
                message: "the file changed while it was read; import it again when nobody writes to it")
        case .memory, .closed: return
        }
    }

    /// The descriptor of a file that was opened, back at its beginning; nil for what is no file.
    func rewoundDescriptor() -> Int32? {
        guard case .descriptor(let descriptor, isOwned: true) = origin, rewind() else { return nil }
        return descriptor
    }

    /// The first bytes that are still to be read, without reading them; fewer at the end.
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

    /// How long to wait for bytes between two questions whether to stop.
    private static let millisecondsBetweenChecks: Int32 = 100

    /// Returns when a read has something to say, be it an error.
    private func waitForBytes(_ descriptor: Int32) throws(InterchangeError) {
        guard let isCancelled else { return }
        while true {
            guard !isCancelled() else {
                throw InterchangeError(.cancelled, source: name, message: "the reading was ended from outside")
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

/// `read(2)`; the caller has checked that the range lies in the buffer.
private func readBytes(_ descriptor: Int32, _ buffer: inout [UInt8], offset: Int, count: Int) -> Int {
    buffer.withUnsafeMutableBytes { bytes in
        read(descriptor, UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count]).baseAddress, count)
    }
}
