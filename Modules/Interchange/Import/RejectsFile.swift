/// The records that an import left out, as they stand in their files, each below a line that says where and why.
///
/// The file begins with a mark by which the importer knows those lines, so that it is mended and imported again as it is. Its lines end as
/// those of the dataset do. Where its name ends with `.gz` or `.zst` it is compressed by the system's tools.
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

    private enum File {
        case none
        case atomic(CompressedFile)
        case growing(AppendedFile)
    }

    private let path: String
    private let source: String
    private let writing: Writing
    private var file = File.none
    /// How the dataset ends its lines, as far as that is known.
    private var lineBreak = [UInt8(ascii: "\n")]
    /// The lines of one record, kept so that its memory is used again.
    private var lines: [UInt8] = []
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

    /// Adds a record.
    ///
    /// - Parameter problem: The problem, with the record's original bytes.
    /// - Throws: What creating and writing throw.
    public func append(_ problem: ImportProblem) throws(InterchangeError) {
        let output = try opened(problem)
        let ownBreak = Self.lineBreak(of: problem.original)
        lineBreak = ownBreak ?? lineBreak
        // Taken away and given back: what a million records are written with is checked once, and not for every byte.
        var text = lines
        lines = []
        text.removeAll(keepingCapacity: true)
        Self.append(problem.error, to: &text)
        text.append(contentsOf: lineBreak)
        text.append(contentsOf: problem.original)
        if ownBreak == nil { text.append(contentsOf: lineBreak) }
        try output.append(text)
        lines = text
        count += 1
    }

    /// Adds the line that says where and why, without its end.
    private static func append(_ error: InterchangeError, to text: inout [UInt8]) {
        text.append(contentsOf: beginning)
        var hasPlace = false
        for (name, number) in [("line ", error.line), ("record ", error.record)] {
            guard let number else { continue }
            if hasPlace { text.append(contentsOf: between) }
            hasPlace = true
            append(name, to: &text)
            append(String(number), to: &text)
        }
        if let column = error.column {
            if hasPlace { text.append(contentsOf: between) }
            append("column ", to: &text)
            append(PrintableText.escaped(column), to: &text)
        }
        append(": ", to: &text)
        let start = text.count
        append(error.message, to: &text)
        for index in start..<text.count where text[index] == UInt8(ascii: "\n") || text[index] == UInt8(ascii: "\r") {
            text[index] = UInt8(ascii: " ")
        }
    }

    private static let beginning = Array("#strata-reject: ".utf8)
    private static let between = Array(", ".utf8)

    /// Adds a text in one piece.
    private static func append(_ string: String, to text: inout [UInt8]) {
        var string = string
        string.withUTF8 { text.append(contentsOf: $0) }
    }

    /// Where to write; the file is made when it is not there yet.
    private func opened(_ problem: ImportProblem) throws(InterchangeError) -> ByteOutput {
        switch file {
        case .atomic(let file): return file.output
        case .growing(let file): return try file.output()
        case .none: break
        }
        lineBreak = Self.lineBreak(of: problem.header) ?? Self.lineBreak(of: problem.original) ?? lineBreak
        let output: ByteOutput
        switch writing {
        case .atomically:
            let made = try CompressedFile(path: path)
            file = .atomic(made)
            output = made.output
        case .gradually, .behind:
            let made = try AppendedFile(path: path, isReplacing: writing == .gradually)
            file = .growing(made)
            output = try made.output()
            guard made.isEmpty else { return output }
        }
        var beginning = Array("\(RejectsMark.firstLine) of \(PrintableText.escaped(source))".utf8) + lineBreak
        beginning += problem.header
        if !problem.header.isEmpty, Self.lineBreak(of: problem.header) == nil { beginning += lineBreak }
        try output.append(beginning)
        return output
    }

    /// The line break that bytes end with; `nil` where they end with none.
    private static func lineBreak(of bytes: [UInt8]) -> [UInt8]? {
        switch bytes.last {
        case UInt8(ascii: "\r"): [UInt8(ascii: "\r")]
        case UInt8(ascii: "\n"):
            bytes.dropLast().last == UInt8(ascii: "\r")
                ? [UInt8(ascii: "\r"), UInt8(ascii: "\n")] : [UInt8(ascii: "\n")]
        default: nil
        }
    }

    /// Makes sure that what was added is on the disk; does nothing for a file that is written atomically.
    ///
    /// - Throws: What writing throws.
    public func synchronize() throws(InterchangeError) {
        if case .growing(let file) = file { try file.synchronize() }
    }

    /// Puts the file in its place, on the disk; does nothing when there was no record.
    ///
    /// Nothing can be added afterwards.
    ///
    /// - Throws: What writing throws.
    public func commit() throws(InterchangeError) {
        try synchronize()
        if case .atomic(let file) = file { try file.commit() }
        file = .none
    }
}
