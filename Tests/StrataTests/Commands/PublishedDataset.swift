import Foundation
import Testing

/// A relational dataset in the style of published ones, of those that `Fixtures/datasets.sh` makes: how it is read, and what is true of it.
struct PublishedDataset: Sendable, CustomTestStringConvertible {
    /// A line that somebody changes in the model that was inferred, in the part of one table.
    struct Edit: Sendable {
        var table: String
        var old: String
        var new: String

        init(_ table: String, _ old: String, _ new: String) { (self.table, self.old, self.new) = (table, old, new) }

        /// What a table's schema gets.
        static func schema(_ table: String, _ members: String) -> Edit {
            Edit(table, #""schema": {"#, #""schema": {\#(members),"#)
        }

        /// The type of a field.
        static func type(_ table: String, _ field: String, _ old: String, is new: String) -> Edit {
            Edit(table, #"{"name": "\#(field)", "type": "\#(old)""#, #"{"name": "\#(field)", "type": "\#(new)""#)
        }
    }

    let name: String
    /// The options by which its files are read.
    var reading: [String] = []
    /// What inference cannot know, as options.
    var given: [String] = []
    /// What it cannot know, and has no option for.
    var edits: [Edit] = []
    /// The references that are adopted.
    let references: [String]
    /// Those that are there after the edits; the same unless given.
    var corrected: [String]?

    // MARK: How its files differ from those that are written

    var encoding = String.Encoding.utf8
    /// How lines begin that stand before the header.
    var preamble: String?
    /// How many rows name the columns.
    var headerRows = 1
    /// Files with quotes where none are needed.
    var quotesFreely: Set<String> = []
    /// Files of pairs, which have no order.
    var unordered: Set<String> = []

    var testDescription: String { name }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/datasets").path

    var path: String { "\(Self.folder)/\(name)" }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// The text of a file as it would be written: in UTF-8, with one header, and nothing before it.
    func text(_ file: String) throws -> String {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)"))
        var lines = (String(data: data, encoding: encoding) ?? "").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if let preamble { lines.removeFirst(lines.prefix { $0.hasPrefix(preamble) }.count) }
        if headerRows == 2 {
            let (names, units) = (cells(lines.removeFirst()), cells(lines.removeFirst()))
            let header = zip(names, units).map { [$0, $1].filter { !$0.isEmpty }.joined(separator: " ") }
            lines.insert(header.joined(separator: ";"), at: 0)
        }
        return lines.joined(separator: "\n")
    }

    /// A file with nothing but what comes before its first record.
    func withoutRecords(_ file: String) throws -> Data {
        if file.hasSuffix(".json") { return Data("[]".utf8) }
        if file.hasSuffix(".ndjson") { return Data() }
        let lines = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(file)")).split(separator: UInt8(ascii: "\n"))
        let begin = lines.prefix { line in preamble.map { line.starts(with: $0.utf8) } ?? false }.count
        return Data(lines.prefix(begin + headerRows).joined(separator: "\n".utf8)) + "\n".utf8
    }

    private func cells(_ line: String) -> [String] {
        line.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    }

    /// The cells of a table in quotes here and there, read by no reader of ours.
    static func cells(_ text: String) -> [[String]] {
        var rows: [[String]] = [[""]]
        var isQuoted = false
        for scalar in text.unicodeScalars {
            let (row, cell) = (rows.count - 1, rows[rows.count - 1].count - 1)
            switch scalar {
            // A doubled quote closes and opens.
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: rows[row].append("")
            case "\n" where !isQuoted: rows.append([""])
            default: rows[row][cell].unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}
