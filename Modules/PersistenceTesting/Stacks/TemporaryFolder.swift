public import Foundation

/// A folder of its own for one test, removed with all it holds when the last reference goes.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes a folder with a name nobody has.
    ///
    /// - Throws: What the file system says when it cannot be made.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A file in the folder, which need not exist.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: Where it is, or would be.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    deinit {
        // A folder that cannot be removed is left to the system's own cleaning; a test has no use for the error.
        _ = try? FileManager.default.removeItem(at: url)
    }
}
