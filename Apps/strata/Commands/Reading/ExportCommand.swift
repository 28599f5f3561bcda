import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata export`, which exports an entity's rows, or the whole store into a directory.
enum ExportCommand: Command {
    static let specification = CommandSpecification(
        name: "export",
        summary: "Export an entity's rows or a whole store to CSV, TSV, JSON, NDJSON or XLSX.",
        positionals: [ReadableStore.files],
        options: ownOptions + ReadableStore.options(besides: ownOptions) + Stores.talkOptions,
        examples: [
            "strata export --entity Color --store app.sqlite",
            "strata export --entity Employee --store app.sqlite --output employees.json",
            "strata export --entity Employee --store app.sqlite --columns id,salary,boss.lastName=boss --limit 10",
            "strata export --entity Color --store app.sqlite --where 'name beginswith \"dark\"' --sort 'name' -o dark.csv",
            "strata export --all --store app.sqlite --format ndjson --output backup",
            "strata export people.csv --where 'city_code = \"b\"' --output people.json",
            "strata export --all --store app.sqlite --format datapackage --output package",
            "strata export --all --store app.sqlite --output book.xlsx",
        ])

    private static let ownOptions: [OptionSpecification] =
        [
            .option(
                "entity", placeholder: "NAME", help: "Export the entity NAME, in upper or lower case.",
                details:
                    "Its rows are sorted by id unless --sort is given. The option can be omitted if there is only one "
                    + "entity, and with --all, which exports all entities.",
                values: .entity),
            .option(
                "format", placeholder: "FORMAT",
                help: "Write csv, tsv, json, ndjson or xlsx (default: by the output's extension, or csv).",
                details:
                    "xlsx is a workbook with one sheet; with --all, with a sheet for each entity. With --all, FORMAT "
                    + "can also be datapackage: CSV files with a descriptor that other tools read.",
                values: .words(DatasetFormat.allCases.map(\.rawValue) + [WorkbookExport.word, DataPackageExport.word])),
            .option(
                "output", placeholder: "FILE",
                help: "Write to FILE, with --all to a directory (default: standard output).",
                details: "FILE is replaced after all rows are written. If its name ends with .gz or .zst, it is "
                    + "compressed. With --all, the option is required.",
                letter: "o", values: .file),
            .flag(
                "all", "Export all entities and relationships to the directory --output.",
                details: "The directory receives a manifest, by which import reads the files. If --output ends with "
                    + ".xlsx, it is a workbook with a sheet for each entity and many-to-many relationship."),
        ] + selectionOptions + formatOptions

    static func run(_ arguments: ParsedArguments) throws {
        if arguments.has("all") { return try exportAll(arguments) }
        if DataPackageExport.isRequested(arguments) {
            throw arguments.usageError("a data package contains the whole store: --format datapackage requires --all")
        }
        let interruption = Interruption()
        var guarding = try ReadableStore.outputGuard(arguments)
        if let output = arguments.value("output"), output != "-" { try guarding.claim(output) }
        let target = try OutputTarget(arguments.value("output"))
        let isWorkbook = try WorkbookExport.isRequested(arguments)
        let format = isWorkbook ? .csv : try Stores.format(arguments, file: target.path, otherwise: .csv)
        let options = try options(for: format, arguments: arguments, interruption: interruption)
        try ReadableStore.withContainer(arguments, keepsTexts: true) { container in
            let entity = try ReadableStore.entity(
                arguments, in: container.model, note: "; use --all to export every entity")
            let request = try Selection.request(entity, in: container.model, arguments)
            try checkColumns(options, of: entity, in: container.model, arguments)
            let store = container.coordinator.store
            let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
            defer { bar.end() }
            var options = options
            if bar.isEnabled {
                let total = try store.count(request)
                options.progress = { bar.add($0, of: total, "records") }
            }
            let exporter = try DatasetExporter(store: store, options: options)
            let count = try target.write(interruption) { output in
                isWorkbook
                    ? try WorkbookExport.write([request], by: exporter, to: output, arguments).count
                    : try exporter.run(request, to: output)
            }
            bar.end()
            target.report("exported \(Stores.counted(count, entity.name))", arguments)
        }
    }

    private static func exportAll(_ arguments: ParsedArguments) throws {
        for option in ["entity", "columns", "where", "sort", "limit", "offset"] where arguments.value(option) != nil {
            throw arguments.usageError("--\(option) can be used only for one entity and cannot be combined with --all")
        }
        guard let directory = arguments.value("output"), directory != "-" else {
            throw arguments.usageError("--all writes a directory; name it with --output DIR")
        }
        if try WorkbookExport.isRequested(arguments) { return try exportWorkbook(arguments, output: directory) }
        let interruption = Interruption()
        let package = try DataPackageExport(arguments, directory)
        let format = try package == nil ? Stores.format(arguments, file: nil, otherwise: .csv) : .csv
        let options = try options(for: format, arguments: arguments, interruption: interruption)
        try ReadableStore.withContainer(arguments, keepsTexts: true) { container in
            let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
            defer { bar.end() }
            var options = options
            if bar.isEnabled {
                let total = try Stores.rowCount(container)
                options.progress = { bar.add($0, of: total, "records") }
            }
            if package != nil { options.missingValues = try DataPackageExport.missingValues(of: container) }
            let exporter: DirectoryExporter
            do throws(InterchangeError) {
                exporter = try DirectoryExporter(store: container.coordinator.store, options: options)
            } catch {
                throw arguments.usageError(error.message)
            }
            let manifest = try exporter.run(
                to: directory, willCommit: interruption.finish,
                manifestName: package == nil ? DatasetManifest.fileName : DataPackageExport.fileName
            ) { manifest in
                try package?.descriptor(manifest, container.model, options) ?? Array(manifest.json())
            }
            bar.end()
            guard !arguments.has("quiet") else { return }
            for note in DataPackageExport.notes(manifest, options, container.model) { Console.note(note) }
            if arguments.has("verbose") {
                for dataset in manifest.datasets {
                    Console.note("\(dataset.file): \(Stores.counted(dataset.rows, dataset.entity))")
                }
            }
            let rows = manifest.datasets.reduce(0) { $0 + $1.rows }
            let pairs = manifest.joins.isEmpty ? nil : manifest.joins.reduce(0) { $0 + $1.rows }
            Console.note("\(summary(rows, entities: manifest.datasets.count, pairs: pairs)) to \(directory)")
        }
    }

    private static func summary(_ rows: Int, entities: Int, pairs: Int?) -> String {
        let and = pairs.map { " and \($0) \($0 == 1 ? "pair" : "pairs")" } ?? ""
        return "exported \(rows) \(rows == 1 ? "record" : "records") of \(entities) "
            + "\(entities == 1 ? "entity" : "entities")\(and)"
    }

    /// Exports all entities and many-to-many relationships to a workbook, each to a sheet.
    private static func exportWorkbook(_ arguments: ParsedArguments, output: String) throws {
        if arguments.has("no-header") {
            throw arguments.usageError(
                "--no-header cannot be combined with --all, because an import reads columns by name")
        }
        let interruption = Interruption()
        var guarding = try ReadableStore.outputGuard(arguments)
        try guarding.claim(output)
        let target = try OutputTarget(output)
        var options = try options(for: .csv, arguments: arguments, interruption: interruption)
        try ReadableStore.withContainer(arguments, keepsTexts: true) { container in
            let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
            defer { bar.end() }
            if bar.isEnabled {
                let total = try Stores.rowCount(container)
                options.progress = { bar.add($0, of: total, "records") }
            }
            let exporter = try DatasetExporter(store: container.coordinator.store, options: options)
            let requests = container.model.entities.map { StoreRequest($0.name) }
            let joins = container.model.joins.filter(\.hasDataset)
            let result = try target.write(interruption) { output in
                try WorkbookExport.write(requests, joins: joins, by: exporter, to: output, arguments)
            }
            bar.end()
            target.report(
                summary(result.count, entities: requests.count, pairs: joins.isEmpty ? nil : result.joinCount),
                arguments)
        }
    }
}
