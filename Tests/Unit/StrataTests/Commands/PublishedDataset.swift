import Foundation
import StrataTestSupport
import Testing

/// A relational dataset from `Fixtures/datasets.sh` in the style of published ones, with its options and expectations.
struct PublishedDataset: Sendable, CustomTestStringConvertible {
    /// A manual change of a line of the inferred model, within one table.
    struct Edit: Sendable {
        var table: String
        var old: String
        var new: String

        init(_ table: String, _ old: String, _ new: String) { (self.table, self.old, self.new) = (table, old, new) }

        /// Returns an edit that adds members to a table's schema.
        static func schema(_ table: String, _ members: String) -> Edit {
            Edit(table, #""schema": {"#, #""schema": {\#(members),"#)
        }

        /// Returns an edit that changes the type of a field.
        static func type(_ table: String, _ field: String, _ old: String, is new: String) -> Edit {
            Edit(table, #"{"name": "\#(field)", "type": "\#(old)""#, #"{"name": "\#(field)", "type": "\#(new)""#)
        }
    }

    let name: String
    /// The options for reading the files.
    var reading: [String] = []
    /// The options for facts that inference cannot find.
    var given: [String] = []
    /// The edits for facts that inference cannot find and for which there is no option.
    var edits: [Edit] = []
    /// The inferred references.
    let references: [String]
    /// The references after the edits, or `nil` if they do not change.
    var corrected: [String]?

    // MARK: Differences between the files and exported ones

    var encoding = String.Encoding.utf8
    /// The prefix of lines before the header.
    var preamble: String?
    /// The count of header rows.
    var headerRows = 1
    /// Files that contain unnecessary quotes.
    var quotesFreely: Set<String> = []
    /// Files of join rows, which have no order.
    var unordered: Set<String> = []

    var testDescription: String { name }

    static let folder = Checkout.root.appendingPathComponent("Fixtures/datasets").path

    var path: String { "\(Self.folder)/\(name)" }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Returns the text of a file as an export writes it: in UTF-8, with one header and no preamble.
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

    /// Returns a file without its records.
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

    /// Returns the cells of a table with optional quotes, by an independent implementation.
    static func cells(_ text: String) -> [[String]] {
        var rows: [[String]] = [[""]]
        var isQuoted = false
        for scalar in text.unicodeScalars {
            let (row, cell) = (rows.count - 1, rows[rows.count - 1].count - 1)
            switch scalar {
            // A doubled quote closes and reopens the field.
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: rows[row].append("")
            case "\n" where !isQuoted: rows.append([""])
            default: rows[row][cell].unicodeScalars.append(scalar)
            }
        }
        return rows
    }
}
