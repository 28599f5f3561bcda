import Foundation
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence

/// The command `strata generate`, which generates the same datasets for the same description.
enum GenerateCommand: Command {
    static let specification = CommandSpecification(
        name: "generate",
        summary: "Generate datasets of a model; the same seed produces the same bytes.",
        options: [
            .option(
                "output", placeholder: "PATH",
                help: "Write to PATH, a directory or a file (default: standard output).",
                details:
                    "A directory receives a file for each entity, and a manifest. A file receives one entity: it is "
                    + "named as the entity, such as colors.csv, or has any name with --entity. Files are replaced "
                    + "after all are written.",
                letter: "o", values: .file),
            .option(
                "store", placeholder: "FILE",
                help: "Insert the rows into the store FILE, which is created if it does not exist.",
                details: "The kind of the store depends on its name, as in other commands.",
                values: .file),
            Stores.formatOption("by the output's extension, or csv"),
            .option(
                "entity", placeholder: "NAME", help: "Write only the entity NAME.",
                details: "Its rows are the same as in the output of all entities that the options describe.",
                values: .entity),
            .option(
                "model", placeholder: "MODEL",
                help: "Generate rows of MODEL: a model file, data package, store or reference.",
                details: "A data package is its descriptor or its directory. The word reference is the model of the "
                    + "demo; ./reference is a file. The option is required unless --store names an existing store, or "
                    + "--check names fixtures of the model of the demo.",
                values: .file),
        ] + DescriptionArguments.options + [
            .flag(
                "describe", "Print the complete description of the data as JSON, and write no rows."),
            .option(
                "check", placeholder: "DIR",
                help: "Check that the files of DIR are equal to those that its manifest describes.",
                details: "Nothing is written. If options describe data, the manifest must describe the same data.",
                values: .file),
            .option(
                "workflow", placeholder: "OWNER/REPO@REF",
                help: "With --check, print a GitHub Actions workflow that runs the check.",
                details: "Nothing is checked. The workflow uses the action in Strata's repository OWNER/REPO at REF."),
            .option(
                "threads", placeholder: "N",
                help: "Use N threads (default: 2).",
                details: "The bytes are the same for any number. The maximum is \(threadCounts.upperBound)."),
            Stores.busyTimeoutOption,
        ] + Stores.talkOptions,
        examples: [
            "strata generate --model shop.json --count 1000 --seed 7 --output shop/",
            "strata generate --model app.sqlite --describe > fixtures.json",
            "strata generate --model app.sqlite --description fixtures.json --output fixtures/ --format ndjson",
            "strata generate --check fixtures/",
            "strata generate --check fixtures --workflow acme/strata@main > .github/workflows/fixtures.yml",
            "strata generate --model reference --description fixtures.json --store app.sqlite",
            "strata generate --model reference --entity Color --count 100 --seed 42",
            "strata generate --model reference --entity Boss --count 1000 --hostile --output bosses.csv",
        ])

    /// The allowed numbers of threads; the maximum exceeds the number of cores that are useful here.
    private static let threadCounts = 1...64

    static func run(_ arguments: ParsedArguments) throws {
        try refuseCombinations(arguments)
        if arguments.value("workflow") != nil { return try printWorkflow(arguments) }
        let model = try GeneratedModel(arguments)
        let described = try DescriptionArguments(arguments, model)
        if let directory = arguments.value("check") {
            return try CheckRun(directory.withoutTrailingSlashes, described: described, model: model).run(
                arguments, threads: try threads(arguments))
        }
        if arguments.has("describe") { return try describe(described, model: model, arguments: arguments) }
        let dataset = try described.located { () throws(FixtureError) in
            try FixtureDataset(described.description, model: model.model)
        }
        if arguments.value("store") != nil { return try fillStore(dataset, arguments) }
        if let single = try singleEntity(dataset, arguments) {
            return try writeFile(single, dataset: dataset, arguments: arguments)
        }
        try writeDirectory(dataset, arguments)
    }

    private static func printWorkflow(_ arguments: ParsedArguments) throws {
        guard let directory = arguments.value("check") else {
            throw arguments.usageError("--workflow requires --check DIR, which the workflow runs")
        }
        let useless =
            DescriptionArguments.options.map(\.name).filter { $0 != "description" } + ["threads"]
        for option in useless where arguments.value(option) != nil || arguments.has(option) {
            throw arguments.usageError(
                "--\(option) cannot be combined with --workflow; put the setting into the description")
        }
        let action = try arguments.required("workflow")
        guard
            let workflow = GuardWorkflow(
                action, directory: directory, description: arguments.value("description"),
                model: arguments.value("model"))
        else {
            throw arguments.usageError("option --workflow: \"\(action)\" is not OWNER/REPO@REF, as in acme/strata@main")
        }
        try Console.print(workflow.text)
    }

    private static func threads(_ arguments: ParsedArguments) throws -> Int {
        try arguments.integer("threads", in: threadCounts) ?? 2
    }

    private static func describe(
        _ described: DescriptionArguments, model: GeneratedModel, arguments: ParsedArguments
    ) throws {
        // A description that cannot be generated is not printed either.
        _ = try described.located { () throws(FixtureError) in
            try FixtureDataset(described.description, model: model.model)
        }
        let target = try OutputTarget(arguments.value("output"))
        try target.write(Interruption()) { try $0.append(Array(described.description.json.utf8)) }
    }

