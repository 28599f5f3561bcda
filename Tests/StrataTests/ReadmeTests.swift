import Foundation
import Testing

/// Tests that the commands of the README print the output that it shows.
@Suite("README")
struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func readme() throws -> String {
        try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    }

    /// Returns the lines of the fenced blocks of a language.
    private static func blocks(_ language: String) throws -> [[Substring]] {
        var blocks: [[Substring]] = []
        var isInside = false
        for line in try readme().split(separator: "\n", omittingEmptySubsequences: false) {
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

    @Test("the commands of the README work and print the shown output")
    func commands() throws {
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
        for line in try Self.blocks("console").joined() {
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
        #expect(count >= 5)
    }

    @Test("the first lines of the README contain both commands of the project")
    func commandsOfTheProject() throws {
        let beginning = try Self.readme().split(separator: "\n", omittingEmptySubsequences: false).prefix(16).joined(
            separator: "\n")
        #expect(beginning.contains("make demo"))
        #expect(beginning.contains("make test"))
    }
}
