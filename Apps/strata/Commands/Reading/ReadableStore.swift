import Foundation
import StrataInterchange
import StrataPersistence

/// The store that a command reads: the one that `--store` names, or a temporary store with the records of files.
enum ReadableStore {
    /// Returns the options of a command that reads a store or files.
    ///
    /// They are the options for reading and inference, except those whose names the command itself uses.
    static func options(besides own: [OptionSpecification]) -> [OptionSpecification] {
        let names = Set(own.map(\.name))
        return options.filter { !names.contains($0.name) } + ForeignDatabaseOptions.all
    }

    private static let options: [OptionSpecification] =
        [
            .option(
                "store", placeholder: "FILE",
                help: "Use the store FILE: SQLite, XML, binary or a PostgreSQL URL.",
                details: "The store can also be a SQLite database of another program, which is not changed. Instead "
                    + "of a store, the command can read files.", values: .file),
            Models.option,
            .option(
                "input-format", placeholder: "FORMAT",
                help: "Read the files as csv, tsv, json or ndjson (default: by extension).",
                group: group, values: .words(DatasetFormat.allCases.map(\.rawValue))),
        ] + InferenceArguments.sharedOptions + ReadingArguments.unionOptions + ReadingArguments.options

    static let group = "Reading files"

    /// The option that names the entity; it can be omitted if there is only one.
    static let entityOption = OptionSpecification.option(
        "entity", placeholder: "NAME",
        help: "Use the entity NAME, in upper or lower case.",
        details: "The option can be omitted if there is only one entity.", values: .entity)

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
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - keepsTexts: A Boolean value that indicates whether numbers in files keep their digits. Otherwise a column
    ///     with 7 and 10.50 has the values 7.00 and 10.50, and can be added.
    ///   - body: A closure that receives the container.
    /// - Returns: The result of `body`.
    /// - Throws: ``UsageError`` if neither or both of `--store` and files are given, the errors of reading the files,
    ///   and the error of `body`.
    static func withContainer<Result>(
        _ arguments: ParsedArguments, keepsTexts: Bool, _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        switch (arguments.value("store") != nil, arguments.positionals.isEmpty) {
        case (true, true):
            try refuseReadingOptions(arguments)
            let model = try Models.model(arguments)
            return try Stores.withContainer(try Stores.description(arguments).readOnly, model, body)
        case (false, false): return try withFiles(arguments, keepsTexts: keepsTexts, body)
        case (true, false): throw arguments.usageError("name files or --store FILE, not both")
        case (false, true): throw arguments.usageError("name the files to read, or a store with --store FILE")
        }
    }

    /// Throws an error if an option for reading files is given with a store, because it would be ignored.
    private static func refuseReadingOptions(_ arguments: ParsedArguments) throws {
        let others = Set(["store", Models.option.name])
        // An option of the command is one for reading if its specification is that one.
        let known = Set(arguments.command.options).intersection(options).map(\.name).filter { !others.contains($0) }
        if let name = known.sorted().first(where: { arguments.value($0) != nil || arguments.has($0) }) {
            throw arguments.usageError("--\(name) is an option for reading files, but a store is given")
        }
    }

    /// Returns the entity that `--entity` names, or the only entity of the model.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the command.
    ///   - model: The model.
    ///   - note: The end of the message of an error about a missing option.
    /// - Returns: The entity.
    /// - Throws: ``UsageError`` if there is no such entity, or if the option is missing and there are several.
    static func entity(
        _ arguments: ParsedArguments, in model: ManagedObjectModel, note: String = ""
    ) throws -> EntityDescription {
        if arguments.value("entity") == nil, model.entities.count == 1 { return model.entities[0] }
        guard arguments.value("entity") != nil else {
            let names = model.entities.map { $0.external.name ?? $0.name }.joined(separator: ", ")
            throw arguments.usageError("choose an entity with --entity NAME; there are \(names)\(note)")
        }
        return try Stores.entity(arguments, in: model)
    }

    /// Returns a guard that keeps outputs from replacing the store or the files that the command reads.
    static func outputGuard(_ arguments: ParsedArguments) throws -> OutputGuard {
        let store = try arguments.value("store").flatMap { try StorePlace($0).description.url?.path }
        return OutputGuard(store: store, inputs: arguments.positionals.filter { $0 != "-" })
    }

    private static func withFiles<Result>(
        _ given: ParsedArguments, keepsTexts: Bool, _ body: (PersistentContainer) throws -> Result
    ) throws -> Result {
        let arguments = try reading(given)
        var job = try JobArguments(arguments)
        let files = try FilesWithModel(arguments, job, permitsOtherDigits: !keepsTexts)
        let opened = files.opened
        job.leaveReferencesUnchecked(files.sources, in: opened.model, arguments)
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        let description = PersistentStoreDescription.sqlite(at: folder.url.appendingPathComponent("data.sqlite"))
        try TemporaryStores.filling(folder) {
            try ImportJob(description, opened, sources: files.sources, job: job, store: nil)
                .run(ImportOptions(format: .csv))
        }
        return try Stores.withContainer(description.readOnly, opened.model, body)
    }

    /// Returns the arguments of reading the files: those of the options for reading.
    ///
    /// Other options of the command, such as `--format`, can have the same name as an option of an import.
    private static func reading(_ given: ParsedArguments) throws -> ParsedArguments {
        var arguments = given
        if given.positionals.contains("-"), given.value("input-format") == nil {
            throw given.usageError("standard input has no name; state its format with --input-format")
        }
        // An option of the command is one for reading if its specification is that one.
        let known = Set(options)
        let names = Set(given.command.options.filter(known.contains).map(\.name))
        arguments.values = given.values.filter { names.contains($0.key) }
        arguments.flags = given.flags.filter { names.contains($0) || $0 == "verbose" }
        arguments.values["format"] = given.values["input-format"]
        // Notes about the files are printed only on request.
        if !given.has("verbose") { arguments.flags.insert("quiet") }
        return arguments
    }
}
