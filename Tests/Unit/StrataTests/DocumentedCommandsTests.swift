import Foundation
import StrataTestSupport
import Testing

/// Tests that the commands of the README and of the pages print the output that these show.
@Suite("The commands of the documentation")
struct DocumentedCommandsTests {
    private static let root = Checkout.root

    /// The README and the pages that show commands.
    static let pages: [String] = {
        let files = FileManager.default.enumerator(atPath: root.appendingPathComponent("Modules").path)
        let pages = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "Modules/\($0)" }
        return (["README.md"] + pages.sorted()).filter { (try? text($0).contains("\n```console\n")) ?? true }
    }()

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    }

    /// Returns the lines of the fenced blocks of a language.
    private static func blocks(_ language: String, of page: String) throws -> [[Substring]] {
        var blocks: [[Substring]] = []
        var isInside = false
        for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            if isInside {
                if line == "```" { isInside = false } else { blocks[blocks.count - 1].append(line) }
            } else if line == "```\(language)" {
                isInside = true
                blocks.append([])
            }
        }
        return blocks
    }

    /// Returns the text with `TIME` for every timestamp such as 2026-11-21T05:33:24.238Z, which differs in each run.
    ///
    /// The fraction has the minimum count of digits, or none.
    private static func withoutMoments(_ text: String) -> String {
        let shape = Array("0000-00-00T00:00:00".utf8)
        func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            if rest.prefix(shape.count).map({ isDigit($0) ? UInt8(ascii: "0") : $0 }) == shape {
                let fraction = rest.dropFirst(shape.count).prefix { isDigit($0) || $0 == UInt8(ascii: ".") }
                result += Array("TIME".utf8)
                rest = rest.dropFirst(shape.count + fraction.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    @Test("the commands in a documentation page work and print the output that the page shows", arguments: pages)
    func commands(page: String) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("Fixtures"), withDestinationPath: Self.root.appendingPathComponent("Fixtures").path)
        var printed: [String] = []
        var expected: [Substring] = []
        var count = 0
        func compare() {
            for (line, shown) in zip(printed, expected) {
                #expect(Self.withoutMoments(line) == Self.withoutMoments(String(shown)))
            }
            #expect(printed.count == expected.count, "\(printed)")
        }
        for line in try Self.blocks("console", of: page).joined() {
            guard line.hasPrefix("$ ") else {
                expected.append(line)
                continue
            }
            compare()
            let result = try Tool.debug.shell("set -o pipefail; " + line.dropFirst(2), in: folder)
            #expect(result.status == 0, "\(line): \(result.errors)")
            printed = (result.output + result.errors).split(separator: "\n").map(String.init)
            expected = []
            count += 1
        }
        compare()
        #expect(count >= 2)
    }

    @Test("the README shows both commands of the project first, and Swift before line 50, in at most 160 lines")
    func frontDoor() throws {
        let lines = try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let beginning = lines.prefix(16).joined(separator: "\n")
        #expect(beginning.contains("make demo") && beginning.contains("make test"))
        #expect(lines.prefix(50).contains("```swift"))
        #expect(lines.count <= 161, "a line break ends the last line")
    }

    @Test(
        "every relative link of the README and of the contribution pages names an existing file",
        arguments: [
            "README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", "CHANGELOG.md",
        ])
    func links(page: String) throws {
        let folder = Self.root.appendingPathComponent(page).deletingLastPathComponent()
        let links = try Self.text(page).matches(of: /\]\(([^)#]+)\)/).map { String($0.1) }
        for link in links where !link.hasPrefix("http") {
            let path = folder.appendingPathComponent(link).path
            #expect(FileManager.default.fileExists(atPath: path), "\(page): \(link)")
        }
    }

    @Test("SwiftPM can read the package manifest that the README shows")
    func manifest() throws {
        let folder = TemporaryFolder()
        let manifest = try #require(try Self.blocks("swift", of: "README.md").first)
        try folder.write(manifest.joined(separator: "\n"), to: "Package.swift")
        let result = try Tool.debug.shell("swift package dump-package --disable-sandbox", in: folder)
        #expect(result.status == 0 && result.output.contains("\"StrataPersistence\""), "\(result.errors)")
    }

    @Test("the first version in the changelog is the version of the tool")
    func changelog() throws {
        let heading = try #require(try Self.text("CHANGELOG.md").firstMatch(of: /\n## \[([^\]]+)\]/))
        let result = try Tool.debug.shell("strata --version", in: TemporaryFolder())
        #expect(result.output.contains("strata \(heading.1)\n"), "\(result.output)")
    }
}
