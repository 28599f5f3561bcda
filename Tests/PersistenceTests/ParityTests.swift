import Foundation
import Testing

/// The page that compares Strata with Core Data names tests; they are there.
@Suite("The parity page")
struct ParityTests {
    @Test("every suite that a row of the table names exists, and every section of the reference is there")
    func suites() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: tests.deletingLastPathComponent()
                .appendingPathComponent("Modules/Persistence/StrataPersistence.docc/Parity.md"), encoding: .utf8)
        var names: Set<String> = []
        for case let file as String in FileManager.default.enumerator(atPath: tests.path) ?? .init()
        where file.hasSuffix("Tests.swift") {
            names.insert(String(file.split(separator: "/").last?.dropLast(6) ?? ""))
        }
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Core Data |") }
        #expect(rows.count > 80)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            #expect(cells.count == 6, "not four columns: \(row)")
            for name in cells[4].split(separator: "`") where name.hasSuffix("Tests") {
                #expect(names.contains(String(name)), "there is no suite \(name): \(row)")
            }
        }
        for section in 1...10 { #expect(page.contains("## 2.\(section) ")) }
    }
}
