import Foundation
import StrataInterchange

/// Standard input that is read more than once: where it is no file, it is kept in one that has no name.
struct ReplayedInput {
    /// The most bytes that are kept, 1 GiB: a folder for temporary files is often memory.
    static let bound = 1 << 30

    private let descriptor: Int32
    private let start: off_t

    /// Makes sure that what a descriptor reads can be read again; afterwards it is at the beginning.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, which leads to the kept file from then on where it was no file.
    ///   - bound: The most bytes that are kept.
    ///   - isCancelled: Asked before every block, and ten times a second while there is nothing to read.
    /// - Throws: `InterchangeError` where there is more, or no room for it.
    init(
        _ descriptor: Int32 = STDIN_FILENO, bound: Int = bound, isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(InterchangeError) {
        self.descriptor = descriptor
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
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
                    message: "there are more than \(bound) bytes, the most that are kept to be read twice "
                        + "where no model is named; save them in a file, or name a model with --model")
            }
            try Self.explained { () throws(InterchangeError) in try kept.append(Array(buffer[..<count])) }
        }
        try Self.explained { () throws(InterchangeError) in try kept.rewind() }
        guard dup2(kept.descriptor, descriptor) >= 0 else { throw Self.failure(errno) }
    }

    /// Goes back to the beginning.
    func rewind() throws(InterchangeError) {
        guard lseek(descriptor, start, SEEK_SET) == start else { throw Self.failure(errno) }
    }

    /// What keeping it ran into, with what for.
    private static func explained<Result>(
        _ body: () throws(InterchangeError) -> Result
    ) throws(InterchangeError) -> Result {
        do throws(InterchangeError) {
            return try body()
        } catch {
            throw InterchangeError(
                error.code, source: error.source,
                message: "standard input cannot be kept to be read twice: \(error.message)")
        }
    }

    private static func failure(_ number: Int32) -> InterchangeError {
        InterchangeError(
            .outputFailed, source: "<stdin>",
            message: "standard input cannot be read twice: "
                + (strerror(number).map { String(cString: $0) } ?? "error \(number)"))
    }
}
