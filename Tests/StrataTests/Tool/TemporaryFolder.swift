import Foundation

/// A folder of a test's own, removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        // A test whose folder is missing fails at its first file and says so.
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try data(name), as: UTF8.self)
    }

    func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path(name)))
    }

    /// The names of all files, sorted.
    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }
}

/// The datasets of the repository.
enum Fixtures {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    static let xkcd = folder.appendingPathComponent("colors/xkcd.json").path
    static let crayola = folder.appendingPathComponent("colors/crayola.json").path
    static let employees = folder.appendingPathComponent("oracle-hr/employees.csv").path
}
