import Foundation
import StrataTesting

/// A folder of its own for one test, by paths and texts, as readers and writers of files take them.
final class TemporaryDirectory {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.url.path }

    /// The path of something in the directory.
    func file(_ name: String) -> String { path + "/" + name }

    /// The names in the directory, in order.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    }

    func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: file(name))), as: UTF8.self)
    }
}
