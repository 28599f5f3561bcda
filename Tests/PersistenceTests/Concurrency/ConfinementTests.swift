import Foundation
import Testing

/// What must not compile: objects that leave their context's closure, and what was not loaded.
///
/// The toolchain's compiler is asked, with the modules this test was built with.
@Suite("Confinement", .enabled(if: Compiler.shared != nil, "no Swift compiler on this machine"))
struct ConfinementTests {
    /// A snippet, and a part of what the compiler says about it.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let what: String
        let code: String
        let message: String

        var testDescription: String { what }
    }

    @Test("what stays inside its closure compiles: the other tests refuse for their own reasons")
    func control() throws {
        let output = try compile(
            """
            let name: String = try container.backgroundContext.performAndWait { context in
                let note = try context.insert(Note.self) { Note(id: $0, text: "a") }
                note.text = "b"
                return note.record.text
            }
            let id = try await container.backgroundContext.perform { try $0.fetch(FetchRequest<Note>()).first?.id }
            print(name, id as Any)
            """)
        #expect(output == "")
    }

    static let refusals: [Refusal] = [
        Refusal(
            what: "an object returned from performAndWait",
            code: "let note = try container.backgroundContext.performAndWait { try $0.existingObject(with: id, of: Note.self) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "an object returned from perform",
            code: "let note = try await container.backgroundContext.perform { try $0.existingObject(with: id, of: Note.self) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "objects in an array returned from perform",
            code: "let notes = try await container.backgroundContext.perform { try $0.fetch(FetchRequest<Note>()) }",
            message: "type 'Managed<Note>' does not conform to the 'Sendable' protocol"),
        Refusal(
            what: "the working context itself",
            code: "let context = container.backgroundContext.performAndWait { $0 }",
            message: "type 'WorkingContext' does not conform to the 'Sendable' protocol"),
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
            what: "an object taken into a task and used outside too",
            code: """
                try container.backgroundContext.performAndWait { context in
                    let note = try context.existingObject(with: id, of: Note.self)
                    Task.detached { note.text = "elsewhere" }
                    note.text = "here"
                }
                """,
            message: "risks causing data races"),
        Refusal(
            what: "a property of what is not loaded",
            code: "container.backgroundContext.performAndWait { context in print(context.object(with: id, of: Note.self).text) }",
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

    @Test("does not compile", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        let output = try compile(refusal.code)
        #expect(output.contains(refusal.message), "the compiler said: \(output)")
    }

    private func compile(_ code: String) throws -> String {
        let compiler = try #require(Compiler.shared)
        return try compiler.check(
            """
            import Persistence

            struct NoteID: RecordIdentifier {
                let rawValue: Int64
                init?(rawValue: Int64) { self.rawValue = rawValue }
            }

            struct Note: PersistentRecord {
                let id: NoteID
                var text: String
                let made: Int = 1
                static let entity = Entity<Note>("Note", id: \\.id, [.attribute("text", \\.text)]) { row in
                    Note(id: try row.id(), text: try row[0])
                }
            }

            func run(_ container: PersistentContainer, _ id: NoteID) async throws {
            \(code)
            }
            """)
    }
}

/// The toolchain's compiler, and where this build's modules lie.
struct Compiler: Sendable {
    static let shared = Compiler()

    private let path: String
    private let modules: URL
    private let package: URL

    private init?() {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        modules = executable.deletingLastPathComponent().appendingPathComponent("Modules")
        package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        guard let found, FileManager.default.fileExists(atPath: modules.path) else { return nil }
        path = found
    }

    /// What the compiler says about a source; empty when it compiles.
    func check(_ source: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("snippet.swift")
        try Data(source.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        let moduleMap = package.appendingPathComponent("Modules/CSQLite/module.modulemap").path
        process.arguments = [
            "-typecheck", "-swift-version", "6", "-I", modules.path, "-module-cache-path", folder.path,
            "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
            "-Xcc", "-fmodule-map-file=\(moduleMap)", file.path,
        ]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
