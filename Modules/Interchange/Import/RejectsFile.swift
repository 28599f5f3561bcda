/// A file of the verbatim records that an import rejected, each preceded by a line with its location and the reason.
///
/// The importer recognizes these lines, so that the user can fix the records and import the file again. The file has
/// the line breaks of the dataset. If its name ends with `.gz` or `.zst`, the system's tools compress it.
///
/// A file of a CSV dataset has this form:
///
/// ```
/// #strata-rejects of colors.csv
/// id,hex
/// #strata-reject: line 17, record 15, column hex: "#12" is not a color; use #RGB or #RRGGBB
/// 15,#12
/// ```
///
/// The records are in UTF-8, whatever the encoding of the dataset. A file contains the records of one dataset. Import
/// it with the same reading options as the dataset: lines before the header, the encoding and a document's root are
/// ignored for it. See ``ImportOptions`` for an example. Do not use one instance from several threads at once.
///
/// ## Topics
///
/// ### Creating a file
///
/// - ``init(path:source:writing:)``
/// - ``Writing``
///
/// ### Writing rejected records
///
/// - ``append(_:)``
/// - ``count``
/// - ``synchronize()``
/// - ``commit()``
public final class RejectsFile {
    /// The way in which a file of rejected records is written.
    ///
    /// For an import in one transaction, `atomically` is right. For an import with a commit interval, the rejects of
    /// each commit must be on the disk before the commit, so the file cannot wait for the end.
    public enum Writing: Sendable {
        /// The file replaces its target when it is complete.
        case atomically
        /// The file is written record by record, for an import with a commit interval; an existing file is replaced.
        ///
        /// Call ``RejectsFile/synchronize()`` before each commit.
        case gradually
        /// Like `gradually`, but the records are appended to an existing file.
        ///
        /// Use it for an import that is resumed. If the process was killed between writing and the commit, a record may
        /// be listed twice.
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
    /// The line break of the dataset, as far as it is known.
    private var lineBreak = [UInt8(ascii: "\n")]
    /// The buffer for the lines of one record, which is reused.
    private var lines: [UInt8] = []
    /// The count of records that were appended.
    ///
    /// Records that an earlier import appended to the file do not count.
    public private(set) var count = 0

    /// Creates a file of rejected records; the file itself is created with the first record.
    ///
    /// The initializer does not access the disk. If no record is appended, no file is created, and an existing file is
    /// unchanged.
    ///
    /// - Parameters:
    ///   - path: The path of the file; an existing file is replaced when the new one is complete.
    ///   - source: The name of the dataset whose records are written.
    ///   - writing: The way in which the file is written.
    public init(path: String, source: String, writing: Writing = .atomically) {
        self.path = path
        self.source = source
        self.writing = writing
    }

    /// Appends a rejected record, with its location and the reason.
    ///
    /// The first call creates the file, and writes its first line and the header of the dataset. Set
    /// ``ImportOptions/keepsOriginals``; otherwise the file has no records, only their reasons. Line breaks in the
    /// reason are replaced by spaces.
    ///
    /// - Parameter problem: The problem of the record, with the record's verbatim bytes.
    /// - Throws: ``InterchangeError`` if the file cannot be created or written.
    public func append(_ problem: ImportProblem) throws(InterchangeError) {
        let output = try opened(problem)
        let ownBreak = Self.lineBreak(of: problem.original)
        lineBreak = ownBreak ?? lineBreak
        // The buffer is moved to a local variable and back, so that its uniqueness and exclusive access are checked
        // once and not for every byte.
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

    /// Appends the line with the location and the reason, without its line break.
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

    /// Appends a text in one piece.
    private static func append(_ string: String, to text: inout [UInt8]) {
        var string = string
        string.withUTF8 { text.append(contentsOf: $0) }
    }

    /// Returns the output; creates the file if it does not exist yet.
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

    /// Returns the line break at the end of bytes; `nil` if there is none.
    private static func lineBreak(of bytes: [UInt8]) -> [UInt8]? {
        switch bytes.last {
        case UInt8(ascii: "\r"): [UInt8(ascii: "\r")]
        case UInt8(ascii: "\n"):
            bytes.dropLast().last == UInt8(ascii: "\r")
                ? [UInt8(ascii: "\r"), UInt8(ascii: "\n")] : [UInt8(ascii: "\n")]
        default: nil
        }
    }

    /// Writes the appended records to the disk; does nothing if the file is written atomically.
    ///
    /// After the call, the records survive a power failure. Call it in ``ImportOptions/beforeCommit``.
    ///
    /// - Throws: ``InterchangeError`` if writing fails.
    public func synchronize() throws(InterchangeError) {
        if case .growing(let file) = file { try file.synchronize() }
    }

    /// Replaces the target with the complete file; does nothing if no record was appended.
    ///
    /// No record can be appended after this call.
    ///
    /// A file that is written gradually is synchronized. After a failed import, the call is useful too: the user can
    /// fix the records before the next attempt.
    ///
    /// - Throws: ``InterchangeError`` if writing fails.
    public func commit() throws(InterchangeError) {
        try synchronize()
        if case .atomic(let file) = file { try file.commit() }
        file = .none
    }
}
