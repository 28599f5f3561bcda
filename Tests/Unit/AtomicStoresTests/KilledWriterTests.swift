import Foundation
import StrataCore
import StrataFiles
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@testable import StrataAtomicStores

/// Processes that are killed at any moment of a write: the file is the old file or the new file.
@Suite("Killed writers")
struct KilledWriterTests {
    private static let steps = AtomicEnvironment.Step.allCases

    /// Returns an environment that kills this process at a step.
    static func ending(at step: Int) -> AtomicEnvironment {
        var environment = AtomicEnvironment()
        environment.step = { reached in if reached == steps[step] { kill(getpid(), SIGKILL) } }
        return environment
    }

    @Test(
        "a process that is killed during a save leaves the old file or the new file", arguments: FileKind.allCases,
        steps.indices)
    func saving(_ kind: FileKind, _ step: Int) async throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        try kind.open(url, model).addNote(1)
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, kind = kind.rawValue as String, step = step as Int] in
            let kind = try #require(FileKind(rawValue: kind))
            try kind.open(
                URL(fileURLWithPath: path), try Sample.small(), in: KilledWriterTests.ending(at: step)
            ).addNote(2)
        }
        let isNew = Self.steps[step] == .renamed
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasPrefix(".") }
        #expect(left.count == (isNew ? 0 : 1))
        // Reading changes nothing; the next writer removes the leftovers.
        let reader = try kind.open(url, model, isReadOnly: true)
        #expect(try reader.notes() == (isNew ? [1, 2] : [1]))
        let store = try kind.open(url, model)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [url.lastPathComponent])
        try store.addNote(3)
        #expect(try store.notes() == (isNew ? [1, 2, 3] : [1, 3]))
        try store.close()
    }

    @Test(
        "a process that is killed while it creates a store leaves no store or a complete store",
        arguments: FileKind.allCases,
        steps.indices)
    func making(_ kind: FileKind, _ step: Int) async throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let path = url.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, kind = kind.rawValue as String, step = step as Int] in
            let kind = try #require(FileKind(rawValue: kind))
            _ = try kind.open(URL(fileURLWithPath: path), try Sample.small(), in: KilledWriterTests.ending(at: step))
        }
        #expect(FileManager.default.fileExists(atPath: path) == (Self.steps[step] == .renamed))
        let store = try kind.open(url, model)
        try store.addNote(1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [url.lastPathComponent])
        try store.close()
    }

    @Test("a process that is killed at any moment of many saves leaves a complete file", arguments: FileKind.allCases)
    func anyMoment(_ kind: FileKind) async throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        try kind.open(url, model).close()
        let path = url.path
        for round in 1...4 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, kind = kind.rawValue as String, round = round as Int] in
                let kind = try #require(FileKind(rawValue: kind))
                let calls = Mutex(Int.random(in: 1...200) * round)
                var environment = AtomicEnvironment()
                environment.write = { descriptor, bytes, count in
                    let isLast = calls.withLock { left in
                        left -= 1
                        return left == 0
                    }
                    let written = write(descriptor, bytes, isLast ? Int.random(in: 0...count) : min(count, 700))
                    if isLast { kill(getpid(), SIGKILL) }
                    return written
                }
                let store = try kind.open(URL(fileURLWithPath: path), try Sample.small(), in: environment)
                let first = try store.notes().last ?? 0
                for id in 1...Int64(10_000) { try store.addNote(first + id, String(repeating: "x", count: 2_000)) }
            }
            let store = try kind.open(url, model)
            let notes = try store.notes()
            #expect(notes == (0..<Int64(notes.count)).map { $0 + 1 })
            try store.close()
        }
    }

    @Test("opening a store removes only the temporary files that killed writers left")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let (url, model) = (folder.file("store.stbin"), try Sample.small())
        try FileKind.binary.open(url, model).addNote(1)
        let location = StoreLocation(url.path)
        let names = [
            ".store.stbin.0123456789abcdef.strata-new", ".store.stbin.xyz.strata-new", ".other.stbin.0123.strata-new",
            "store.stbin.0123.strata-new",
        ]
        for name in names { try Data("left".utf8).write(to: folder.file(name)) }
        // A running process still uses this file.
        let busy = folder.file(".store.stbin.fedcba9876543210.strata-new")
        try Data("busy".utf8).write(to: busy)
        let held = try #require(OpenFile(path: busy.path, O_RDWR))
        #expect(try held.tryLock())
        #expect(location.temporaryNames.existingPaths().count == 2)
        try FileKind.binary.open(url, model).close()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(left) == Set(names.dropFirst() + [busy.lastPathComponent, "store.stbin"]))
    }

    @Test("opening a store removes a second name of its file that a killed process left")
    func secondName() throws {
        let folder = try TemporaryFolder()
        let (url, model) = (folder.file("store.stbin"), try Sample.small())
        try FileKind.binary.open(url, model).addNote(1)
        #expect(link(url.path, folder.file(".store.stbin.12.strata-new").path) == 0)
        let store = try FileKind.binary.open(url, model)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.stbin"])
        #expect(try store.notes() == [1])
    }

    @Test("a lock is released when its owner closes the file, although another descriptor is a copy")
    func inherited() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("file").path
        var file = OpenFile(path: path, O_RDWR | O_CREAT, mode: 0o600)
        #expect(try file?.tryLock() == true)
        let copy = dup(try #require(file).descriptor)
        defer { close(copy) }
        let other = try #require(OpenFile(path: path, O_RDWR))
        #expect(try other.tryLock() == false)
        file = nil
        #expect(try other.tryLock())
    }
}
