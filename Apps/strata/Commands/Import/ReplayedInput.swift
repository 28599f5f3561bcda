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
        let (kept, path) = try Self.create()
        defer { _ = close(kept) }
        let file = FileHandle(fileDescriptor: kept, closeOnDealloc: false)
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
            do {
                try file.write(contentsOf: buffer[..<count])
            } catch {
                throw Self.failure(path, errno)
            }
        }
        guard dup2(kept, descriptor) >= 0 else { throw Self.failure(path, errno) }
        try rewind()
    }

    /// Goes back to the beginning.
    func rewind() throws(InterchangeError) {
        guard lseek(descriptor, start, SEEK_SET) == start else { throw Self.failure("<stdin>", errno) }
    }

    private static func create() throws(InterchangeError) -> (descriptor: Int32, path: String) {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("strata-XXXXXX").path
        var name = Array(path.utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure(path, errno) }
        _ = unlink(name)
        return (descriptor, path)
    }

    private static func failure(_ path: String, _ number: Int32) -> InterchangeError {
        InterchangeError(
            .outputFailed, source: path,
            message: "standard input cannot be kept to be read twice: "
                + (strerror(number).map { String(cString: $0) } ?? "error \(number)"))
    }
}
