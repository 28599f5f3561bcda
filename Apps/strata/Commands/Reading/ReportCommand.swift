import Foundation
import StrataInterchange
import StrataPersistence
import StrataReports

/// The command `strata report`, which writes statistics on a store as one HTML page.
enum ReportCommand: Command {
    static let specification = CommandSpecification(
        name: "report",
        summary: "Write an HTML page on a store or files: counts, distributions, palettes.",
        positionals: [ReadableStore.files],
        options: ownOptions + ReadableStore.options(besides: ownOptions) + Stores.talkOptions,
        examples: [
            "strata report --store app.sqlite --output report.html",
            "strata report --store app.sqlite --title 'Staff and stock' > report.html",
            "strata report employees.csv --output report.html",
        ])

    private static let ownOptions: [OptionSpecification] = [
        .option(
            "output", placeholder: "FILE",
            help: "Write to FILE (default: standard output).",
            details:
                "FILE is replaced after the page is complete. If its name ends with .gz or .zst, it is compressed.",
            letter: "o", values: .file),
        .option(
            "title", placeholder: "TEXT",
            help: "Use TEXT as the title of the page (default: the name of the store)."),
    ]

    static func run(_ arguments: ParsedArguments) throws {
        for option in ["output", "title"] where arguments.value(option)?.isEmpty == true {
            throw arguments.usageError("option --\(option) is empty; omit the option, or give a value")
        }
        let interruption = Interruption()
        var guarding = try ReadableStore.outputGuard(arguments)
        if let output = arguments.value("output"), output != "-" { try guarding.claim(output) }
        let target = try OutputTarget(arguments.value("output"))
        let store = try arguments.positionals.first ?? Stores.name(arguments)
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        var options = ReportOptions(
            title: arguments.value("title") ?? name(store),
            isCancelled: interruption.isCancelled)
        try ReadableStore.withContainer(arguments, keepsTexts: false) { container in
            defer { bar.end() }
            if bar.isEnabled {
                // The report usually reads every row twice.
                let total = 2 * (try Stores.rowCount(container))
                options.progress = { bar.add($0, of: total, "rows") }
            }
            let report = try StoreReport(reading: container.coordinator.store, options)
            bar.end()
            try target.write(interruption) { try $0.append(Array(report.page.utf8)) }
            target.report("wrote the report of \(store)", arguments)
        }
    }

    /// Returns the file name of a store without its folder, because the page must not reveal local paths.
    private static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
