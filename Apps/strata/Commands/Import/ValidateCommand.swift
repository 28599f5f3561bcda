import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata validate`, which checks datasets as an import does and stores nothing.
enum ValidateCommand: Command {
    static let specification = CommandSpecification(
        name: "validate",
        summary: "Validate datasets as an import would, and store nothing.",
        positionals: [ReadingArguments.files],
        options: [
            ReadingArguments.entityOption
        ] + ReadingArguments.unionOptions + [
            .option(
                "store", placeholder: "FILE",
                help: "Validate ids, unique values and references against the store FILE.",
                details:
                    "Without a store, references to entities without a file are not checked. Without a store and "
                    + "--model, the model is inferred from the data."),
            Models.option, Stores.formatOption("by the file's extension"),
        ] + InferenceArguments.sharedOptions + ReadingArguments.options + JobArguments.options + [
            Stores.busyTimeoutOption
        ] + Stores.talkOptions,
        examples: [
            "strata validate employees.csv --model shop.json",
            "strata validate datapackage.json",
            "strata validate data/ --on-error reject --report problems.json",
            "strata validate prices.csv --entity Item --store app.sqlite --on-conflict update",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        try requireStore(arguments)
        var job = try JobArguments(arguments)
        if arguments.value("on-error") == nil { job.onError = .reject }
        let files = try FilesWithModel(arguments, job)
        let (opened, sources) = (files.opened, files.sources)
        var options = ImportOptions(format: .csv)
        options.isDryRun = true
        try job.checkKeys(sources, in: opened.model, arguments) { _ in files.isInferred }
        guard arguments.value("store") == nil else {
            var description = try Stores.description(arguments)
            description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
            return try ImportJob(
                description, opened, sources: sources, job: job, store: try Stores.name(arguments)
            ).run(options)
        }
        job.leaveReferencesUnchecked(sources, in: opened.model, arguments)
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        try ImportJob(
            .sqlite(at: folder.url.appendingPathComponent("empty.sqlite")), opened, sources: sources, job: job,
            store: nil
        ).run(options)
    }

    /// Throws an error if the named store does not exist, before names are resolved in its model.
    private static func requireStore(_ arguments: ParsedArguments) throws {
        guard arguments.value("store") != nil else { return }
        let place = try StorePlace(Stores.path(arguments))
        guard try !place.exists() else { return }
        throw PersistenceError(
            .storeNotFound, "there is no store", path: place.description.url?.path ?? place.name)
    }
}
