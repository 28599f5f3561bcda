import Foundation
import StrataInterchange
import Testing

@Suite("Atomic replacement of files")
struct AtomicFileTests {
    private static func permissions(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try AtomicFile(path: path)
        try file.output.append(Array(text.utf8))
        try file.commit()
    }

    @Test("a commit replaces the target file and leaves no temporary file")
    func commit() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "f")
        let file = try AtomicFile(path: directory.file("f"))
        try file.output.append(Array("new".utf8))
        try file.output.flush()
        #expect(try directory.text(of: "f") == "old")
        // The file is unnamed if the file system supports that.
        let names = try directory.names()
        #expect(names == ["f"] || names.count == 2 && names.first?.hasPrefix(".f.strata-") == true)
        try file.commit()
        #expect(try directory.text(of: "f") == "new")
        #expect(try directory.names() == ["f"])
    }

    @Test("a discarded or deinitialized output leaves the target file unchanged", arguments: [true, false])
    func discard(isDiscarded: Bool) throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "f")
        do {
            let file = try AtomicFile(path: directory.file("f"))
            try file.output.append(Array("new".utf8))
            if isDiscarded {
                file.discard()
                file.discard()
                let error = #expect(throws: InterchangeError.self) { try file.commit() }
                #expect(error?.message == "the file is already committed or discarded")
            }
        }
        #expect(try directory.text(of: "f") == "old")
        #expect(try directory.names() == ["f"])
    }

    @Test("an existing target file keeps its permissions, and a new target file gets the permissions of the umask")
    func permissions() throws {
        let directory = try TemporaryDirectory()
        try directory.write("old", to: "f")
        for mode: mode_t in [0o600, 0o640, 0o755] {
            chmod(directory.file("f"), mode)
            try Self.write("new", to: directory.file("f"))
            #expect(Self.permissions(directory.file("f")) == mode)
        }
        try Self.write("x", to: directory.file("fresh"))
        close(open(directory.file("usual"), O_CREAT | O_WRONLY, 0o666))
        #expect(Self.permissions(directory.file("fresh")) == Self.permissions(directory.file("usual")))
    }

    @Test("an output to a symbolic link writes the link's target, existing or new, and preserves the link")
    func links() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("d"), withIntermediateDirectories: false)
        symlink("d/real", directory.file("second"))
        symlink(directory.file("second"), directory.file("first"))
        for text in ["one", "two"] {
            try Self.write(text, to: directory.file("first"))
            #expect(try directory.text(of: "d/real") == text)
        }
        #expect(try directory.names() == ["d", "first", "second"])
        var status = stat()
        #expect(lstat(directory.file("first"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test("an output to a FIFO writes directly, without a temporary file")
    func fifo() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try Self.write("through", to: path)
        var buffer = [UInt8](repeating: 0, count: 100)
        let count = try ByteInput(descriptor: reader, name: "fifo").read(into: &buffer, at: 0)
        #expect(String(decoding: buffer[..<count], as: UTF8.self) == "through")
        #expect(try directory.names() == ["fifo"])
    }

    @Test("an output to /dev/fd/N writes at the position of the open descriptor, not at the beginning of the file")
    func descriptor() throws {
        let directory = try TemporaryDirectory()
        try directory.write("before ", to: "f")
        let descriptor = open(directory.file("f"), O_WRONLY | O_APPEND)
        defer { close(descriptor) }
        try Self.write("after", to: "/dev/fd/\(descriptor)")
        #expect(try directory.text(of: "f") == "before after")
    }

    @Test("the error for a file that cannot be created contains the path that the caller passed and the reason")
    func failures() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "f")
        symlink("loop", directory.file("loop"))
        let cases = [
            (directory.file("no/f"), "No such file or directory"), (directory.path, "Is a directory"),
            (directory.file("f/g"), "Not a directory"), (directory.file("new/"), "Is a directory"),
            (directory.file("loop"), "Too many levels of symbolic links"), ("", "No such file or directory"),
            ("/dev/fd/9999", "Bad file descriptor"),
        ]
        for (path, reason) in cases {
            let error = #expect(throws: InterchangeError.self) { _ = try AtomicFile(path: path) }
            #expect(error?.code == .cannotCreate)
            #expect(error?.description == "\(path): cannot be created: \(reason)")
        }
    }

    @Test(
        "an output into a directory without write permission throws a permission error",
        .enabled(if: geteuid() != 0, "root may read and write everything"))
    func permission() throws {
        let directory = try TemporaryDirectory()
        chmod(directory.path, 0o500)
        defer { chmod(directory.path, 0o700) }
        let error = #expect(throws: InterchangeError.self) { _ = try AtomicFile(path: directory.file("f")) }
        #expect(error?.code == .permission)
    }

    @Test(
        "a file with a name of 250 bytes can be written despite the longer name of its temporary file",
        arguments: ["x", "é"])
    func longName(character: String) throws {
        let directory = try TemporaryDirectory()
        let name = String(repeating: character, count: 250 / character.utf8.count)
        try Self.write("long", to: directory.file(name))
        #expect(try directory.text(of: name) == "long")
    }

    @Test("the temporary file is removed if the rename fails")
    func failedCommit() throws {
        let directory = try TemporaryDirectory()
        let file = try AtomicFile(path: directory.file("f"))
        try FileManager.default.createDirectory(atPath: directory.file("f"), withIntermediateDirectories: false)
        let error = #expect(throws: InterchangeError.self) { try file.commit() }
        #expect(error?.description == "\(directory.file("f")): cannot be created: Is a directory")
        #expect(try directory.names() == ["f"])
    }

    @Test("a new output removes temporary files that a killed process left for the same target, and no other files")
    func leftovers() throws {
        let directory = try TemporaryDirectory()
        let others = [
            ".f.strata-abcde", ".f.strata-abcdefg", ".f.strata-ABCDEF", ".g.strata-abcdef", "f.strata-abcdef",
        ]
        for name in others + [".f.strata-abcdef", ".f.strata-234567", ".f.strata-locked"] {
            try directory.write("half", to: name)
        }
        symlink("elsewhere", directory.file(".f.strata-linked"))
        let held = open(directory.file(".f.strata-locked"), O_RDONLY)
        defer { close(held) }
        try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
        try Self.write("new", to: directory.file("f"))
        #expect(try directory.text(of: "f") == "new")
        #expect(try directory.names() == (others + [".f.strata-locked", ".f.strata-linked", "f"]).sorted())
    }

    @Test("the last commit of several concurrent outputs to one target determines the content of the target")
    func together() throws {
        let directory = try TemporaryDirectory()
        let files = try (0..<8).map { _ in try AtomicFile(path: directory.file("f")) }
        for (number, file) in files.enumerated() { try file.output.append(Array("\(number)".utf8)) }
        for file in files { try file.commit() }
        #expect(try directory.text(of: "f") == "7")
        #expect(try directory.names() == ["f"])
    }
}
