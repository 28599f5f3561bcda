import Foundation
import StrataInterchange
import StrataPersistence

/// The command `strata copy`, which copies a store to another location or to another kind of store.
enum CopyCommand: Command {
    static let specification = CommandSpecification(
        name: "copy",
        summary: "Copy a store, which may be in use, to a file or to a server.",
        options: [
            Stores.storeOption,
            .option(
                "to", placeholder: "FILE",
                help: "Create the copy at FILE.",
                details:
                    "The name determines the kind of the copy, as in other commands. The copy has all data of the "
                    + "store: rows with identifiers and versions, relationships, the next identifiers, metadata and "
                    + "the model. An earlier version of strata numbered rows in its own order. In the copy of such a "
                    + "store, whole numbers that are the keys in files become the identifiers of rows, unless --model "
                    + "is given.",
                isRequired: true, values: .file),
            .flag(
                "replace",
                "Replace an existing store, which no process may have open.",
                details: "If the copy fails, that store is unchanged."),
            .flag(
                "without-history", "Omit the history of the store from the copy.",
                details: "A copy from a SQLite file to a new one otherwise has the history, with new tokens; any other "
                    + "copy has none."),
            Models.option, Stores.busyTimeoutOption,
            .flag("quiet", "Show no progress on a terminal, and print only errors.", letter: "q"),
        ] + ForeignDatabaseOptions.all,
        examples: [
            "strata copy --store app.sqlite --to backup.sqlite",
            "strata copy --store backup.sqlite --to app.sqlite --replace",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let source = try Batches.description(arguments)
        var destination = try Stores.description(arguments, option: "to")
        destination.busyTimeout = source.busyTimeout
        let place = try StorePlace(arguments.required("to"))
        guard try !place.isSame(as: StorePlace(arguments.required("store"))) else {
            throw arguments.usageError("--store and --to are the same \(place.isOnServer ? "store" : "file")")
        }
        if !place.isOnServer, DatasetFormat(fileName: place.name) != nil {
            throw arguments.usageError(
                "--to \(place.name) has the extension of a dataset, but a copy is a store; use strata export to write "
                    + "a dataset")
        }
        let interruption = Interruption()
        let bar = ProgressBar(nil, isQuiet: arguments.has("quiet"))
        var options = CopyOptions(replacesStore: arguments.has("replace"))
        options.keepsHistory = !arguments.has("without-history")
        options.isCancelled = interruption.isCancelled
        options.willCommit = interruption.finish
        if bar.isEnabled { options.progress = { bar.show($0.rows, of: $0.totalRows, "rows") } }
        var model = try Models.model(arguments)
        do {
            defer { bar.end() }
            if arguments.value("model") == nil,
                let layout = try CopiedLayout(of: source, model, isQuiet: arguments.has("quiet"))
            {
                try layout.copy(source, to: destination, options)
                model = layout.model
            } else {
                try PersistentContainer.copyPersistentStore(source, to: destination, model: model, options: options)
            }
        } catch var error as PersistenceError where error.code == .cannotCreate && !options.replacesStore {
            if try place.exists() { error.message += "; use --replace to replace an existing store" }
            throw error
        }
        var count = 0
        do {
            if arguments.has("quiet") { return }
            count = try Stores.withContainer(destination.readOnly, model) { try Stores.rowCount($0) }
        } catch var error as PersistenceError {
            error.message += copied
            throw error
        }
        try Console.print("\(place.name): \(count) \(count == 1 ? "row" : "rows")\n", doneAlready: copied)
    }

    /// The text that is appended to the message of an error that occurs after the copy is complete.
    private static let copied = "; the copy is complete and was stored"
}
