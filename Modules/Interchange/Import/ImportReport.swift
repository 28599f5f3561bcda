import Foundation
import StrataCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A report of an import for programs: one JSON object with every error and all counts, written as they come.
///
/// It is in its place before the import commits, with the outcome ``Outcome/committing``: whatever happens to the process or the disk then,
/// no record is stored of which the report does not tell.
public final class ImportReport {
    /// How an import ended.
    public enum Outcome: String, Sendable, Codable {
        /// Everything that was not rejected is stored.
        case stored
        /// Everything was done but storing.
        case dryRun
        /// Nothing is stored, but for what was committed on the way.
        case failed
        /// The process ended while everything was being stored: all of it is, or nothing but what was committed on the way.
        case committing
    }

    /// What is still open when the report is in its place.
    private struct Open {
        var descriptor: Int32
        /// Where in the file the counts begin, and the outcome; nil for what is no regular file and is only added to.
        var places: (counts: Int, outcome: Int)?
    }

    private let path: String
    private let file: AtomicFile
    private let encoder = JSONEncoder()
    private let start = ContinuousClock.now
    private var isFirst = true
    private var length = 0
    /// The text of one error, kept so that its memory is used again.
    private var problem: [UInt8] = []
    private var open: Open?
    /// Errors that came when the report was in its place.
    private var late: [UInt8] = []

    /// Begins a report.
    ///
    /// - Parameter path: Where; a file that is there is replaced when the report is whole.
    /// - Throws: What creating a file throws.
    public init(path: String) throws(InterchangeError) {
        self.path = path
        file = try AtomicFile(path: path)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try add(Array("{\"errors\":[".utf8))
    }

    deinit {
        if let open { _ = close(open.descriptor) }
    }

    /// Adds an error.
    ///
    /// - Parameter error: The error.
    /// - Throws: What writing throws.
    public func append(_ error: InterchangeError) throws {
        // Taken away and given back: what a million errors are written with is checked once, and not for every byte.
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

    /// Adds the counts, and puts the report in its place, on the disk, before everything is stored; ``finish(_:_:)`` says then that it was.
    ///
    /// - Parameter summary: What the import will have done.
    /// - Throws: What writing throws.
    public func prepare(_ summary: ImportSummary) throws {
        let counts = length
        try add(try self.counts(summary))
        let outcome = length
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw InterchangeError.output(path, failedWith: errno) }
        open = Open(descriptor: descriptor, places: file.isRegular ? (counts, outcome) : nil)
        if file.isRegular { try add(Self.ending(.committing)) }
        try file.commit()
    }

    /// Adds the counts, and puts the report in its place; of one that is there already, changes the outcome.
    ///
    /// - Parameters:
    ///   - summary: What the import did, or how far it came; nil when it did not begin.
    ///   - outcome: How it ended.
    /// - Throws: What writing throws.
    public func finish(_ summary: ImportSummary?, _ outcome: Outcome) throws {
        guard let open else {
            try add(try counts(summary) + Self.ending(outcome))
            return try file.commit()
        }
        self.open = nil
        defer { _ = close(open.descriptor) }
        guard let places = open.places else { return try write(Self.ending(outcome), to: open.descriptor, at: nil) }
        guard outcome == .failed || !late.isEmpty else {
            // As many bytes as are there: nothing has to be found room for.
            return try write(Self.ending(outcome), to: open.descriptor, at: places.outcome)
        }
        let text = try late + counts(summary) + Self.ending(outcome)
        try write(text, to: open.descriptor, at: places.counts)
        guard ftruncate(open.descriptor, off_t(places.counts + text.count)) == 0, fsync(open.descriptor) == 0 else {
            throw InterchangeError.output(path, failedWith: errno)
        }
    }

    /// The end of the object, of the same length whatever the outcome.
    private static func ending(_ outcome: Outcome) -> [UInt8] {
        let word = "\"\(outcome.rawValue)\""
        let longest = Outcome.committing.rawValue.utf8.count + 2
        return Array((word + String(repeating: " ", count: longest - word.utf8.count) + "}\n").utf8)
    }

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

    private func write(_ bytes: [UInt8], to descriptor: Int32, at place: Int?) throws(InterchangeError) {
        if let place, lseek(descriptor, off_t(place), SEEK_SET) < 0 {
            throw InterchangeError.output(path, failedWith: errno)
        }
        let output = ByteOutput(descriptor: descriptor, name: path)
        try output.append(bytes)
        try output.flush()
    }
}
