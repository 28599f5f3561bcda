import Foundation
import StrataTestSupport
import Testing

/// Tests that the page “Architecture” describes every folder of `Modules`.
@Suite("The page “Architecture”")
struct ArchitecturePageTests {
    private static let modules = Checkout.root.appendingPathComponent("Modules")

    /// Returns the folders with Swift files, relative to `Modules`.
    private static func folders() throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(at: modules, includingPropertiesForKeys: nil))
        var folders: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            folders.insert(String(file.deletingLastPathComponent().path.dropFirst(modules.path.count + 1)))
        }
        return folders
    }

    @Test("the table of the page contains every folder of Modules once")
    func everyFolder() throws {
        let page = Self.modules.appendingPathComponent("Persistence/Stack/StrataPersistence.docc/Architecture.md")
        let rows = try String(contentsOf: page, encoding: .utf8)
            .split(separator: "\n").drop { $0 != "| target | folder | contents |" }.dropFirst(2).prefix {
                $0.hasPrefix("|")
            }
        let listed = rows.flatMap { row in
            row.split(separator: "|")[1].split(separator: ",").map { $0.filter { $0 != " " && $0 != "`" } }
        }
        // Folders of Persistence are listed without the name of that folder.
        let names = try Self.folders().map { $0.hasPrefix("Persistence/") ? String($0.dropFirst(12)) : $0 }
        #expect(listed.sorted() == names.sorted())
    }
}
