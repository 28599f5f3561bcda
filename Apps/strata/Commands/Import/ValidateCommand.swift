import Foundation
import StrataInterchange
import StrataPersistence

/// `strata validate`: everything an import does but storing.
enum ValidateCommand: Command {
    static let specification = CommandSpecification(
        name: "validate",
        summary: "Check datasets as an import would, and store nothing.",
        positionals: [ReadingArguments.files],
        options: [
            ReadingArguments.entityOption,
            .option(
                "store", placeholder: "FILE",
                help:
                    "The store that the datasets are to fit, for identifiers, unique values and references; without it "
                    + "they are checked by themselves, and references into entities that no file has are not."),
            Models.option, Stores.formatOption("the file's ending says which unless given"),
        ] + ReadingArguments.options + JobArguments.options + [Stores.busyTimeoutOption] + Stores.talkOptions,
        examples: [
            "strata validate employees.csv --entity Employee",
            "strata validate datapackage.json",
            "strata validate data/ --on-error reject --report problems.json",
            "strata validate prices.csv --entity Item --store app.sqlite --on-conflict update",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let package = try DataPackage.named(by: arguments)
        let opened = try ModelOfData.model(arguments, package)
        let reading = try ReadingArguments(arguments, opened.model)
        var job = try JobArguments(arguments)
        if arguments.value("on-error") == nil { job.onError = .reject }
        var options = ImportOptions(format: .csv)
        options.isDryRun = true
        let sources = try reading.sources(arguments.positionals, package)
        guard arguments.value("store") == nil else {
            var description = try Stores.description(arguments)
            description.busyTimeout = try Stores.busyTimeout(arguments) ?? description.busyTimeout
            guard try StorePlace(arguments.required("store")).exists() else {
                let path = try description.url?.path ?? Stores.name(arguments)
                throw PersistenceError(.storeNotFound, "there is no store", path: path)
            }
            return try ImportJob(
                description, opened, sources: sources, job: job, store: try Stores.name(arguments)
            )
            .run(
                options)
        }
        // References that no file could fulfil are not the files' fault.
        let given = Set(sources.map(\.entity))
        let destinations = given.reduce(into: Set<String>()) { $0.formUnion(opened.model.datasetDestinations(of: $1)) }
        if arguments.value("on-missing-reference") == nil, !given.isSuperset(of: destinations) {
            job.onMissingReference = .null
            job.leavesReferencesUnchecked = true
        }
        let folder = try TemporaryStores.folder()
        defer { TemporaryStores.remove(folder) }
        try ImportJob(
            .sqlite(at: folder.url.appendingPathComponent("empty.sqlite")), opened, sources: sources, job: job,
            store: nil
        ).run(options)
    }
}
