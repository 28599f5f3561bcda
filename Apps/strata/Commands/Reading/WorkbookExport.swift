import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The export of an entity to a workbook.
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

    /// Writes the workbook, prints a note about numbers that are texts, and returns the count of records.
    static func write(
        _ request: StoreRequest, by exporter: DatasetExporter, to output: ByteOutput, _ arguments: ParsedArguments
    ) throws -> Int {
        let result = try exporter.writeWorkbook(request, to: output)
        if result.longNumbers > 0, !arguments.has("quiet") {
            Console.note(
                "\(result.longNumbers) \(result.longNumbers == 1 ? "number has" : "numbers have") more than 15 digits, "
                    + "which a spreadsheet would round: written as text")
        }
        return result.count
    }
}
