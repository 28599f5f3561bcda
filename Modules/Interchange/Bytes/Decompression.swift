import Foundation
import StrataContainers
import StrataFiles

/// The compressions that the system's tools decompress and compress.
enum Compression: String, CaseIterable {
    case gzip, zstd

    /// The first bytes of every file with this compression.
    private var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        }
    }

    /// The command line that compresses standard input to standard output, without a file name or time in the result.
    var compressing: [String] {
        switch self {
        case .gzip: ["gzip", "-n", "-c"]
        case .zstd: ["zstd", "-q", "-c"]
        }
    }

    /// Creates the compression that the end of a file name indicates; returns `nil` if the end indicates none.
    init?(fileName: String) {
        let name = fileName.lowercased()
        switch true {
        case name.hasSuffix(".gz"): self = .gzip
        case name.hasSuffix(".zst"), name.hasSuffix(".zstd"): self = .zstd
        default: return nil
        }
    }

    /// Creates the compression that the first bytes of a file indicate; returns `nil` if the file is not compressed.
    init?(beginning: [UInt8]) {
        guard let found = Self.allCases.first(where: { beginning.starts(with: $0.magic) }) else { return nil }
        self = found
    }
}

extension ByteInput {
    /// Opens a file for reading; if its first bytes are those of gzip or zstd, the input decompresses it.
    ///
    /// The path can also name a file in a ZIP archive, as in `data.zip:people.csv`, or a sheet of a workbook, as in
    /// `book.xlsx:Sheet1` or `book.xlsx:Sheet1!A6:C900`. A sheet is read as CSV. If a workbook has only one sheet with
    /// cells, the path of the workbook is sufficient.
    ///
    /// The system's `gzip` or `zstd` decompresses the file in a separate process, which ends when the input is closed.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - blockSize: The maximum count of bytes that one read returns; clamped to 1...``maximumBlockSize``.
    /// - Returns: An input whose name is the path of the file.
    /// - Throws: The errors of ``init(path:blockSize:)``, or ``InterchangeError/Code/unsupported`` if the decompression
    ///   tool is not installed.
    public static func file(
        at path: String, blockSize: Int = defaultBlockSize
    ) throws(InterchangeError) -> ByteInput {
        if let member = MemberPath(path) { return try ByteInput.member(member, blockSize: blockSize) }
        let input = try ByteInput(path: path, blockSize: blockSize)
        // Peeking at a pipe would consume bytes that the tool needs, so only regular files are inspected.
        guard input.byteCount != nil else { return input }
        let beginning = try input.peek(8)
        if beginning.starts(with: ZipArchive.signature) {
            return try ByteInput.member(MemberPath(container: path), blockSize: blockSize)
        }
        try MemberPath.checkBeginning(beginning, of: path)
        guard let compression = Compression(beginning: beginning) else { return input }
        let filter = try DecompressionFilter(input, compression)
        return ByteInput(filter, name: path, byteCount: nil, blockSize: input.blockSize)
    }
}

/// A filter that reads a file through a decompression tool.
private final class DecompressionFilter: ByteFilter {
    private let name: String
    /// The compressed file, which stays open so that changes of the file are detected.
    private let file: ByteInput
    private let tool: String
    private let process: pid_t
    private let output: OpenFile
    private let messages: OpenFile
    private var isEnded = false
    /// The error of the tool; every later read throws it again, because the bytes that were read are incomplete.
    private var failure: InterchangeError?

    init(_ file: ByteInput, _ compression: Compression) throws(InterchangeError) {
        let path = file.name
        (self.file, name) = (file, path)
        tool = compression.rawValue
        guard let descriptor = file.rewoundDescriptor() else { throw InterchangeError.input(path, failedWith: errno) }
        guard let out = ToolProcess.makePipe(), let err = ToolProcess.makePipe() else {
            throw InterchangeError.input(path, failedWith: errno)
        }
        defer { for end in [out.write, err.write] { end.close() } }
        var child: pid_t = 0
        let result = ToolProcess.spawn(
            compression == .zstd ? ["zstd", "-q", "-d", "-c"] : ["gzip", "-d", "-c"], input: descriptor,
            output: out.write.descriptor, errors: err.write.descriptor, process: &child
        )
        (output, messages, process) = (out.read, err.read, child)
        guard result == 0 else {
            isEnded = true
            if result == ENOENT {
                throw InterchangeError(
                    .unsupported, source: path,
                    message: "the file is compressed, but \(tool) is not installed; install \(tool), or decompress the "
                        + "file")
            }
            throw InterchangeError.input(path, failedWith: result)
        }
    }

    deinit {
        guard !isEnded else { return }
        kill(process, SIGKILL)
        _ = ToolProcess.waitForEnd(process)
    }

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        if let failure { throw failure }
        guard !isEnded else { return 0 }
        let source = ByteInput(descriptor: output.descriptor, name: name, blockSize: room)
        source.isCancelled = isCancelled
        let count = try source.read(into: &buffer, at: offset)
        if count > 0 { return count }
        let text = ToolProcess.message(from: messages.descriptor)
        let status = ToolProcess.waitForEnd(process)
        isEnded = true
        output.close()
        messages.close()
        guard status == 0 else {
            let error = InterchangeError(
                .malformed, source: name, message: "\(tool) could not decompress the file: \(text)")
            failure = error
            throw error
        }
        return 0
    }

    func checkUnchanged() throws(InterchangeError) { try file.checkUnchanged() }
}
