import Foundation
import StrataTestSupport
import Testing

/// Tests that the page “Architecture” describes every folder of `Modules`, and that its walks name existing files.
@Suite("The page “Architecture”")
struct ArchitecturePageTests {
    private static let modules = Checkout.root.appendingPathComponent("Modules")
    private static let page = modules.appendingPathComponent(
        "Persistence/Stack/StrataPersistence.docc/Architecture.md")

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
        let rows = try String(contentsOf: Self.page, encoding: .utf8)
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

    // MARK: Walks

    /// The heading of the section with the walks.
    private static let heading = "## Four walks through the code"

    /// Returns the steps of each walk in a page; a walk begins with a heading of the third level.
    private static func walks(in page: String) -> [[String]] {
        let section = page.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") }
        var walks: [[String]] = []
        for line in section {
            if line.hasPrefix("### ") {
                walks.append([])
                continue
            }
            guard var steps = walks.popLast() else { continue }
            let digits = line.prefix { $0.isNumber }
            if !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") {
                steps.append(String(line))
            } else if line.hasPrefix("   "), let step = steps.popLast() {
                steps.append(step + " " + line.drop { $0 == " " })
            }
            walks.append(steps)
        }
        return walks
    }

    /// Returns a Boolean value that indicates whether a file with a name exists below `Modules` or in `Apps`.
    private static func exists(_ name: String) -> Bool {
        let folder = name.hasPrefix("Apps/") ? Checkout.root : modules
        return FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    /// Returns the faults of the walks in a page: a wrong number of walks or steps, and steps that do not name exactly
    /// one existing file.
    private static func faults(ofWalksIn page: String) -> [String] {
        let walks = walks(in: page)
        var faults = walks.count == 4 ? [] : ["\(walks.count) walks"]
        for (walk, steps) in walks.enumerated() {
            if !(1...15).contains(steps.count) { faults.append("walk \(walk + 1): \(steps.count) steps") }
            for (index, step) in steps.enumerated() {
                if !step.hasPrefix("\(index + 1). ") { faults.append("walk \(walk + 1): the number of “\(step)”") }
                // Texts in backticks have odd indexes.
                let parts = step.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                let files = parts.filter { !$0.offset.isMultiple(of: 2) && $0.element.hasSuffix(".swift") }
                if files.count != 1 { faults.append("walk \(walk + 1): \(files.count) files in “\(step)”") }
                for file in files where !exists(String(file.element)) {
                    faults.append("walk \(walk + 1): \(file.element) does not exist")
                }
            }
        }
        return faults
    }

    @Test("the page has four walks of at most 15 steps, each of which names one existing file")
    func walks() throws {
        #expect(Self.faults(ofWalksIn: try String(contentsOf: Self.page, encoding: .utf8)) == [])
    }

    /// Returns a page with the steps of walks.
    private static func page(_ walks: [[String]]) -> String {
        var lines = ["# Architecture", heading]
        for steps in walks {
            lines += ["### A walk", ""]
            for (index, step) in steps.enumerated() { lines.append("\(index + 1). \(step)") }
        }
        return lines.joined(separator: "\n") + "\n## Folders"
    }

    @Test("the check of the walks finds every kind of fault")
    func faultyWalks() {
        let step = "`Persistence/Stack/Exports.swift`: The module exports\n   other modules, such as `StrataCore`."
        let walk = [step, "`Apps/strata/main.swift`: The tool starts."]
        #expect(Self.faults(ofWalksIn: Self.page([walk, walk, walk, walk])) == [])
        #expect(Self.faults(ofWalksIn: "# Architecture") == ["0 walks"])
        #expect(Self.faults(ofWalksIn: Self.page([walk, walk, walk])) == ["3 walks"])
        let faulty = [
            [], Array(repeating: step, count: 16), ["The module exports others."], ["`Persistence/Stack`: A folder."],
            ["`Persistence/Stack/Missing.swift`: A file."], ["`main.swift`: A file without its folder."],
            [step + " `Persistence/Core/Values/StoredValue.swift`"],
        ]
        for steps in faulty { #expect(Self.faults(ofWalksIn: Self.page([walk, walk, walk, steps])).count == 1) }
    }
}
