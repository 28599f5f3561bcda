import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata show`, which prints an entity's rows as a table.
enum ShowCommand: Command {
    /// The default maximum number of rows on a terminal, which fits one screen.
    private static let screen = 20

    static let specification = CommandSpecification(
        name: "show",
        summary: "Show the rows of an entity as a table, cut to the width of a terminal.",
        positionals: [ReadableStore.files],
        options: ownOptions + ReadableStore.options(besides: ownOptions) + [Stores.verboseOption],
        examples: [
            "strata show --entity Employee --store app.sqlite --where 'salary >= 50000' --sort 'salary desc'",
            "strata show --entity Employee --store app.sqlite --columns id,lastName,boss.lastName=boss --limit 5",
            "strata show --entity Color --store app.sqlite --color always | less -R",
            "strata show people.csv --where 'city_code = \"b\"'",
        ])

    private static let ownOptions: [OptionSpecification] = [
        ReadableStore.entityOption, Selection.columnsOption, Selection.whereOption, Selection.sortOption,
        .option(
            "limit", placeholder: "N",
            help: "Show at most N records (default: 20 on a terminal, all in a pipe).",
            group: Selection.group),
        Selection.offsetOption, TerminalStyle.option,
        .flag("quiet", "Omit the last line, which contains the counts.", letter: "q"),
    ]

    static func run(_ arguments: ParsedArguments) throws {
        let isTerminal = Terminal.isOutput
        let environment = Terminal.environment
        let wish = try arguments.choice("color", among: TerminalStyle.ColorMode.allCases.map(\.rawValue))
        let style = TerminalStyle(
            wish.flatMap(TerminalStyle.ColorMode.init) ?? .auto, isTerminal: isTerminal, environment: environment)
        let interruption = Interruption()
        var options = ExportOptions(format: .csv)
        options.columns = try ExportCommand.columns(arguments)
        options.isCancelled = interruption.isCancelled
        try ReadableStore.withContainer(arguments, keepsTexts: true) { container in
            let entity = try ReadableStore.entity(arguments, in: container.model)
            var request = try Selection.request(entity, in: container.model, arguments)
            if isTerminal, request.limit == nil { request.limit = screen }
            try ExportCommand.checkColumns(options, of: entity, in: container.model, arguments)
            let store = container.coordinator.store
            let exporter = try DatasetExporter(store: store, options: options)
            var writer = TableWriter(
                try exporter.columns(of: entity.name).map {
                    TextTable.Column(title: $0.name, isNumber: $0.type.coding.isNumber)
                },
                width: isTerminal ? Terminal.width(environment) : nil, style: style)
            try exporter.forEach(request) { try writer.write($0.map(TableCell.init)) }
            try writer.finish()
            guard isTerminal, !arguments.has("quiet") else { return }
            let all = try store.count(StoreRequest(entity.name, where: request.condition))
            try Console.print(summary(writer, of: max(all, writer.count), style))
        }
    }

    private static func summary(_ writer: TableWriter, of all: Int, _ style: TerminalStyle) -> String {
        var text = "\(writer.count) of \(all) \(all == 1 ? "row" : "rows")"
        if writer.hiddenCount > 0 {
            text += "; \(writer.hiddenCount) more \(writer.hiddenCount == 1 ? "column does" : "columns do") not fit"
        }
        return style.dim(text) + "\n"
    }
}
