import StrataInterchange
import StrataPersistence

extension ExportCommand {
    /// The options that select rows and columns.
    static let selectionOptions: [OptionSpecification] = [
        Selection.columnsOption, Selection.whereOption, Selection.sortOption,
        .option("limit", placeholder: "N", help: "Export at most N records (default: all).", group: Selection.group),
        Selection.offsetOption,
    ]

    private static let tables = "Writing CSV and TSV"

    /// The options for writing tables; options that do not apply to the format are rejected.
    static let formatOptions: [OptionSpecification] = [
        .option(
            "like", placeholder: "FILE",
            help: "Use the delimiter, quotes, line ends and byte order mark of FILE.",
            details: "All fields are quoted if those of FILE are. Other options override this one.",
            group: tables, values: .file),
        .flag("no-header", "Omit the line with the column names.", group: tables),
        .option(
            "delimiter", placeholder: "CHAR",
            help: "Separate fields of CSV with CHAR, or tab (default: a comma).", group: tables
        ),
        .flag("quote-all", "Quote all fields except null.", group: tables),
        .option(
            "line-ending", placeholder: "ENDING", help: "End each record with lf, crlf or cr (default: lf).",
            group: tables,
            values: .words(ExportOptions.LineEnding.allCases.map(\.rawValue))),
        .flag(
            "bom", "Begin with a byte order mark.",
            details: "Some spreadsheets recognize UTF-8 only by this mark.", group: tables),
        .option(
            "null", placeholder: "TOKEN",
            help: "Write null as TOKEN without quotes (default: an empty field).",
            details: "A value that is equal to TOKEN is quoted.", group: tables),
        .flag(
            "escape-formulas", "Write ' before texts that spreadsheets calculate.",
            details: "Such a text begins with =, +, -, @, a tab or a carriage return. The option changes the data.",
            group: tables),
        .flag("pretty", "Indent a JSON array, with one value per line.", group: "Writing JSON"),
    ]

    /// Returns the export options that the arguments name; throws an error if one of them does not apply to the format.
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

    /// Throws an error if the entity lacks a column that the options name, before anything is written.
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
