import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The export of an entity, or of a whole store, to a workbook.
enum WorkbookExport {
    /// The word for the format, which is also the extension of the files.
    static let word = "xlsx"

    /// The options for writing CSV, which do not apply to workbooks.
    private static let tableOptions = [
        "like", "delimiter", "quote-all", "line-ending", "bom", "null", "escape-formulas", "pretty",
    ]

    /// Returns a Boolean value that indicates whether the arguments name a workbook by `--format` or its extension.
    ///
    /// - Throws: ``UsageError`` if another option does not apply to workbooks.
    static func isRequested(_ arguments: ParsedArguments) throws -> Bool {
        let isNamed = arguments.value("output")?.lowercased().hasSuffix("." + word) ?? false
        guard arguments.value("format").map({ $0.lowercased() == word }) ?? isNamed else { return false }
        guard let output = arguments.value("output"), output != "-" else {
            throw arguments.usageError("a workbook is a file; name it with --output FILE")
        }
        for option in tableOptions where arguments.value(option) != nil || arguments.has(option) {
            throw arguments.usageError("--\(option) cannot be used for a workbook")
        }
        return true
    }

    /// Writes the workbook, prints notes about changes, and returns the counts of what was written.
    static func write(
        _ requests: [StoreRequest], joins: [JoinDescription] = [], by exporter: DatasetExporter, to output: ByteOutput,
        _ arguments: ParsedArguments
    ) throws -> DatasetExporter.WorkbookResult {
        let result = try exporter.writeWorkbook(requests, joins: joins, to: output)
        guard !arguments.has("quiet") else { return result }
        for (dataset, sheet) in result.renamed {
            Console.note("\(dataset): the sheet has the name \(sheet), because spreadsheets limit names")
        }
        if result.longNumbers > 0 {
            Console.note(
                "\(result.longNumbers) \(result.longNumbers == 1 ? "number has" : "numbers have") more than 15 digits, "
                    + "which a spreadsheet would round: written as text")
        }
        return result
    }
}
