import Foundation
import StrataFiles

/// A process of the system's gzip or zstd that compresses the bytes of a pipe into an open file.
final class CompressingTool {
    /// The output for the bytes to be compressed.
    let output: ByteOutput

    private let name: String
    private let path: String
    private let process: pid_t
    private let input: OpenFile
    private let messages: OpenFile
    private var isEnded = false

    /// Starts the compression tool in a separate process.
    ///
    /// - Parameters:
    ///   - compression: The compression, which determines the tool.
    ///   - target: The descriptor of the file to which the tool writes.
    ///   - path: The name of the file, for messages.
    /// - Throws: ``InterchangeError/Code/unsupported`` if the tool is not installed, or ``InterchangeError`` with the
    ///   system's error.
    init(_ compression: Compression, into target: Int32, path: String) throws(InterchangeError) {
        self.path = path
        name = compression.rawValue
        guard let into = ToolProcess.makePipe(), let err = ToolProcess.makePipe() else {
            throw InterchangeError.output(path, failedWith: errno)
        }
        defer { for end in [into.read, err.write] { end.close() } }
        var process: pid_t = 0
        let result = ToolProcess.spawn(
            compression.compressing, input: into.read.descriptor, output: target, errors: err.write.descriptor,
            process: &process)
        guard result == 0 else {
            if result == ENOENT {
                throw InterchangeError(
                    .unsupported, source: path,
                    message: "the file is to be compressed, but \(name) is not installed; install \(name), or choose "
                        + "another name")
            }
            throw InterchangeError.output(path, failedWith: result)
        }
        (self.process, input, messages) = (process, into.write, err.read)
        output = ByteOutput(descriptor: into.write.descriptor, name: path)
    }

    deinit { abandon() }

    /// Writes the buffered bytes, and waits until the tool has written all compressed bytes.
    ///
    /// - Throws: ``InterchangeError/Code/outputFailed`` if the tool failed, with the tool's error message if there is
    ///   one.
    func finish() throws(InterchangeError) {
        guard !isEnded else { return }
        var failure: InterchangeError?
        do throws(InterchangeError) { try output.flush() } catch { failure = error }
        isEnded = true
        input.close()
        let text = ToolProcess.message(from: messages.descriptor)
        messages.close()
        let status = ToolProcess.waitForEnd(process)
        // If the tool ended early, the flush fails with a broken pipe. The tool's own error is reported first, because
        // it is the cause.
        if status != 0 {
            throw InterchangeError(.outputFailed, source: path, message: "\(name) could not compress the file: \(text)")
        }
        if let failure { throw failure }
    }

    /// Kills the tool; the file may be incomplete.
    func abandon() {
        guard !isEnded else { return }
        isEnded = true
        kill(process, SIGKILL)
        input.close()
        messages.close()
        _ = ToolProcess.waitForEnd(process)
    }
}
