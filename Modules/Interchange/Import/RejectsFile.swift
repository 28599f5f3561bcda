/// The records that an import left out, as they stand in their files, each below a line that says where and why.
///
/// The file begins with a mark by which the importer knows those lines, so that it is mended and imported again as it is.
public final class RejectsFile {
    private let path: String
    private let source: String
    private var file: AtomicFile?
    /// How many records were written.
    public private(set) var count = 0

    /// Prepares the file; it is made with the first record.
    ///
    /// - Parameters:
    ///   - path: Where; a file that is there is replaced when the new one is whole.
    ///   - source: The name of the dataset whose records it gets.
    public init(path: String, source: String) {
        self.path = path
        self.source = source
    }

    /// Adds a record.
    ///
    /// - Parameter problem: The problem, with the record's original bytes.
    /// - Throws: What creating and writing throw.
    public func append(_ problem: ImportProblem) throws(InterchangeError) {
        let output = try opened(problem.header).output
        var place = "#strata-reject: "
        if let line = problem.error.line { place += "line \(line), " }
        if let record = problem.error.record { place += "record \(record), " }
        if let column = problem.error.column { place += "column \(PrintableText.escaped(column)), " }
        let reason = String(problem.error.message.map { $0 == "\n" || $0 == "\r" || $0 == "\r\n" ? " " : $0 })
        try output.append(Array((place.dropLast(2) + ": " + reason + "\n").utf8))
        try output.append(problem.original + [UInt8(ascii: "\n")])
        count += 1
    }

    private func opened(_ header: [UInt8]) throws(InterchangeError) -> AtomicFile {
        if let file { return file }
        let begun = try AtomicFile(path: path)
        try begun.output.append(Array("\(CSVReader.rejectsMark) of \(PrintableText.escaped(source))\n".utf8))
        if !header.isEmpty { try begun.output.append(header + [UInt8(ascii: "\n")]) }
        file = begun
        return begun
    }

    /// Puts the file in its place; does nothing when there was no record.
    ///
    /// - Throws: What writing throws.
    public func commit() throws(InterchangeError) {
        try file?.commit()
        file = nil
    }
}
