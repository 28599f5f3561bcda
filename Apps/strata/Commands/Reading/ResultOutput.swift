import StrataInterchange
import StrataPersistence

/// The output of the results of a query: a table for people, or a dataset for programs.
struct ResultOutput {
    private static let group = "Writing results"

    static let options: [OptionSpecification] = [
        .option(
            "format", placeholder: "FORMAT",
            help: "Print a table, or write csv, tsv, json or ndjson (default: table).",
            group: group, values: .words(["table"] + DatasetFormat.allCases.map(\.rawValue))),
        .option(
            "output", placeholder: "FILE", help: "Write to FILE (default: standard output).",
            details:
                "FILE is replaced after all results are written. If --format is not given, the name determines the "
                + "format.",
            letter: "o", group: group, values: .file),
        .flag(
            "escape-formulas", "Write ' before texts that spreadsheets calculate.",
            details: "Such a text begins with =, +, -, @, a tab or a carriage return. The option changes the data.",
            group: group),
        TerminalStyle.option,
    ]

    private let target: OutputTarget
    /// The format of a dataset; `nil` for a table.
    private let format: DatasetFormat?
    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) throws {
        self.arguments = arguments
        var guarding = try ReadableStore.outputGuard(arguments)
        if let output = arguments.value("output"), output != "-" { try guarding.claim(output) }
        target = try OutputTarget(arguments.value("output"))
        if let word = try arguments.choice("format", among: ["table"] + DatasetFormat.allCases.map(\.rawValue)) {
            format = DatasetFormat(rawValue: word)
        } else {
            format = target.path.flatMap(DatasetFormat.init(fileName:))
        }
        if arguments.has("escape-formulas"), format?.isTable != true {
            throw arguments.usageError("--escape-formulas can be used only for CSV and TSV")
        }
    }

    /// Writes results.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns, and whether they contain numbers.
    ///   - interruption: The interruption of the command.
    ///   - body: A closure that calls its argument with the values of each result.
    /// - Throws: The error of `body`, or of writing the output.
    func write(
        _ columns: [TextTable.Column], _ interruption: Interruption,
        _ body: (_ write: ([StoredValue]) throws -> Void) throws -> Void
    ) throws {
        let count = try target.write(interruption) { output in
            guard let format else { return try table(columns, to: output, body) }
            var options = ExportOptions(format: format)
            options.escapesFormulas = arguments.has("escape-formulas")
            var writer = try ValueWriter(columns: columns.map(\.title), options, to: output)
            try body { try writer.write($0) }
            try writer.finish()
            return writer.count
        }
        target.report("wrote \(count) \(count == 1 ? "result" : "results")", arguments)
    }

    private func table(
        _ columns: [TextTable.Column], to output: ByteOutput,
        _ body: (_ write: ([StoredValue]) throws -> Void) throws -> Void
    ) throws -> Int {
        let isTerminal = target.path == nil && Terminal.isOutput
        let environment = Terminal.environment
        let wish = try arguments.choice("color", among: TerminalStyle.ColorMode.allCases.map(\.rawValue))
        let style = TerminalStyle(
            wish.flatMap(TerminalStyle.ColorMode.init) ?? .auto, isTerminal: isTerminal, environment: environment)
        var writer = TableWriter(
            columns, width: isTerminal ? Terminal.width(environment) : nil, style: style, output: output)
        try body { try writer.write($0.map(TableCell.init)) }
        try writer.finish()
        return writer.count
    }
}
