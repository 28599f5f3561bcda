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
    private let tool: CompressingTool?

    /// Creates the temporary file beside the target, and starts the tool where one is needed.
    ///
    /// - Parameter path: The target's path.
    /// - Throws: What ``AtomicFile/init(path:)`` throws, or ``InterchangeError/Code/unsupported`` when the tool is not installed.
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

    /// Writes what is left, and puts the file in the target's place.
    ///
    /// - Throws: What ``AtomicFile/commit()`` throws, or ``InterchangeError/Code/outputFailed`` when the tool failed.
    public func commit() throws(InterchangeError) {
        do throws(InterchangeError) {
            try tool?.finish()
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
        tool?.abandon()
        file.discard()
    }
}
