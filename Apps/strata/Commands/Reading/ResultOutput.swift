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

    /// Writes results whose columns are known.
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
        try write(interruption) { results in
            try results.begin(columns)
            try body { try results.write($0) }
        }
    }

    /// Writes results.
    ///
    /// - Parameters:
    ///   - interruption: The interruption of the command.
    ///   - body: A closure that passes the columns, and then the values of each result, to its argument.
    /// - Throws: The error of `body`, or of writing the output.
    func write(_ interruption: Interruption, _ body: (Results) throws -> Void) throws {
        let count = try target.write(interruption) { output in
            let results = Results { try writer($0, to: output) }
            try body(results)
            return try results.finish()
        }
        target.report("wrote \(count) \(count == 1 ? "result" : "results")", arguments)
    }

    /// The results that are being written.
    final class Results {
        private let makeWriter: ([TextTable.Column]) throws -> any ResultWriter
        private var writer: (any ResultWriter)?

        fileprivate init(_ makeWriter: @escaping ([TextTable.Column]) throws -> any ResultWriter) {
            self.makeWriter = makeWriter
        }

        /// Writes what precedes the first result.
        func begin(_ columns: [TextTable.Column]) throws { writer = try makeWriter(columns) }

        /// Writes a result.
        func write(_ values: [StoredValue]) throws { try writer?.write(results: values) }

        /// Writes what follows the last result, and returns the number of results.
        fileprivate func finish() throws -> Int {
            try writer?.finish()
            return writer?.count ?? 0
        }
    }

    private func writer(_ columns: [TextTable.Column], to output: ByteOutput) throws -> any ResultWriter {
        if let format {
            var options = ExportOptions(format: format)
            options.escapesFormulas = arguments.has("escape-formulas")
            return try ValueWriter(columns: columns.map(\.title), options, to: output)
        }
        let isTerminal = target.path == nil && Terminal.isOutput
        let environment = Terminal.environment
        let wish = try arguments.choice("color", among: TerminalStyle.ColorMode.allCases.map(\.rawValue))
        let style = TerminalStyle(
            wish.flatMap(TerminalStyle.ColorMode.init) ?? .auto, isTerminal: isTerminal, environment: environment)
        return TableWriter(
            columns, width: isTerminal ? Terminal.width(environment) : nil, style: style, output: output)
    }
}

/// A writer of results as a table or as a dataset.
private protocol ResultWriter {
    /// The number of results that were written.
    var count: Int { get }

    /// Writes a result.
    mutating func write(results values: [StoredValue]) throws

    /// Writes what follows the last result.
    mutating func finish() throws
}

extension ValueWriter: ResultWriter {
    mutating func write(results values: [StoredValue]) throws { try write(values) }
}

extension TableWriter: ResultWriter {
    mutating func write(results values: [StoredValue]) throws { try write(values.map(TableCell.init)) }
}
