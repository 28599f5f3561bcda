import Foundation
import StrataInterchange
import Testing

@Suite("Writing bytes")
struct ByteOutputTests {
    private static func pipeEnds() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("an output writes all bytes in order for any block size", arguments: [1, 2, 7, 65_536])
    func order(blockSize: Int) throws {
        let ends = try Self.pipeEnds()
        defer { close(ends.read) }
        let output = ByteOutput(descriptor: ends.write, name: "p", blockSize: blockSize)
        var expected: [UInt8] = []
        for number in 0..<200 {
            let bytes = [UInt8](repeating: UInt8(number), count: number % 5)
            expected += bytes
            try output.append(bytes)
        }
        try output.flush()
        close(ends.write)
        let input = ByteInput(descriptor: ends.read, name: "p")
        var read = [UInt8](repeating: 0, count: 10_000)
        var count = 0
        while true {
            let more = try input.read(into: &read, at: count)
            if more == 0 { break }
            count += more
        }
        #expect(Array(read[..<count]) == expected)
    }

    @Test("writing to a pipe without a reader throws closedPipe, not outputFailed")
    func closedPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let ends = try Self.pipeEnds()
        close(ends.read)
        defer { close(ends.write) }
        let output = ByteOutput(descriptor: ends.write, name: "<stdout>")
        try output.append([1])
        let error = #expect(throws: InterchangeError.self) { try output.flush() }
        #expect(error?.code == .closedPipe)
        #expect(error?.description == "<stdout>: cannot be written: Broken pipe")
    }

    @Test("writing to a full disk throws outputFailed with the reason", .enabled(if: access("/dev/full", W_OK) == 0))
    func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let output = ByteOutput(descriptor: descriptor, name: "out.csv", blockSize: 4)
        try output.append([1, 2, 3])
        let error = #expect(throws: InterchangeError.self) { try output.append([4]) }
        #expect(error?.code == .outputFailed)
        #expect(error?.errorNumber == ENOSPC)
        #expect(error?.description == "out.csv: cannot be written: No space left on device")
        #expect(output.bytes.isEmpty)
    }

    @Test("an output in memory retains all bytes")
    func memory() throws {
        let output = ByteOutput.memory()
        try output.append([1, 2])
        try output.flush()
        try output.append([3])
        #expect(output.bytes == [1, 2, 3])
    }
}
