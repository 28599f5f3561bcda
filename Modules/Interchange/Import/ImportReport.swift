import Foundation
import StrataCore
import StrataFiles

/// A report of an import for programs: a JSON object with every error and all counts, written incrementally.
///
/// The report replaces its target before the import commits, with the outcome ``Outcome/committing``. Therefore,
/// whatever happens to the process or the disk afterwards, no record is stored without a report.
///
/// ```swift
/// let report = try ImportReport(path: "report.json")
/// var options = ImportOptions(format: .csv)
/// options.onProblem = { try report.append($0.error) }
/// options.beforeCommit = { if $0.isWhole { try report.prepare($0) } }
/// var failed: ImportSummary?
/// options.onFailure = { failed = $0 }
/// let summary: ImportSummary
/// do {
///     let importer = try DatasetImporter(entity: "Color", container: container, options: options)
///     summary = try importer.run(ByteInput(path: "colors.csv"))
/// } catch {
///     try report.finish(failed, .failed)
///     throw error
/// }
/// try report.finish(summary, .stored)
/// ```
///
/// The object has these members, in this order:
///
/// - `errors`: an object for each error, with `message` and, as far as they are known, `column`, `line`, `record` and
///   `source`.
/// - `files`: the counts of each dataset; see ``ImportSummary/File``.
/// - `seconds`: the time since the report was created.
/// - `total`: the sums of the counts.
/// - `outcome`: the raw value of an ``Outcome``.
///
/// An error is written when it is appended, so the memory does not grow with the count of errors. If the target is not
/// a regular file, such as a pipe, the report is written directly to it. If a report is neither prepared nor finished,
/// its target is unchanged. Do not use one instance from several threads at once.
///
/// ## Topics
///
/// ### Creating a report
///
/// - ``init(path:)``
///
/// ### Writing a report
///
/// - ``append(_:)``
/// - ``prepare(_:)``
/// - ``finish(_:_:)``
/// - ``Outcome``
public final class ImportReport {
    /// The outcomes of an import.
    ///
    /// The raw value is the text in the report.
    public enum Outcome: String, Sendable, Codable {
        /// The import is complete: all records that were not rejected are stored.
        case stored
        /// A dry run completed; nothing is stored.
        case dryRun
        /// The import failed; nothing is stored, except for the records of earlier commits.
        case failed
        /// The import was being committed: if the process ended then, either everything or only earlier commits are
        /// stored.
        ///
        /// A reader of the report must inspect the store to find out which of them is true.
        case committing
    }

    /// The state of a report that already replaced its target.
    ///
    /// The descriptor refers to the file that replaced the target, so later changes of the target by other programs are
    /// not overwritten.
    private struct Open {
        var file: OpenFile
        /// The offsets in the file of the counts and of the outcome; `nil` if the file is not regular and cannot be
        /// changed.
        var places: (counts: Int, outcome: Int)?
    }

    private let path: String
    private let file: AtomicFile
    private let encoder = JSONEncoder()
    private let start = ContinuousClock.now
    private var isFirst = true
    private var length = 0
    /// The buffer for the text of one error, which is reused.
    private var problem: [UInt8] = []
    private var open: Open?
    /// The text of the errors that were added after the report replaced its target.
    private var late: [UInt8] = []

    /// Creates a report.
    ///
    /// A temporary file next to the target receives the report until then.
    ///
    /// - Parameter path: The path of the report; an existing file is replaced when the report is complete.
    /// - Throws: ``InterchangeError`` if the report cannot be created.
    public init(path: String) throws(InterchangeError) {
        self.path = path
        file = try AtomicFile(path: path)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try add(Array("{\"errors\":[".utf8))
    }

    /// Appends an error to the report.
    ///
    /// Errors that are appended after ``prepare(_:)`` are written by ``finish(_:_:)``.
    ///
    /// - Parameter error: The error of the import to report.
    /// - Throws: ``InterchangeError`` if writing fails, for example because the disk is full.
    public func append(_ error: InterchangeError) throws {
        // The buffer is moved to a local variable and back, so that its uniqueness and exclusive access are checked
        // once and not for every byte.
        var text = problem
        problem = []
        text.removeAll(keepingCapacity: true)
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        Self.append(error, to: &text)
        if open == nil { try add(text) } else { late += text }
        problem = text
    }

