import Foundation
import StrataTestSupport
import Testing

/// Code that must not compile: it moves objects out of their context's closure, or reads values that were not loaded.
///
/// The tests run the toolchain's compiler with the modules that this test was built with.
@Suite(
    "Confinement of objects to their context", .enabled(if: Compiler.shared != nil, "no Swift compiler on this machine")
)
struct ConfinementTests {
    /// A snippet and a part of the compiler's error about it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let what: String
        let code: String
        let message: String

        var testDescription: String { what }
    }

    @Test("code that keeps objects inside the closure compiles, and code that moves them out does not")
    func regions() throws {
        let code = """
            let name: String = try container.backgroundContext.performAndWait { context in
                let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
                note.text = "b"
                return note.record.text
            }
            let id = try await container.backgroundContext.perform { try $0.fetch(FetchRequest<Note>()).first?.id }
            print(name, id as Any)
            """
        let found = try findings([code] + Self.laterRefusals.map(\.code))
        #expect(found[0] == [], "the snippets are refused for reasons of their own")
        expect(Self.laterRefusals, found.dropFirst())
    }

    /// Snippets that the type checker rejects; all are compiled in one run.
    static let refusals: [Refusal] = [
        Refusal(
            what: "an object returned from performAndWait",
            code:
                "let note = try container.backgroundContext.performAndWait { try $0.existingObject(with: id, of: Note.self) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "an object returned from perform",
            code:
                "let note = try await container.backgroundContext.perform { try $0.existingObject(with: id, of: Note.self) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "objects in an array returned from perform",
            code: "let notes = try await container.backgroundContext.perform { try $0.fetch(FetchRequest<Note>()) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "the working context itself",
            code: "let context = container.backgroundContext.performAndWait { $0 }",
            message: "type 'ConfinedContext' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "a fault",
            code: "let fault = container.backgroundContext.performAndWait { $0.object(with: id, of: Note.self) }",
            message: "type 'Fault<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "an object assigned to a variable outside",
            code: """
                var kept: Managed<Note>?
                try container.backgroundContext.performAndWait { kept = try $0.existingObject(with: id, of: Note.self) }
                """,
            message: "concurrently-executing code"),
        Refusal(
            what: "a property of an object that is not loaded",
            code:
                "container.backgroundContext.performAndWait { context in print(context.object(with: id, of: Note.self).text) }",
            message: "value of type 'Fault<Note>' has no member 'text'"),
        Refusal(
            what: "an object without its mandatory values",
            code: "try container.backgroundContext.performAndWait { _ = try $0.insert(Note.self) { Note(id: $0) } }",
            message: "missing argument for parameter 'text' in call"),
        Refusal(
            what: "a constant property written",
            code: """
                try container.backgroundContext.performAndWait { context in
                    try context.existingObject(with: id, of: Note.self).made = 3
                }
                """,
            message: "'made' is a 'let' constant"),
        Refusal(
            what: "a subclass of a managed object",
            code: "final class Spy: ManagedObject {}",
            message: "cannot inherit from non-open class 'ManagedObject' outside of its defining module"),
        Refusal(
            what: "a relationship of another entity",
            code: """
                try container.backgroundContext.performAndWait { context in
                    let note = try context.existingObject(with: id, of: Note.self)
                    _ = try context.objects(\\.pages, of: note)
                }
                """,
            message: "has no member 'pages'"),
    ]

    /// Snippets that only the later analysis of isolation regions rejects.
    ///
    /// It runs only if a source has no type errors.
    static let laterRefusals: [Refusal] = [
        Refusal(
            what: "an object used both in a task and outside",
            code: """
                try container.backgroundContext.performAndWait { context in
                    let note = try context.existingObject(with: id, of: Note.self)
                    Task.detached { note.text = "elsewhere" }
                    note.text = "here"
                }
                """,
            message: "risks causing data races")
    ]

    @Test("code that lets an object leave the closure does not compile")
    func refused() throws { expect(Self.refusals, try findings(Self.refusals.map(\.code))) }

    private func expect(_ refusals: [Refusal], _ found: some Collection<[String]>) {
        for (refusal, found) in zip(refusals, found) {
            #expect(
                found.contains { $0.contains(refusal.message) },
                "\(refusal.what): the compiler said \(found)")
        }
    }

    /// Returns the compiler's errors for each of the snippets, which are compiled as separate functions.
    private func findings(_ snippets: [String]) throws -> [[String]] {
        let compiler = try #require(Compiler.shared)
        var lines = Self.preamble
        var ranges: [ClosedRange<Int>] = []
        for (index, code) in snippets.enumerated() {
            let first = lines.count + 1
            lines.append("func run\(index)(_ container: PersistentContainer, _ id: NoteID) async throws {")
            lines += code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            lines.append("}")
            ranges.append(first...lines.count)
        }
        let errors = try compiler.errors(in: lines.joined(separator: "\n"))
        let elsewhere = errors.filter { error in !ranges.contains { $0.contains(error.line) } }
        #expect(elsewhere.map(\.message) == [], "errors that are not about the snippets")
        return ranges.map { range in errors.filter { range.contains($0.line) }.map(\.message) }
    }

    private static let preamble = """
        import StrataPersistence

        struct NoteID: RecordIdentifier {
            let rawValue: Int64
            init?(rawValue: Int64) { self.rawValue = rawValue }
        }

        struct Note: PersistentRecord {
            let id: NoteID
            var text: String
            let made: Int = 1
            static let entity = RecordEntity<Note>("Note", id: \\.id, [.attribute("text", \\.text)]) { row in
                Note(id: try row.id(), text: try row.next())
            }
        }
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

/// The toolchain's compiler and the path of this build's modules.
struct Compiler: Sendable {
    static let shared = Compiler()

    private let path: String
    private let modules: URL
    /// The compiler arguments for the system libraries that the modules need.
    private let libraries: [String]

    private init?() {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        modules = executable.deletingLastPathComponent().appendingPathComponent("Modules")
        libraries = Self.libraries()
        guard let found, FileManager.default.fileExists(atPath: modules.path) else { return nil }
        path = found
    }

    private static func libraries() -> [String] {
        let package = Checkout.root
        func moduleMap(of module: String) -> String {
            "-fmodule-map-file=" + package.appendingPathComponent("Modules/\(module)/module.modulemap").path
        }
        var options = [moduleMap(of: "CSQLite")]
        #if PostgreSQL
        options += [moduleMap(of: "CPostgreSQL")] + headers(of: "libpq")
        #endif
        return options.flatMap { ["-Xcc", $0] }
    }

    #if PostgreSQL
    /// Returns the compiler arguments for a library's headers, or none if the compiler finds them by default.
    private static func headers(of library: String) -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["pkg-config", "--cflags", library]
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return [] }
        let output = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return String(decoding: output ?? Data(), as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }
    #endif

    /// Returns the errors in a source with their lines; none if it compiles.
    func errors(in source: String) throws -> [(line: Int, message: String)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("snippet.swift")
        try Data(source.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [
            "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", modules.path, "-module-cache-path",
            folder.path,
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
        ]
        process.arguments? += libraries + [file.path]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // snippet.swift:LINE:COLUMN: error: MESSAGE
        return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { text in
            guard text.contains("error: "), !text.hasPrefix(" ") else { return nil }
            let parts = text.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
            // An error without a position in the file, such as a missing module, has line 0.
            guard parts.count == 5, let line = Int(parts[1]) else { return (0, String(text)) }
            return (line, String(parts[4]))
        }
    }
}
