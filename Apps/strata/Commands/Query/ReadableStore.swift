import Foundation
import StrataInterchange
import StrataPersistence

/// The store that a command reads: the one that `--store` names, or a temporary store with the records of files.
enum ReadableStore {
    /// The options of a command that reads a store or files.
    ///
    /// They are the options for reading and inference, except those whose names the command itself uses.
    static let options: [OptionSpecification] =
        [
            .option(
                "store", placeholder: "FILE",
                help: "Use the store FILE: SQLite, XML, binary or a PostgreSQL URL.",
                details: "Instead of a store, the command can read files.", values: .file),
            Models.option,
            .option(
                "input-format", placeholder: "FORMAT",
                help: "Read the files as csv, tsv, json or ndjson (default: by extension).",
                group: group, values: .words(DatasetFormat.allCases.map(\.rawValue))),
        ] + InferenceArguments.sharedOptions + ReadingArguments.unionOptions + ReadingArguments.options

    static let group = "Reading files"

    /// The argument for the files.
    static let files: PositionalSpecification = {
        var files = ReadingArguments.files
        files.isOptional = true
        return files
    }()

    /// Opens the store or reads the files, runs `body` with a container, and closes it.
    ///
    /// Files are imported into a store in a temporary folder, which is removed at the end.
    ///
    /// - Throws: ``UsageError`` if neither or both of `--store` and files are given, the errors of reading the files,
    ///   and the error of `body`.
    static func withContainer<Result>(
        _ arguments: ParsedArguments, _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        switch (arguments.value("store") != nil, arguments.positionals.isEmpty) {
        case (true, true):
            let model = try Models.model(arguments)
            return try Stores.withContainer(try Stores.description(arguments).readOnly, model, body)
        case (false, false): return try withFiles(arguments, body)
        case (true, false): throw arguments.usageError("name files or --store FILE, not both")
        case (false, true): throw arguments.usageError("name the files to read, or a store with --store FILE")
        }
    }

    /// Returns the entity that `--entity` names, or the only entity of the model.
    static func entity(_ arguments: ParsedArguments, in model: ManagedObjectModel) throws -> EntityDescription {
        if arguments.value("entity") == nil, model.entities.count == 1 { return model.entities[0] }
        guard arguments.value("entity") != nil else {
            let names = model.entities.map { $0.external.name ?? $0.name }.joined(separator: ", ")
            throw arguments.usageError("choose an entity with --entity NAME; there are \(names)")
        }
        return try Stores.entity(arguments, in: model)
    }

    private static func withFiles<Result>(
        _ given: ParsedArguments, _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        let arguments = try reading(given)
        var job = try JobArguments(arguments)
        let package = try DataPackage.named(by: arguments)
        let documents = FlattenedDocuments()
        let inferred =
            try package == nil
            ? InferredImport.model(
                arguments, job, note: "no model was given: the model is inferred from the data", documents: documents,
                permitsOtherDigits: true)
            : nil
        let opened = try inferred ?? ModelOfData.model(arguments, package)
        var reading = try ReadingArguments(arguments, opened.model)
        reading.hasInferredSpellings = inferred != nil
        reading.documents = inferred == nil ? nil : documents
        reading.takesFilesAsTables = inferred != nil
        if inferred != nil { reading.standardInputName = DatasetListing.standardInputName }
        let sources = try reading.sources(arguments.positionals, package)
        job.leaveReferencesUnchecked(sources, in: opened.model, arguments)
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        let description = PersistentStoreDescription.sqlite(at: folder.url.appendingPathComponent("data.sqlite"))
        try ImportJob(description, opened, sources: sources, job: job, store: nil).run(ImportOptions(format: .csv))
        return try Stores.withContainer(description.readOnly, opened.model, body)
    }

    /// Returns the arguments of reading the files.
    ///
    /// The names of some options have another meaning for the command: `--entity` and `--format`.
    private static func reading(_ given: ParsedArguments) throws -> ParsedArguments {
        var arguments = given
        if given.positionals.contains("-"), given.value("input-format") == nil {
            throw given.usageError("standard input has no name; state its format with --input-format")
        }
        arguments.values = given.values.filter { !["entity", "format", "output"].contains($0.key) }
        arguments.values["format"] = given.values["input-format"]
        // Notes about the files are printed only on request.
        if !given.has("verbose") { arguments.flags.insert("quiet") }
        return arguments
    }
}
