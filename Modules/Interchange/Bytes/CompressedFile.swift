#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that is there whole or not at all, compressed where its name says so: `.gz` by the system's gzip, `.zst` by its zstd.
///
/// ```swift
/// let file = try CompressedFile(path: "colors.csv.gz")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// Not to be used from several threads at once.
public final class CompressedFile {
    /// Where to write, before it is compressed.
    public let output: ByteOutput

    private let file: AtomicFile
    private let path: String
    private var tool: (name: String, process: pid_t, input: Int32, messages: Int32)?

    /// Creates the temporary file beside the target, and starts the tool where one is needed.
    ///
    /// - Parameter path: The target's path.
    /// - Throws: What ``AtomicFile/init(path:)`` throws, or ``InterchangeError/Code/unsupported`` when the tool is not installed.
    public init(path: String) throws(InterchangeError) {
        self.path = path
        file = try AtomicFile(path: path)
        guard let compression = Compression(fileName: path) else {
            output = file.output
            return
        }
        do throws(InterchangeError) {
            let started = try Self.start(compression, path: path, target: file.descriptor)
            tool = started
            output = ByteOutput(descriptor: started.input, name: path)
        } catch {
            file.discard()
            throw error
        }
    }

    deinit { discard() }

    /// Writes what is left, and puts the file in the target's place.
    ///
    /// - Throws: What ``AtomicFile/commit()`` throws, or ``InterchangeError/Code/outputFailed`` when the tool failed.
    public func commit() throws(InterchangeError) {
        do throws(InterchangeError) {
            try output.flush()
            try endTool()
        } catch {
            discard()
            throw error
        }
        try file.commit()
    }

    /// Gives the new content up and removes the temporary file.
    ///
    /// Harmless when repeated, and after a commit.
    public func discard() {
        if let tool {
            kill(tool.process, SIGKILL)
            _ = close(tool.input)
            _ = close(tool.messages)
            _ = ToolProcess.waitForEnd(tool.process)
        }
        tool = nil
        file.discard()
    }

    private func endTool() throws(InterchangeError) {
        guard let tool else { return }
        self.tool = nil
        _ = close(tool.input)
        let text = ToolProcess.message(from: tool.messages)
        _ = close(tool.messages)
        guard ToolProcess.waitForEnd(tool.process) == 0 else {
            throw InterchangeError(.outputFailed, source: path, message: "\(tool.name) could not write it: \(text)")
        }
    }

    private static func start(
        _ compression: Compression, path: String, target: Int32
    ) throws(InterchangeError) -> (name: String, process: pid_t, input: Int32, messages: Int32) {
        guard let into = ToolProcess.makePipe() else { throw InterchangeError.output(path, failedWith: errno) }
        guard let err = ToolProcess.makePipe() else {
            let number = errno
            for descriptor in [into.read, into.write] { _ = close(descriptor) }
            throw InterchangeError.output(path, failedWith: number)
        }
        defer { for descriptor in [into.read, err.write] { _ = close(descriptor) } }
        var process: pid_t = 0
        let name = compression.rawValue
        let result = ToolProcess.spawn(
            compression.compressing, input: into.read, output: target, errors: err.write, process: &process)
        guard result == 0 else {
            for descriptor in [into.write, err.read] { _ = close(descriptor) }
            if result == ENOENT {
                throw InterchangeError(
                    .unsupported, source: path,
                    message: "is to be compressed, and \(name) is not installed; install it, or choose another name")
            }
            throw InterchangeError.output(path, failedWith: result)
        }
        return (name, process, into.write, err.read)
    }
}
