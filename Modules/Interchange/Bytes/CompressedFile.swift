#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An ``AtomicFile`` that is compressed if its name says so: `.gz` by the system's gzip, `.zst` by its zstd.
///
/// ```swift
/// let file = try CompressedFile(path: "colors.csv.gz")
/// try file.output.append(bytes)
/// try file.commit()
/// ```
///
/// Do not use one instance from several threads at once.
public final class CompressedFile {
    /// The output for the bytes before compression.
    public let output: ByteOutput

    private let file: AtomicFile
    private let tool: CompressingTool?

    /// Creates the temporary file next to the target, and starts the compression tool if one is needed.
    ///
    /// - Parameter path: The target's path.
    /// - Throws: The errors of ``AtomicFile/init(path:)``, or ``InterchangeError/Code/unsupported`` if the tool is not
    ///   installed.
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

    /// Writes the buffered bytes and replaces the target with the file.
    ///
    /// - Throws: The errors of ``AtomicFile/commit()``, or ``InterchangeError/Code/outputFailed`` if the tool failed.
    public func commit() throws(InterchangeError) {
        do throws(InterchangeError) {
            try tool?.finish()
        } catch {
            discard()
            throw error
        }
        try file.commit()
    }

    /// Discards the new content and removes the temporary file.
    ///
    /// Repeated calls, and calls after a commit, have no effect.
    public func discard() {
        tool?.abandon()
        file.discard()
    }
}
