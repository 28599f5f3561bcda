import Foundation
import StrataTestSupport
import Testing

/// Tests that a test target compiles the Swift examples of pages and symbols.
@Suite("The examples of the documentation")
struct DocumentedExamplesTests {
    private static let package = Checkout.root

    /// Returns the files below a folder of the package with a suffix.
    private static func files(in folder: String, _ suffix: String) throws -> [URL] {
        let folder = package.appendingPathComponent(folder)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        return try #require(files).filter {
            $0.path.hasSuffix(suffix) && !$0.path.dropFirst(package.path.count).contains("/.build/")
        }
        .sorted { $0.path < $1.path }
    }

    /// Returns code without its spaces and line ends, which vary with the indentation.
    private static func code(_ lines: some Sequence<Substring>) -> Data {
        Data(lines.joined().utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") })
    }

    /// The code of the tests and of the reference entities, once with documentation comments and once without.
    private static let compiled = Result {
        let sources = try files(in: "Tests", ".swift") + files(in: "Modules/Repositories", ".swift")
        let lines = try sources.map { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
        let bare = lines.map { file in file.filter { !$0.drop { $0 == " " }.hasPrefix("///") } }
        return lines.map(code) + bare.map(code)
    }

    /// Returns the lines of a page, or the documentation comments of a source.
    private static func documentation(_ file: URL) throws -> [Substring] {
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        if file.pathExtension == "md" { return lines }
        return lines.map { line in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("///") ? text.dropFirst(3) : ""
        }
    }

    /// Returns the parts of examples between blank lines, which are not adjacent in tests and are compared separately.
    ///
    /// A manifest is no part, because SwiftPM compiles manifests: `DocumentedCommandsTests` passes the README's to it.
    private static func pieces(of file: URL) throws -> [[Substring]] {
        var pieces: [[Substring]] = []
        var piece: [Substring]?
        for line in try documentation(file) {
            let text = line.drop { $0 == " " }
            if let lines = piece {
                if text.hasPrefix("// swift-tools-version") {
                    piece = nil
                } else if text.isEmpty || text.hasPrefix("```") {
                    if !lines.isEmpty { pieces.append(lines) }
                    piece = text.isEmpty ? [] : nil
                } else {
                    piece = lines + [line]
                }
            } else if text == "```swift" {
                piece = []
            }
        }
        return pieces
    }

    @Test(
        "every Swift example of a documentation page occurs in code that is compiled",
        arguments: ["README.md", "Modules"])
    func pages(_ place: String) throws {
        let files =
            try place == "README.md" ? [Self.package.appendingPathComponent(place)] : Self.files(in: place, ".md")
        try check(files, atLeast: 10)
    }

    @Test("every Swift example of a symbol's documentation occurs in code that is compiled")
    func symbols() throws { try check(try Self.files(in: "Modules", ".swift"), atLeast: 40) }

    private func check(_ files: [URL], atLeast count: Int) throws {
        let compiled = try Self.compiled.get()
        var found = 0
        for file in files {
            for piece in try Self.pieces(of: file) {
                found += 1
                let code = Self.code(piece)
                let isCompiled = compiled.contains { $0.range(of: code) != nil }
                #expect(isCompiled, "\(file.lastPathComponent): not in the tests:\n\(piece.joined(separator: "\n"))")
            }
        }
        #expect(found >= count)
    }
}
