import Foundation
import StrataTesting

/// A folder of one test with paths and texts for readers and writers of files.
final class TemporaryDirectory {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.url.path }

    /// Returns the path of a file in the directory.
    func file(_ name: String) -> String { path + "/" + name }

    /// Returns the sorted names in the directory.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }
}
