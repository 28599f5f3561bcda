public import Foundation

/// The checkout of the repository that the tests were built from.
public enum Checkout {
    /// The folder that contains `Package.swift`.
    public static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent("Makefile").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()
}