    private static func options(
        for format: DatasetFormat, arguments: ParsedArguments, interruption: Interruption
    ) throws -> ExportOptions {
        var options = ExportOptions(format: format)
        options.readers = try threads(arguments)
        options.isCancelled = interruption.isCancelled
        return options
    }

    /// Returns a guard that keeps the output from replacing the description file.
    ///
    /// A manifest is not guarded, because it is replaced by a manifest with the same description.
    private static func outputGuard(_ arguments: ParsedArguments) -> OutputGuard {
        let description = arguments.value("description").flatMap { DescriptionArguments.isManifest($0) ? nil : $0 }
        return OutputGuard(store: nil, inputs: description.map { [$0] } ?? [])
    }

    private static func writeFile(
        _ producer: FixtureProducer, dataset: FixtureDataset, arguments: ParsedArguments
    ) throws {
        let target = try OutputTarget(arguments.value("output"))
        var guarding = outputGuard(arguments)
        if let path = target.path { try guarding.claim(path) }
        let interruption = Interruption()
        let format = try Stores.format(arguments, file: target.path, otherwise: .csv)
        var options = try options(for: format, arguments: arguments, interruption: interruption)
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        defer { bar.end() }
        let total = producer.count
        if bar.isEnabled { options.progress = { bar.add($0, of: total, "records") } }
        let entity = producer.entity.name
        let count = try StagedFixtures.with(dataset, isCancelled: interruption.isCancelled) { store in
            try target.write(interruption) { try dataset.write(entity, to: $0, options: options, from: store) }
        }
        bar.end()
        target.report("generated \(Stores.counted(count, entity))", arguments)
    }

    private static func writeDirectory(_ dataset: FixtureDataset, _ arguments: ParsedArguments) throws {
        let given = try arguments.required("output")
        let path = given.withoutTrailingSlashes
        let interruption = Interruption()
        let format = try Stores.format(arguments, file: nil, otherwise: .csv)
        var guarding = outputGuard(arguments)
        for name in dataset.fileNames {
            try guarding.claim("\(path)/\(name).\(format.rawValue)")
        }
        try guarding.claim("\(path)/\(DatasetManifest.fileName)")
        var options = try options(for: format, arguments: arguments, interruption: interruption)
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        defer { bar.end() }
        let total = dataset.producers.reduce(0) { $0 + $1.count }
        if bar.isEnabled { options.progress = { bar.add($0, of: total, "records") } }
        let manifest = try StagedFixtures.with(dataset, isCancelled: interruption.isCancelled) {
            try dataset.write(to: path, options: options, from: $0, willCommit: interruption.finish)
        }
        bar.end()
        report(
            manifest.datasets.map { ($0.entity, $0.rows) }, pairs: manifest.joins.map { ($0.name, $0.rows) },
            target: "to \(given)", arguments: arguments)
        // Files of earlier runs are not removed automatically. A check would report them, so they are listed.
        guard !arguments.has("quiet") else { return }
        for leftover in try dataset.leftovers(in: path, nextTo: manifest) { Console.note("\(leftover)") }
    }

    private static func fillStore(_ dataset: FixtureDataset, _ arguments: ParsedArguments) throws {
        var description = try Stores.description(arguments)
        description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
        let interruption = Interruption()
        let isNew = try !StorePlace(arguments.required("store")).exists()
        let counts: [String: Int]
        do {
            let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
            defer { bar.end() }
            let total = dataset.producers.reduce(0) { $0 + $1.count }
            counts = try Stores.withContainer(description, dataset.model) { container in
                try dataset.store(
                    in: container, isCancelled: interruption.isCancelled,
                    progress: { bar.add($0, of: total, "records") }, willCommit: interruption.finish)
            }
        } catch {
            // The error being handled takes precedence. A new store that another process already uses is not removed.
            if isNew { try? PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: true) }
            throw hinted(error)
        }
        let rows = dataset.producers.map { ($0.entity.name, counts[$0.entity.name] ?? 0) }
        report(
            rows, pairs: dataset.pairs.map { ($0.join.name, $0.count) },
            target: "into \(try Stores.name(arguments))",
            arguments: arguments)
    }

    /// Adds a hint to a uniqueness error that rows already in the store can cause.
    private static func hinted(_ error: any Error) -> any Error {
        guard var error = error as? PersistenceError, error.code == .uniqueness else { return error }
        let records = "\(error.entity.map { "\($0) " } ?? "")records"
        error.message += "; generated rows are numbered from 1, so use a store without \(records)"
        return error
    }

    private static func report(
        _ counts: [(entity: String, rows: Int)], pairs: [(name: String, count: Int)], target: String,
        arguments: ParsedArguments
    ) {
        guard !arguments.has("quiet") else { return }
        if arguments.has("verbose") {
            for (entity, rows) in counts { Console.note("\(Stores.counted(rows, entity))") }
            for (name, count) in pairs { Console.note("\(count) \(count == 1 ? "pair" : "pairs") of \(name)") }
        }
        let rows = counts.reduce(0) { $0 + $1.rows }
        let entities = counts.count == 1 ? "entity" : "entities"
        let links = pairs.reduce(0) { $0 + $1.count }
        let related = pairs.isEmpty ? "" : " and \(links) \(links == 1 ? "pair" : "pairs")"
        Console.note(
            "generated \(rows) \(rows == 1 ? "record" : "records") of \(counts.count) \(entities)\(related) \(target)")
    }
}
