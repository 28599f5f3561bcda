#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The records that an import left out, as they stand in their files, each below a line that says where and why.
///
/// The file begins with a mark by which the importer knows those lines, so that it is mended and imported again as it is.
public final class RejectsFile {
    /// How a file comes to be.
    public enum Writing: Sendable {
        /// There whole or not at all, as ``AtomicFile`` does it.
        case atomically
        /// Record by record, for imports that commit on the way: ``RejectsFile/synchronize()`` comes before each commit. One that is there is replaced.
        case gradually
        /// The same, behind what is there already.
        case behind
    }

    private let path: String
    private let source: String
    private let writing: Writing
    private var file: AtomicFile?
    private var descriptor: Int32 = -1
    private var output: ByteOutput?
    /// How many records were written.
    public private(set) var count = 0

    /// Prepares the file; it is made with the first record.
    ///
    /// - Parameters:
    ///   - path: Where; a file that is there is replaced when the new one is whole.
    ///   - source: The name of the dataset whose records it gets.
    ///   - writing: How the file comes to be.
    public init(path: String, source: String, writing: Writing = .atomically) {
        self.path = path
        self.source = source
        self.writing = writing
    }

    deinit {
        if descriptor >= 0 { _ = close(descriptor) }
    }

    /// Adds a record.
    ///
    /// - Parameter problem: The problem, with the record's original bytes.
    /// - Throws: What creating and writing throw.
    public func append(_ problem: ImportProblem) throws(InterchangeError) {
        let output = try opened(problem.header)
        var location = "#strata-reject: "
        if let line = problem.error.line { location += "line \(line), " }
        if let record = problem.error.record { location += "record \(record), " }
        if let column = problem.error.column { location += "column \(PrintableText.escaped(column)), " }
        let reason = String(problem.error.message.map { $0 == "\n" || $0 == "\r" || $0 == "\r\n" ? " " : $0 })
        try output.append(Array((location.dropLast(2) + ": " + reason + "\n").utf8))
        try output.append(problem.original + [UInt8(ascii: "\n")])
        count += 1
    }

    private func opened(_ header: [UInt8]) throws(InterchangeError) -> ByteOutput {
        if let output { return output }
        let begun: ByteOutput
        var isEmpty = true
        if writing == .atomically {
            let made = try AtomicFile(path: path)
            (file, begun) = (made, made.output)
        } else {
            descriptor = open(
                path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (writing == .gradually ? O_TRUNC : 0), 0o666)
            guard descriptor >= 0 else { throw InterchangeError.creation(of: path, failedWith: errno) }
            isEmpty = lseek(descriptor, 0, SEEK_END) <= 0
            begun = ByteOutput(descriptor: descriptor, name: path)
        }
        if isEmpty {
            try begun.append(Array("\(RejectsMark.firstLine) of \(PrintableText.escaped(source))\n".utf8))
            if !header.isEmpty { try begun.append(header + [UInt8(ascii: "\n")]) }
        }
        output = begun
        return begun
    }

    /// Makes sure that what was added is on the disk; does nothing for a file that is written atomically.
    ///
    /// - Throws: What writing throws.
    public func synchronize() throws(InterchangeError) {
        guard descriptor >= 0 else { return }
        try output?.flush()
        // A pipe or a terminal cannot be synchronised, and need not be.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw InterchangeError.output(path, failedWith: errno)
        }
    }

    /// Puts the file in its place; does nothing when there was no record.
    ///
    /// - Throws: What writing throws.
    public func commit() throws(InterchangeError) {
        try synchronize()
        try file?.commit()
        (file, output) = (nil, nil)
    }
}