    private static func append(_ error: InterchangeError, to text: inout [UInt8]) {
        func add(_ beginning: StaticString) {
            beginning.withUTF8Buffer { text.append(contentsOf: $0) }
        }
        add("\n{")
        if let column = error.column {
            add("\"column\":")
            JSONText.append(column, to: &text)
            add(",")
        }
        if let line = error.line {
            add("\"line\":")
            text.append(contentsOf: String(line).utf8)
            add(",")
        }
        add("\"message\":")
        JSONText.append(error.message, to: &text)
        if let record = error.record {
            add(",\"record\":")
            text.append(contentsOf: String(record).utf8)
        }
        if let source = error.source {
            add(",\"source\":")
            JSONText.append(source, to: &text)
        }
        add("}")
    }

    /// Appends the counts, and replaces the target with the report before the import commits.
    ///
    /// After the commit, call ``finish(_:_:)``, which changes the outcome in the report.
    ///
    /// Call it at most once, in ``ImportOptions/beforeCommit`` of the last commit, for which ``ImportSummary/isWhole``
    /// is `true`. When it returns, the report is on the disk. If it throws, the error aborts the import, and nothing is
    /// stored without a report.
    ///
    /// - Parameter summary: The summary of the import after the commit.
    /// - Throws: ``InterchangeError`` if writing fails.
    public func prepare(_ summary: ImportSummary) throws {
        let counts = length
        try add(try self.counts(summary))
        let outcome = length
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw InterchangeError.output(path, failedWith: errno) }
        open = Open(file: OpenFile(descriptor: descriptor), places: file.isRegular ? (counts, outcome) : nil)
        if file.isRegular { try add(Self.ending(.committing)) }
        try file.commit()
    }

    /// Completes the report with the counts and the outcome of the import.
    ///
    /// Call it once, whether or not ``prepare(_:)`` was called. After a successful import whose report was prepared,
    /// only the outcome is overwritten, which needs no disk space. After a failed import, the counts are replaced too.
    ///
    /// - Parameters:
    ///   - summary: The summary of the import; `nil` if it did not begin.
    ///   - outcome: The outcome of the import.
    /// - Throws: ``InterchangeError`` if writing fails.
    public func finish(_ summary: ImportSummary?, _ outcome: Outcome) throws {
        guard let open else {
            try add(try counts(summary) + Self.ending(outcome))
            return try file.commit()
        }
        self.open = nil
        guard let places = open.places else { return try write(Self.ending(outcome), to: open.file, at: nil) }
        guard outcome == .failed || !late.isEmpty else {
            // The text has the same length as the existing text, so no disk space is needed.
            return try write(Self.ending(outcome), to: open.file, at: places.outcome)
        }
        let text = try late + counts(summary) + Self.ending(outcome)
        try write(text, to: open.file, at: places.counts)
        guard ftruncate(open.file.descriptor, off_t(places.counts + text.count)) == 0, fsync(open.file.descriptor) == 0
        else {
            throw InterchangeError.output(path, failedWith: errno)
        }
    }

    /// Returns the end of the object, which has the same length for every outcome.
    private static func ending(_ outcome: Outcome) -> [UInt8] {
        let word = "\"\(outcome.rawValue)\""
        let longest = Outcome.committing.rawValue.utf8.count + 2
        return Array((word + String(repeating: " ", count: longest - word.utf8.count) + "}\n").utf8)
    }

    /// Returns the text between the errors and the outcome.
    private func counts(_ summary: ImportSummary?) throws -> [UInt8] {
        var total = ImportReportCounts()
        let counts = (summary?.files ?? []).map(ImportReportCounts.init)
        for file in counts { total.add(file) }
        let seconds = start.duration(to: .now)
        let elapsed = Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
        var text = Array("\n],\n\"files\":".utf8) + (try encoder.encode(counts))
        text += Array(",\n\"seconds\":".utf8) + (try encoder.encode((elapsed * 1000).rounded() / 1000))
        text += Array(",\n\"total\":".utf8) + (try encoder.encode(total))
        return text + Array(",\n\"outcome\":".utf8)
    }

    private func add(_ bytes: [UInt8]) throws(InterchangeError) {
        length += bytes.count
        try file.output.append(bytes)
    }

    private func write(_ bytes: [UInt8], to file: OpenFile, at place: Int?) throws(InterchangeError) {
        if let place, lseek(file.descriptor, off_t(place), SEEK_SET) < 0 {
            throw InterchangeError.output(path, failedWith: errno)
        }
        let output = ByteOutput(descriptor: file.descriptor, name: path)
        try output.append(bytes)
        try output.flush()
    }
}
