import StrataInterchange
import StrataPersistence

/// The command `strata import`, which reads all datasets into a store, or none of them.
enum ImportCommand: Command {
    static let specification = CommandSpecification(
        name: "import",
        summary: "Read CSV, TSV, JSON or NDJSON datasets into a store, all of them or nothing.",
        positionals: [ReadingArguments.files],
        options: [
            ReadingArguments.entityOption
        ] + ReadingArguments.unionOptions + [
            .option(
                "store", placeholder: "FILE",
                help:
                    "The store, named as in other commands; created if it does not exist. Without --model, the model "
                    + "of a new store is inferred from the data, and standard input is copied to a temporary file of "
                    + "at most 1 GiB.",
                isRequired: true),
            Models.option,
            Stores.formatOption("default: by the file's extension"),
            .flag(
                "infer",
                "Into a store that is there: what its model does not have yet is made of the data, datasets and columns alike, and added to it, "
                    + "all or nothing with the records. Columns that refer to rows of the store become references, and a mandatory "
                    + "attribute without a value in the data may be null then."),
        ] + InferenceArguments.sharedOptions + ReadingArguments.options + JobArguments.options + [
            .option(
                "commit-every", placeholder: "N",
                help:
                    "Store what is there after every N records, instead of all at the end. References then have to lead "
                    + "somewhere each time."),
            .flag(
                "resume",
                "Go on with an import of the same files, read in the same way, with --commit-every that was broken off."
            ),
            .flag(
                "dry-run",
                "Do everything but store; of a store that others write, or that cannot be written, in a copy of it."),
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
