import Foundation
import StrataTestSupport

/// A temporary folder of a test, which is removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        // If the folder is missing, the test fails when it writes its first file.
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, and creates its folders.
    func write(_ text: String, to name: String) throws {
        let url = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try data(name), as: UTF8.self)
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }

    /// The sorted names of all files.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The datasets of the repository.
enum Fixtures {
    private static let folder = Checkout.root.appendingPathComponent("Fixtures")

    static let xkcd = folder.appendingPathComponent("colors/xkcd.json").path
    static let crayola = folder.appendingPathComponent("colors/crayola.json").path
    static let employees = folder.appendingPathComponent("oracle-hr/employees.csv").path
}
