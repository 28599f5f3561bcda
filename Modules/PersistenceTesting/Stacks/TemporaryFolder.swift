public import Foundation

/// A separate folder for one test, which is removed with its contents when the last reference is released.
///
/// The folder is inside the temporary folder of the system, with a name that begins with `strata-`. Folders of tests
/// that run at the same time are different. If a test crashes, its folder remains until the system removes it.
///
/// Retain the folder as long as its files are used. An open file does not retain it.
///
/// ## Topics
///
/// ### Creating a folder
///
/// - ``init()``
///
/// ### Locating files
///
/// - ``url``
/// - ``file(_:)``
public final class TemporaryFolder: Sendable {
    /// The location of the folder.
    public let url: URL

    /// Creates a folder with a unique name.
    ///
    /// - Throws: The error of the file system if the folder cannot be created.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Returns the location of a file in the folder, which need not exist.
    ///
    /// The method does not create the file, and does not check the name.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: The location.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    deinit {
        // If a folder cannot be removed, the system's own cleanup removes it later. The test does not need the error.
        _ = try? FileManager.default.removeItem(at: url)
    }
}
