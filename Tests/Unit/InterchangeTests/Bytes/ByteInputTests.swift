import Foundation
import StrataInterchange
import Synchronization
import Testing

@Suite("Reading bytes")
struct ByteInputTests {
    private static func readAll(_ input: ByteInput) throws -> (bytes: [UInt8], largest: Int) {
        var bytes: [UInt8] = []
        var largest = 0
        var buffer = [UInt8](repeating: 0, count: 1_000)
        while true {
            let count = try input.read(into: &buffer, at: 3)
            if count == 0 { return (bytes, largest) }
            largest = max(largest, count)
            bytes += buffer[3..<3 + count]
        }
    }

    @Test(
        "inputs from a file and from memory return the same bytes in blocks of at most the given size",
        arguments: [1, 2, 7, 65_536])
    func blocks(blockSize: Int) throws {
        let directory = try TemporaryDirectory()
        let text = String(repeating: "abcdefg", count: 500)
        try directory.write(text, to: "f")
        let file = try Self.readAll(try ByteInput(path: directory.file("f"), blockSize: blockSize))
        let memory = try Self.readAll(ByteInput(bytes: Array(text.utf8), name: "m", blockSize: blockSize))
        for read in [file, memory] {
            #expect(read.bytes == Array(text.utf8))
            #expect(read.largest == min(blockSize, 997))
        }
    }

    @Test(
        "a block size outside the range of 1 to 67,108,864 bytes is clamped to this range",
        arguments: [(0, 1), (-5, 1), (Int.min, 1), (Int.max, 67_108_864)])
    func blockSizes(given: Int, taken: Int) {
        #expect(ByteInput(bytes: [], name: "m", blockSize: given).blockSize == taken)
    }

    @Test(
        "the error for an input that cannot be opened or read contains the path that the caller passed and the reason")
    func failures() throws {
        let directory = try TemporaryDirectory()
        let missing = directory.file("missing")
        let noFile = #expect(throws: InterchangeError.self) { _ = try ByteInput(path: missing) }
        #expect(noFile?.code == .inputNotFound)
        #expect(noFile?.description == "\(missing): cannot be read: No such file or directory")
        #expect(noFile?.errorNumber == ENOENT)

        let isDirectory = #expect(throws: InterchangeError.self) {
            _ = try Self.readAll(try ByteInput(path: directory.path))
        }
        #expect(isDirectory?.code == .inputNotFound)
        #expect(isDirectory?.description == "\(directory.path): cannot be read: Is a directory")

        let nul = #expect(throws: InterchangeError.self) { _ = try ByteInput(path: "a\u{0}b") }
        #expect(nul?.code == .inputNotFound)

        let closed = ByteInput(descriptor: -1, name: "<stdin>")
        let notOpen = #expect(throws: InterchangeError.self) { _ = try Self.readAll(closed) }
        #expect(notOpen?.code == .unreadable)
        #expect(notOpen?.description == "<stdin>: cannot be read: Bad file descriptor")
    }

    @Test(
        "opening a file without read permission throws a permission error",
        .enabled(if: geteuid() != 0, "root may read and write everything"))
    func permission() throws {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "f")
        chmod(directory.file("f"), 0)
        let error = #expect(throws: InterchangeError.self) { _ = try ByteInput(path: directory.file("f")) }
        #expect(error?.code == .permission)
    }

    @Test("a cancellation ends the read from an idle pipe and the read from a file")
    func cancellation() throws {
        var pipes: [Int32] = [0, 0]
        try #require(pipe(&pipes) == 0)
        defer { for end in pipes { close(end) } }
        let asked = Mutex(0)
        let input = ByteInput(descriptor: pipes[0], name: "p")
        input.isCancelled = {
            asked.withLock {
                $0 += 1
                return $0 > 2
            }
        }
        let error = #expect(throws: InterchangeError.self) { _ = try Self.readAll(input) }
        #expect(error == InterchangeError(.cancelled, source: "p", message: "the reading was canceled"))
        #expect(asked.withLock { $0 } == 3)
        let directory = try TemporaryDirectory()
        try directory.write("abc", to: "f")
        let file = try ByteInput(path: directory.file("f"))
        file.isCancelled = { true }
        #expect(throws: InterchangeError.self) { _ = try Self.readAll(file) }
    }

    @Test("closing an input closes a file that the input opened, but not a descriptor that the caller passed")
    func ownership() throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("fifo")
        try #require(mkfifo(path, 0o600) == 0)
        // A FIFO can be opened for writing only while a process has it open for reading.
        func isHeld() -> Bool {
            let writer = open(path, O_WRONLY | O_NONBLOCK)
            if writer >= 0 { close(writer) }
            return writer >= 0
        }
        let both = open(path, O_RDWR)
        let input = try ByteInput(path: path)
        close(both)
        #expect(isHeld())
        input.close()
        #expect(!isHeld())
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        ByteInput(descriptor: reader, name: "fifo").close()
        #expect(isHeld())
        close(reader)
        #expect(!isHeld())
    }

    @Test("a read from a closed input, or at a position outside the buffer, returns 0 bytes")
    func closing() throws {
        let directory = try TemporaryDirectory()
        try directory.write("abc", to: "f")
        let input = try ByteInput(path: directory.file("f"))
        var buffer: [UInt8] = [0]
        #expect(try input.read(into: &buffer, at: 1) == 0)
        #expect(try input.read(into: &buffer, at: Int.max) == 0)
        #expect(try input.read(into: &buffer, at: -1) == 0)
        #expect(try input.read(into: &buffer, at: 0) == 1)
        input.close()
        input.close()
        #expect(try input.read(into: &buffer, at: 0) == 0)
    }
}
