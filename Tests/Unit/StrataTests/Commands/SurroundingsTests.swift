import Foundation
import StrataPersistence
import StrataRepositories
import StrataStoreKit
import StrataTestSupport
import Testing

@Suite("Environment of the tool")
struct SurroundingsTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result {
        try Tool.reference.run(arguments, in: folder)
    }

    private func prepare(rows: Int = 3) throws {
        let file = ["--entity", "boss", "--count", "\(rows)", "--seed", "1", "--output", "b.csv"]
        try Tool.reference.run(["generate"] + file, in: folder).expect(status: 0)
        try strata("import", "b.csv", "--entity", "boss", "--store", "s").expect(status: 0)
    }

    @Test("a missing file or store exits 66, and neither is created")
    func missing() throws {
        let input = try strata("import", "no.csv", "--entity", "boss", "--store", "s")
        input.expect(status: 66)
        #expect(input.errors == "no.csv: cannot be read: No such file or directory\n")
        let store = try strata("export", "--entity", "boss", "--store", "s")
        store.expect(status: 66)
        #expect(store.errors == "\(folder.path("s")): there is no store\n")
        #expect(try folder.files.isEmpty)
    }

    @Test("a store or an output in a missing folder exits 73")
    func cannotCreate() throws {
        try prepare()
        let store = try strata("import", "b.csv", "--entity", "boss", "--store", "no/s")
        store.expect(status: 73)
        #expect(
            store.errors
                == "\(folder.path("no/s")): the store cannot be created: there is no folder \(folder.path("no"))\n")
        try strata("export", "--entity", "boss", "--store", "s", "--output", "no/b.csv").expect(status: 73)
    }

    @Test("an output that is a SQLite database exits 73 and is unchanged, also if named by a link")
    func outputIsDatabase() throws {
        try prepare()
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "s")
        let before = try folder.data("s")
        for output in ["s", "link"] {
            let exporting = try strata("export", "--entity", "boss", "--store", "s", "--output", output)
            exporting.expect(status: 73)
            #expect(exporting.errors == "\(output): the file is a SQLite database; choose another output\n")
            let generating = try strata(
                "generate", "--entity", "boss", "--count", "1", "--seed", "1", "--output", output)
            generating.expect(status: 73)
            #expect(generating.errors == exporting.errors)
        }
        #expect(try folder.data("s") == before)
        #expect(try folder.files == ["b.csv", "link", "s"])
    }

    @Test("an argument that is not UTF-8 exits 64")
    func argumentEncoding() throws {
        let result = try Tool.reference.shell("strata info --store $'a\\xff'", in: folder)
        result.expect(status: 64)
        #expect(result.errors == "strata: argument 3 is not valid UTF-8\nRun 'strata --help' for usage.\n")
    }

    @Test("closed standard input or output is an error, and a store never uses the closed descriptors")
    func closedDescriptors() throws {
        try prepare()
        let reading = try Tool.reference.shell("strata import - --format csv --entity boss --store new <&-", in: folder)
        reading.expect(status: 74)
        #expect(reading.errors == "<stdin>: cannot be read: Bad file descriptor\n")
        let writing = try Tool.reference.shell("strata export --entity boss --store s >&-", in: folder)
        writing.expect(status: 74)
        #expect(writing.errors == "<stdout>: cannot be written: Bad file descriptor\n")
        let silent = try Tool.reference.shell("strata import b.csv --entity boss --store silent 2>&-", in: folder)
        silent.expect(status: 0)
        #expect(try folder.files == ["b.csv", "s", "silent"])
    }

    @Test("a foreign file exits 65 and is unchanged")
    func foreign() throws {
        try folder.write("firstName,lastName\na,b\n", to: "b.csv")
        try folder.write(String(repeating: "no database ", count: 20), to: "text")
        let before = try folder.data("text")
        let result = try strata("import", "b.csv", "--entity", "boss", "--store", "text")
        result.expect(status: 65)
        #expect(result.errors == "\(folder.path("text")): this is not a SQLite database\n")
        #expect(try folder.data("text") == before)
        try strata("info", "--store", "text").expect(status: 65)
    }

    @Test("a store that another process has locked for longer than the busy timeout exits 75")
    func locked() throws {
        try prepare()
        let url = URL(fileURLWithPath: folder.path("s"))
        let container = try PersistentContainer(model: ReferenceModel.model(), .sqlite(at: url), mainQueue: .private)
        defer { try? container.close() }
        try container.batchInsert(into: "Color") { _ in
            let writing = try strata("import", "b.csv", "--entity", "boss", "--store", "s", "--busy-timeout", "0")
            writing.expect(status: 75)
            #expect(writing.errors.hasPrefix("\(url.path): another process or connection has held the store locked"))
            // Readers do not wait for a writer.
            try strata("export", "--entity", "boss", "--store", "s").expect(status: 0)
        }
    }

    @Test("another process that opens and closes a store does not disturb two containers of one process")
    func severalContainers() throws {
        try prepare()
        let url = URL(fileURLWithPath: folder.path("s"))
        let model = try ReferenceModel.model()
        let first = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        defer { try? first.close() }
        // Reading the file for the second container must not release the first one's locks: otherwise the next process
        // to close the store removes the log.
        let second = try PersistentContainer(model: model, .sqlite(at: url), mainQueue: .private)
        try second.close()
        try strata("export", "--entity", "boss", "--store", "s").expect(status: 0)
        try first.batchInsert(into: "Boss") { inserter in
            try inserter.insert(values: [.string("late"), .string("comer")], location: RowLocation(line: 1, record: 1))
        }
        #expect(try strata("export", "--entity", "boss", "--store", "s").output.contains("late,comer"))
    }

    @Test("an export to a full device exits 74")
    func fullDisk() throws {
        try prepare(rows: 5_000)
        let export = try Tool.reference.shell("strata export --entity boss --store s > /dev/full", in: folder)
        export.expect(status: 74)
        #expect(export.errors.contains("No space left on device"))
    }

    @Test(
        "a file that cannot grow exits 74, and nothing is stored",
        .enabled(
            if: !Machine.hasThreadSanitizer, "the sanitizer keeps its own files below the limit too, and dies of it"))
    func limitedFile() throws {
        try prepare(rows: 5_000)
        let limited = "ulimit -f 64; strata import b.csv --entity boss --store full"
        let importing = try Tool.reference.shell(limited, in: folder)
        importing.expect(status: 74)
        #expect(try folder.files == ["b.csv", "s"])
    }

    @Test("a closed pipe ends an export without a message")
    func closedPipe() throws {
        // More rows than a pipe can hold.
        try prepare(rows: 5_000)
        let line = "set -o pipefail; strata export --entity boss --store s | head -n 1"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 0)
        #expect(result.output == "id,firstName,lastName\n")
        #expect(result.errors == "")
    }

    @Test("a read-only store in a read-only folder is readable, and a write exits 77")
    func readOnly() throws {
        try prepare()
        let expected = try strata("export", "--entity", "boss", "--store", "s").output
        // Root can write everywhere, so the tool runs as another user if the test runs as root.
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        try #require(chmod(folder.path("s"), 0o444) == 0 && chmod(folder.url.path, 0o555) == 0)
        defer { chmod(folder.url.path, 0o755) }
        func run(_ arguments: String) throws -> Tool.Result {
            try Tool.reference.shell("\(unprivileged)\"\(Tool.debug.path)\" \(arguments)", in: folder)
        }
        let reading = try run("export --entity boss --store s")
        reading.expect(status: 0)
        #expect(reading.output == expected)
        try run("info --store s").expect(status: 0)
        let writing = try run("import b.csv --entity boss --store s")
        writing.expect(status: 77)
        #expect(writing.errors == "\(folder.path("s")): the store is open for reading only\n")
        try run("import b.csv --model reference --entity boss --store new").expect(status: 73)
        #expect(try folder.files == ["b.csv", "s"])
    }
}
