import Foundation
import StrataCore

/// A report of an import for programs: one JSON object with every error and all counts, written as they come.
public final class ImportReport {
    /// How an import ended.
    public enum Outcome: String, Sendable, Codable {
        /// Everything that was not rejected is stored.
        case stored
        /// Everything was done but storing.
        case dryRun
        /// Nothing is stored, but for what was committed on the way.
        case failed
    }

    private struct Problem: Encodable {
        var source: String?
        var line: Int?
        var record: Int?
        var column: String?
        var message: String
    }

    private struct Counts: Encodable {
        var source: String?
        var entity: String?
        var read = 0
        var inserted = 0
        var updated = 0
        var ignored = 0
        var rejected = 0
        var resumed = 0
        var nulledReferences = 0
        var bytes = 0
        var ignoredColumns: [String]?
        var recognized: [String]?
        var mended: [String]?

        init() {}

        init(_ file: ImportSummary.File) {
            source = file.name
            entity = file.entity
            read = file.read
            inserted = file.counts.inserted
            updated = file.counts.updated
            ignored = file.counts.ignored
            rejected = file.rejected
            resumed = file.resumed
            nulledReferences = file.counts.nulledReferences
            bytes = file.bytes
            ignoredColumns = file.ignoredColumns
            recognized = file.recognized
            mended = file.mended
        }

        mutating func add(_ other: Counts) {
            read += other.read
            inserted += other.inserted
            updated += other.updated
            ignored += other.ignored
            rejected += other.rejected
            resumed += other.resumed
            nulledReferences += other.nulledReferences
            bytes += other.bytes
        }
    }

    private let file: AtomicFile
    private let encoder = JSONEncoder()
    private let start = ContinuousClock.now
    private var isFirst = true

    /// Begins a report.
    ///
    /// - Parameter path: Where; a file that is there is replaced when the report is whole.
    /// - Throws: What creating a file throws.
    public init(path: String) throws(InterchangeError) {
        file = try AtomicFile(path: path)
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try file.output.append(Array("{\"errors\":[".utf8))
    }

    /// Adds an error.
    ///
    /// - Parameter error: The error.
    /// - Throws: What writing throws.
    public func append(_ error: InterchangeError) throws {
        let problem = Problem(
            source: error.source, line: error.line, record: error.record, column: error.column, message: error.message)
        try file.output.append(Array((isFirst ? "\n" : ",\n").utf8) + encoder.encode(problem))
        isFirst = false
    }

    /// Adds the counts, and puts the report in its place.
    ///
    /// - Parameters:
    ///   - summary: What the import did; nil when it failed.
    ///   - outcome: How it ended.
    /// - Throws: What writing throws.
    public func finish(_ summary: ImportSummary?, _ outcome: Outcome) throws {
        let files = summary?.files ?? []
        var total = Counts()
        let counts = files.map(Counts.init)
        for file in counts { total.add(file) }
        let seconds = start.duration(to: .now)
        let elapsed = Double(seconds.components.seconds) + Double(seconds.components.attoseconds) / 1e18
        var text = Array("\n],\n\"files\":".utf8) + (try encoder.encode(counts))
        text += Array(",\n\"outcome\":".utf8) + (try encoder.encode(outcome))
        text += Array(",\n\"seconds\":".utf8) + (try encoder.encode((elapsed * 1000).rounded() / 1000))
        text += Array(",\n\"total\":".utf8) + (try encoder.encode(total)) + Array("}\n".utf8)
        try file.output.append(text)
        try file.commit()
    }
}
