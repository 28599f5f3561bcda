import StrataInterchange
import StrataPersistence

/// The command `strata import`, which reads all datasets into a store, or none of them.
enum ImportCommand: Command {
    static let specification = CommandSpecification(
        name: "import",
        summary: "Import CSV, TSV, JSON or NDJSON datasets into a store, all or nothing.",
        positionals: [ReadingArguments.files],
        options: [
            ReadingArguments.entityOption
        ] + ReadingArguments.unionOptions + [
            .option(
                "store", placeholder: "FILE",
                help: "Import into the store FILE, which is created if it does not exist.",
                details:
                    "FILE is as in other commands. Without --model, the model of a new store is inferred from the "
                    + "data, and standard input is copied to a temporary file of at most 1 GiB.",
                isRequired: true),
            Models.option,
            Stores.formatOption("by the file's extension"),
            .flag(
                "infer",
                "Add new datasets and columns to the model of an existing store.",
                details:
                    "The additions are inferred, and are committed together with the records or not at all. Columns "
                    + "that refer to rows of the store become references. A mandatory attribute without a value in the "
                    + "data then allows null."),
        ] + InferenceArguments.sharedOptions + ReadingArguments.options + JobArguments.options + [
            .option(
                "commit-every", placeholder: "N",
                help: "Commit after every N records (default: once at the end).",
                details: "No reference may be dangling at a commit."),
            .flag(
                "resume", "Continue an interrupted import that used --commit-every.",
                details: "The files and the options for reading them must be the same."),
            .flag(
                "dry-run", "Report what would be imported, and store nothing.",
                details: "If other processes write to the store, or if it is read-only, the import uses a copy of it."),
            Stores.busyTimeoutOption,
        ] + Stores.talkOptions,
        examples: [
            "strata import colors.csv --store app.sqlite",
            "strata import data/ --store app.sqlite",
            "strata import datapackage.json --store new.sqlite",
            "strata import orders.csv --store app.sqlite --infer",
            "strata import sales.csv --store new.sqlite --date-format %d/%m/%Y --map note=-",
            "strata import sales-*.csv --as Sales --source-column file --store new.sqlite",
            "strata import xkcd.json --entity Color --store app.sqlite --root colors --map color=name",
            "strata import staff.csv --entity Employee --store app.sqlite --on-error reject --rejects bad.csv",
            "strata import prices.csv --entity Item --store app.sqlite --on-conflict update",
            "strata export --entity Boss --store a.sqlite | strata import - --format csv --store b.sqlite",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        // The options are checked before the data is read, because reading the data can take long.
        let job = try JobArguments(arguments)
        let package = try DataPackage.named(by: arguments)
        let grown = package == nil ? try InferredImport.grown(arguments, job) : nil
        let documents = FlattenedDocuments()
        let inferred =
            try package == nil && grown == nil
            ? InferredImport.model(
                arguments, job, note: "no model was given: the model is inferred from the data and stored in the store",
                documents: documents) : nil
        let opened = try grown?.model ?? inferred ?? ModelOfData.model(arguments, package)
        var description = try Stores.description(arguments)
        description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
        var reading = try ReadingArguments(arguments, opened.model)
        // An import that can be resumed later is read with the spelling options only.
        reading.hasInferredSpellings = inferred != nil && arguments.value("commit-every") == nil
        reading.storedModel = grown?.stored
        reading.documents = inferred == nil ? nil : documents
        reading.takesFilesAsTables = inferred != nil || grown != nil
        if inferred != nil || grown != nil { reading.standardInputName = DatasetListing.standardInputName }
        var options = ImportOptions(format: .csv)
        options.isDryRun = arguments.has("dry-run")
        options.commitInterval = try arguments.integer("commit-every", in: 1...Int.max)
        options.resumes = arguments.has("resume")
        if options.resumes, options.commitInterval == nil {
            throw arguments.usageError("--resume requires --commit-every, which stores the progress of an import")
        }
        if grown != nil {
            // The migration runs in the import's own transaction. If the import fails, the store's model is unchanged.
            description.migration.isDeferred = true
            for name in ["commit-every", "dry-run"] where arguments.has(name) || arguments.value(name) != nil {
                throw arguments.usageError(
                    "--infer stores the model and the records in one transaction and cannot be combined with --\(name)")
            }
        }
        if options.isDryRun, options.commitInterval != nil {
            throw arguments.usageError("--dry-run stores nothing and cannot be combined with --commit-every")
        }
        // The sources are opened before the store, so that a missing file does not create an empty store.
        let sources = try reading.sources(arguments.positionals, package)
        try job.checkKeys(sources, in: opened.model, arguments) { entity in
            inferred != nil || grown.map { $0.stored[entity.name] == nil } ?? false
        }
        try ImportJob(description, opened, sources: sources, job: job, store: try Stores.name(arguments)).run(
            options)
    }
}
