import StrataInterchange
import StrataPersistence

extension ExportCommand {
    /// The options that select rows and columns.
    static let selectionOptions: [OptionSpecification] = [
        Selection.columnsOption, Selection.whereOption, Selection.sortOption,
        .option("limit", placeholder: "N", help: "At most so many records.", group: Selection.group),
        Selection.offsetOption,
    ]

    private static let tables = "Writing CSV and TSV"

    /// The options for writing tables; options that do not apply to the format are rejected.
    static let formatOptions: [OptionSpecification] = [
        .option(
            "like", placeholder: "FILE",
            help:
                "Write as this file is written: what is between its fields, whether all are in quotes, its line ends and its byte order mark. "
                + "Other options override it.",
            group: tables, values: .file),
        .flag("no-header", "Leave out the line with the columns' names.", group: tables),
        .option(
            "delimiter", placeholder: "CHAR",
            help: "The character between two CSV fields; tab is a tab (default: a comma).", group: tables
        ),
        .flag("quote-all", "Put all fields in quotes, but not null.", group: tables),
        .option(
            "line-ending", placeholder: "ENDING", help: "The end of a record: lf, crlf or cr (default: lf).",
            group: tables,
            values: .words(ExportOptions.LineEnding.allCases.map(\.rawValue))),
        .flag("bom", "Begin with a byte order mark, for spreadsheets that need one to see UTF-8.", group: tables),
        .option(
            "null", placeholder: "TOKEN",
            help: "The text that represents null, without quotes; an equal value gets quotes.", group: tables),
        .flag(
            "escape-formulas",
            "Put ' before texts that begin with = + - @, tab or CR, which spreadsheets calculate; changes the data.",
            group: tables),
        .flag("pretty", "Indent a JSON array, one value a line.", group: "Writing JSON"),
    ]

    /// Returns the export options from the arguments, after checking that they apply to the format.
    static func options(
        for format: DatasetFormat, arguments: ParsedArguments, interruption: Interruption
    ) throws -> ExportOptions {
        var options = ExportOptions(format: format)
        options.columns = try columns(arguments)
        options.hasHeader = !arguments.has("no-header")
        if let path = arguments.value("like") {
            guard format.isTable else {
                throw arguments.usageError(
                    "--like can be used only for CSV and TSV, not for \(format.rawValue.uppercased())")
            }
            let appearance = try TableAppearance(of: try ByteInput.file(at: path))
            options.separator = format == .tsv ? nil : appearance.separator
            options.lineEnding = appearance.lineEnding
            options.hasByteOrderMark = appearance.hasByteOrderMark
            options.quotesAll = appearance.quotesAll
        }
        if let separator = try Stores.separator(arguments) { options.separator = separator }
        if arguments.has("quote-all") { options.quotesAll = true }
        let endings = ExportOptions.LineEnding.allCases.map(\.rawValue)
        if let word = try arguments.choice("line-ending", among: endings) {
            options.lineEnding = ExportOptions.LineEnding(rawValue: word) ?? .lf
        }
        if arguments.has("bom") { options.hasByteOrderMark = true }
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

    /// Checks that every column exists, before anything is written.
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

    static func columns(_ arguments: ParsedArguments) throws -> [ExportColumn]? {
        let lists = arguments.allValues("columns")
        guard !lists.isEmpty else { return nil }
        return try lists.flatMap { $0.rawPartsOutsideBackticks(at: ",") }.map { item in
            // The first equals sign separates path and name, because a name can contain one and a path cannot.
            let parts = item.rawPartsOutsideBackticks(at: "=", maximum: 1)
            let source = trimmed(parts[0])
            guard !source.isEmpty else {
                throw arguments.usageError("option --columns: \"\(item)\" is not PATH or PATH=NAME")
            }
            return ExportColumn(source, as: parts.count > 1 ? parts[1] : nil, names: .files)
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
