import Foundation
import StrataTestSupport
import Testing

/// The tests named by the page that compares Strata with Core Data must exist.
@Suite("The parity page")
struct ParityTests {
    /// The names of the test functions, by the name of their file without its extension.
    private static let tests = Result { try readTests() }

    private static func readTests() throws -> [String: Set<String>] {
        let folder = Checkout.root.appendingPathComponent("Tests")
        var tests: [String: Set<String>] = [:]
        for case let file as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where file.hasSuffix("Tests.swift") && !file.contains(".build/") {
            let name = String(file.split(separator: "/").last?.dropLast(6) ?? "")
            let code = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
            tests[name, default: []].formUnion(functions(in: code))
        }
        return tests
    }

    /// Returns the test functions of a file: those that follow `@Test` at the beginning of a line.
    private static func functions(in code: String) -> [String] {
        var functions: [String] = []
        var isTest = false
        for line in code.utf8.split(separator: UInt8(ascii: "\n")) {
            let text = Substring(line.drop { $0 == UInt8(ascii: " ") })
            if text.hasPrefix("@Test") { isTest = true }
            guard isTest, text.hasPrefix("func ") else { continue }
            functions.append(String(text.dropFirst(5).prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
            isTest = false
        }
        return functions
    }

    private static func page() throws -> String {
        try String(
            contentsOf: Checkout.root
                .appendingPathComponent("Modules/Persistence/Stack/StrataPersistence.docc/Parity.md"), encoding: .utf8)
    }

    /// Returns the errors in a row of the table.
    private static func mistakes(in row: Substring, _ tests: [String: Set<String>]) -> [String] {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false)
        guard cells.count == 6 else { return ["not four columns"] }
        let named = cells[4].split(separator: "`").filter { !$0.allSatisfy { " ,".contains($0) } }
        if named.map({ $0.trimmingCharacters(in: .whitespaces) }) == ["–"] {
            // Only features that are missing or cannot be demonstrated need no test.
            let absent = [
                "not exist", "ot there yet", "no undo", "is no entity inheritance", "There are none", "one store",
            ]
            return absent.contains { cells[2].contains($0) || cells[3].contains($0) } ? [] : ["no test"]
        }
        return named.compactMap { name in
            let parts = name.split(separator: ".")
            guard parts.count == 2 else { return "\(name) is no test: FILE.FUNCTION" }
            return tests[String(parts[0])]?.contains(String(parts[1])) == true ? nil : "there is no test \(name)"
        }
    }

    @Test("every test that the parity page names exists, and the page has all ten sections")
    func named() throws {
        let (page, tests) = (try Self.page(), try Self.tests.get())
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Core Data |") }
        #expect(rows.count > 130)
        for row in rows { #expect(Self.mistakes(in: row, tests) == [], "\(row)") }
        for section in 1...10 { #expect(page.contains("## 2.\(section) ")) }
    }

    @Test(
        "a row of the parity page that names no existing test function is reported",
        arguments: [
            ("| a | Same | – | – |", "no test"),
            ("| a | Same | – | `ParityTests` |", "ParityTests is no test: FILE.FUNCTION"),
            ("| a | Same | – | `ParityTests.page` |", "there is no test ParityTests.page"),
            ("| a | Same | – | `NowhereTests.named` |", "there is no test NowhereTests.named"),
            ("| a | Same | `ParityTests.named` |", "not four columns"),
        ])
    func mistaken(_ row: Substring, _ mistake: String) throws {
        #expect(Self.mistakes(in: row, try Self.tests.get()) == [mistake])
    }
}
