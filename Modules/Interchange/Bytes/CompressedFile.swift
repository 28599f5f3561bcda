/// An ``AtomicFile`` that is compressed if its name ends with `.gz` (by the system's gzip) or `.zst` (by the system's
/// zstd).
///
/// ```swift
/// let file = try CompressedFile(path: "colors.csv.gz")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// Do not use one instance from several threads at once.
public final class CompressedFile {
    /// The output for the bytes to be compressed.
    public let output: ByteOutput

    private let file: AtomicFile
    private let tool: CompressingTool?

    /// Creates a temporary file next to the target, and starts the compression tool if the file name requires one.
    ///
    /// - Parameter path: The path of the target.
    /// - Throws: The errors of ``AtomicFile/init(path:)``, or ``InterchangeError/Code/unsupported`` if the compression
    ///   tool is not installed.
    public init(path: String) throws(InterchangeError) {
        file = try AtomicFile(path: path)
        guard let compression = Compression(fileName: path) else {
            (tool, output) = (nil, file.output)
            return
        }
        do throws(InterchangeError) {
            let tool = try CompressingTool(compression, into: file.descriptor, path: path)
            (self.tool, output) = (tool, tool.output)
        } catch {
            file.discard()
            throw error
        }
    }

    deinit { discard() }

    /// Writes the buffered bytes and replaces the target with the complete file.
    ///
    /// - Throws: The errors of ``AtomicFile/commit()``, or ``InterchangeError/Code/outputFailed`` if the compression
    ///   tool failed.
    public func commit() throws(InterchangeError) {
        do throws(InterchangeError) {
            try tool?.finish()
        } catch {
            discard()
            throw error
        }
        try file.commit()
    }

    /// Discards the new content and removes the temporary file, so that the target is unchanged.
    ///
    /// Repeated calls, and calls after a commit, have no effect.
    public func discard() {
        tool?.abandon()
        file.discard()
    }
}
