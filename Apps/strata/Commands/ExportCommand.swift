import Interchange
import Persistence

/// `strata export`: an entity's rows out of a store.
enum ExportCommand: Command {
    static let specification = CommandSpecification(
        name: "export",
        summary: "Write an entity's rows as a CSV or JSON dataset, by id.",
        options: [
            Stores.entityOption,
            Stores.storeOption,
            Stores.formatOption("the output's ending says which unless given, and csv without either"),
            .option(
                "output", "FILE",
                "Where to write; standard output unless given. A file is replaced when all is written."),
        ],
        examples: [
            "strata export --entity Color --store app.sqlite",
            "strata export --entity Employee --store app.sqlite --output employees.json",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let entity = try Stores.entity(arguments)
        let description = try Stores.description(arguments).readOnly
        let interruption = Interruption()
        let target = try OutputTarget(arguments.value("output"))
        let format = try Stores.format(arguments, file: target.path, otherwise: .csv)
        try Stores.withContainer(description) { container in
            let exporter = DatasetExporter(
                store: container.coordinator.store, format: format, isCancelled: interruption.isCancelled)
            let count = try target.write(interruption) { try exporter.run(StoreRequest(entity.name), to: $0) }
            target.report("exported \(count) \(entity.name) \(count == 1 ? "record" : "records")")
        }
    }
}
