import Interchange
import Persistence

extension ExportCommand {
    /// Which rows and columns.
    static let selectionOptions: [OptionSpecification] = [
        .option(
            "columns", "LIST",
            "The columns in their order, as in id,salary,boss.lastName=boss: a path, and behind = the name it gets. May be repeated.",
            isRepeatable: true),
        .option("limit", "N", "At most so many records."),
        .option("offset", "N", "Leave out so many records at the beginning."),
    ]

    /// How they are written; what a format does not have is refused.
    static let formatOptions: [OptionSpecification] = [
        .flag("no-header", "Leave the line with the columns' names out of CSV and TSV."),
        .option("delimiter", "CHAR", "What is between two fields of CSV; a comma unless given. tab is a tab."),
        .flag("quote-all", "Put all fields of CSV and TSV in quotes, but not null."),
        .option("line-ending", "ENDING", "lf, crlf or cr at the end of a record of CSV and TSV; lf unless given."),
        .flag("bom", "Begin CSV and TSV with a byte order mark, for spreadsheets that need one to see UTF-8."),
        .option(
            "null", "TOKEN", "What stands for null in CSV and TSV, without quotes; a value that looks so gets quotes."),
        .flag(
            "escape-formulas",
            "Put ' before texts of CSV and TSV that begin with = + - @, tab or CR, which spreadsheets calculate; changes the data."
        ),
        .flag("pretty", "Indent a JSON array, one value a line."),
    ]

    /// The rows that are asked for.
    static func request(_ entity: EntityDescription, _ arguments: ParsedArguments) throws -> StoreRequest {
        var request = StoreRequest(entity.name)
        request.limit = try arguments.integer("limit", in: 0...Int.max)
        request.offset = try arguments.integer("offset", in: 0...Int.max) ?? 0
        return request
    }

    /// The options as they were given, which fit the format.
    static func options(
        _ format: DatasetFormat, _ arguments: ParsedArguments, _ interruption: Interruption
    ) throws -> ExportOptions {
        var options = ExportOptions(format: format)
        options.columns = try columns(arguments)
        options.hasHeader = !arguments.has("no-header")
        options.separator = try Stores.separator(arguments)
        options.quotesAll = arguments.has("quote-all")
        let endings = ExportOptions.LineEnding.allCases.map(\.rawValue)
        if let word = try arguments.choice("line-ending", among: endings) {
            options.lineEnding = ExportOptions.LineEnding(rawValue: word) ?? .lf
        }
        options.hasByteOrderMark = arguments.has("bom")
        options.nullToken = arguments.value("null")
        options.escapesFormulas = arguments.has("escape-formulas")
        options.isPretty = arguments.has("pretty")
        options.isCancelled = interruption.isCancelled
        do throws(InterchangeError) {
            try options.check()
        } catch {
            throw arguments.usageError(error.message)
        }
        return options
    }

    /// Makes sure, before anything is written, that every column is there.
    static func checkColumns(
        _ options: ExportOptions, of entity: EntityDescription, in model: ManagedObjectModel,
        _ arguments: ParsedArguments
    ) throws {
        do {
            try DatasetExporter.check(options.columns, of: entity.name, in: model)
        } catch let error as InterchangeError {
            throw arguments.usageError("option --columns: \(error.message)")
        }
    }

    private static func columns(_ arguments: ParsedArguments) throws -> [ExportColumn]? {
        let lists = arguments.allValues("columns")
        guard !lists.isEmpty else { return nil }
        return try lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { item in
            // The first sign divides: a path has none, a name may.
            let sign = item.firstIndex(of: "=")
            let source = trimmed(item[..<(sign ?? item.endIndex)])
            guard !source.isEmpty else {
                throw arguments.usageError("option --columns: \"\(item)\" is not PATH or PATH=NAME")
            }
            return ExportColumn(source, as: sign.map { String(item[item.index(after: $0)...]) })
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
