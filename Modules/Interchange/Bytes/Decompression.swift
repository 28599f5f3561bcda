#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The compressions that are read through the system's tools.
enum Compression: String, CaseIterable {
    case gzip, zstd

    /// What such files begin with.
    private var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// The compression of a file that begins so; nil when it is none of these.
    init?(beginning: [UInt8]) {
        guard let found = Self.allCases.first(where: { beginning.starts(with: $0.magic) }) else { return nil }
        self = found
    }
}

extension ByteInput {
    /// Opens a file for reading, and decompresses it where it is a gzip or zstd file, whatever its name.
    ///
    /// The system's `gzip` or `zstd` does that in a process of its own, which ends with the input.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - blockSize: The most bytes that one read gives; brought into 1...``maximumBlockSize``.
    /// - Returns: An input whose name is the path.
    /// - Throws: What ``init(path:blockSize:)`` throws, or ``InterchangeError/Code/unsupported`` when the tool is not installed.
    public static func file(
        at path: String, blockSize: Int = defaultBlockSize
    ) throws(InterchangeError) -> ByteInput {
        let input = try ByteInput(path: path, blockSize: blockSize)
        // Looking at a pipe would take its bytes away from the tool.
        guard input.byteCount != nil, let compression = Compression(beginning: try input.peek(4)) else { return input }
        input.close()
        let filter = try DecompressionFilter(path, compression)
        return ByteInput(filter, name: path, byteCount: nil, blockSize: input.blockSize)
    }
}

/// The output of a tool that decompresses a file.
private final class DecompressionFilter: ByteFilter {
    private let name: String
    private let tool: String
    private let process: pid_t
    private var output: Int32
    private var messages: Int32
    private var isEnded = false
    private var failure: InterchangeError?

    init(_ path: String, _ compression: Compression) throws(InterchangeError) {
        name = path
        tool = compression.rawValue
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw InterchangeError.input(path, failedWith: errno) }
        defer { _ = close(file) }
        var out: [Int32] = [-1, -1]
        var err: [Int32] = [-1, -1]
        guard pipe(&out) == 0 else { throw InterchangeError.input(path, failedWith: errno) }
        guard pipe(&err) == 0 else {
            let number = errno
            for descriptor in out { _ = close(descriptor) }
            throw InterchangeError.input(path, failedWith: number)
        }
        for descriptor in out + err { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        defer { for descriptor in [out[1], err[1]] { _ = close(descriptor) } }
        var child: pid_t = 0
        let result = Self.spawn([tool, "-d", "-c"], file, out[1], err[1], &child)
        (output, messages, process) = (out[0], err[0], child)
        guard result == 0 else {
            isEnded = true
            closePipes()
            if result == ENOENT {
                throw InterchangeError(
                    .unsupported, source: path,
                    message: "is compressed, and \(tool) is not installed; install it, or decompress the file")
            }
            throw InterchangeError.input(path, failedWith: result)
        }
    }

    deinit {
        guard !isEnded else { return }
        kill(process, SIGKILL)
        _ = waitForEnd()
        closePipes()
    }

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        // Who asks again, because the first answer was of no use to it, gets the same one.
        if let failure { throw failure }
        guard !isEnded else { return 0 }
        let source = ByteInput(descriptor: output, name: name, blockSize: room)
        source.isCancelled = isCancelled
        let count = try source.read(into: &buffer, at: offset)
        if count > 0 { return count }
        let text = readMessages()
        let status = waitForEnd()
        isEnded = true
        closePipes()
        guard status == 0 else {
            let error = InterchangeError(
                .malformed, source: name,
                message: "\(tool) could not decompress it: \(text.isEmpty ? "it failed" : text)")
            failure = error
            throw error
        }
        return 0
    }

    /// The first line of what the tool says, without its own name and the file's.
    private func readMessages() -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let input = ByteInput(descriptor: messages, name: name, blockSize: buffer.count)
        let count = (try? input.read(into: &buffer, at: 0)) ?? 0
        let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.contains(": ") }) ?? lines.first else { return "" }
        return line.split(separator: ":").last.map { String($0.drop { $0 == " " }) } ?? ""
    }

    /// The tool's exit status; not 0 when it was ended by a signal.
    private func waitForEnd() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status
    }

    private func closePipes() {
        _ = close(output)
        _ = close(messages)
    }

    /// Starts a tool in a process group of its own, so that an interrupt from the keyboard is told to this process alone.
    private static func spawn(
        _ words: [String], _ input: Int32, _ output: Int32, _ errors: Int32, _ process: inout pid_t
    ) -> Int32 {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETPGROUP))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    }
}
