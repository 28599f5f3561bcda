import Foundation
import StrataFiles
import StrataInterchange

/// Standard input that is read more than once, and buffered in an unnamed file if it is not a file.
struct ReplayedInput {
    /// The maximum number of buffered bytes, 1 GiB, because a folder for temporary files is often in memory.
    static let bound = 1 << 30

    private let descriptor: Int32
    private let start: off_t

    /// Makes the input of a descriptor readable again, and positions the descriptor at the beginning.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor. If it is not a file, it refers to the buffer file afterward.
    ///   - bound: The maximum number of buffered bytes.
    ///   - isCancelled: A closure that returns whether to cancel. It is called before every block, and ten times a
    ///     second while no input is available.
    /// - Throws: `InterchangeError` if the input is larger than the maximum or than the free space.
    init(
        _ descriptor: Int32 = STDIN_FILENO, bound: Int = bound, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(InterchangeError) {
        self.descriptor = descriptor
        if FileStatus(descriptor: descriptor)?.isRegular == true {
            start = lseek(descriptor, 0, SEEK_CUR)
            return
        }
        start = 0
        let input = ByteInput(descriptor: descriptor, name: "<stdin>")
        input.isCancelled = isCancelled
        let kept = try Self.explained { () throws(InterchangeError) in try KeptFile() }
        var buffer = [UInt8](repeating: 0, count: input.blockSize)
        var total = 0
        while true {
            let count = try input.read(into: &buffer, at: 0)
            guard count > 0 else { break }
            total += count
            guard total <= bound else {
                throw InterchangeError(
                    .unreadable, source: input.name,
                    message: "the input has more than \(bound) bytes, the maximum without a model; save the data in a "
                        + "file, or name a model with --model")
            }
            try Self.explained { () throws(InterchangeError) in try kept.append(Array(buffer[..<count])) }
        }
        try Self.explained { () throws(InterchangeError) in try kept.rewind() }
        guard dup2(kept.descriptor, descriptor) >= 0 else { throw Self.failure }
    }

    /// Positions the descriptor at the beginning of the input.
    func rewind() throws(InterchangeError) {
        guard lseek(descriptor, start, SEEK_SET) == start else { throw Self.failure }
    }

    /// Runs a closure and explains in its error that standard input is being buffered.
    private static func explained<Result>(
        _ body: () throws(InterchangeError) -> Result
    ) throws(InterchangeError) -> Result {
        do throws(InterchangeError) {
            return try body()
        } catch {
            throw InterchangeError(
                error.code, source: error.source,
                message: "standard input cannot be stored for a second reading: \(error.message)")
        }
    }

    private static var failure: InterchangeError {
        let error = FileError("standard input cannot be read twice")
        return InterchangeError(.outputFailed, source: "<stdin>", message: "\(error.operation): \(error.reason)")
    }
}
