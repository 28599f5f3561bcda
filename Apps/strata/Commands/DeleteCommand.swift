import StrataPersistence

/// The command `strata delete`, which deletes records and applies the model's delete rules.
enum DeleteCommand: Command {
    static let specification = CommandSpecification(
        name: "delete",
        summary: "Delete records and apply the delete rules of the model, all or nothing.",
        options: [Stores.entityOption, Stores.storeOption, Models.option] + Selection.changing("Delete") + [
            Batches.dryRunOption, Stores.busyTimeoutOption,
        ] + Stores.talkOptions,
        examples: [
            "strata delete --entity Employee --store app.sqlite --where 'dateHired < \"2000-01-01\"' --dry-run",
            "strata delete --entity Boss --store app.sqlite --where 'employees.@count = 0'",
            "strata delete --entity Color --store app.sqlite --all",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let model = try Models.model(arguments)
        let entity = try Stores.entity(arguments, in: model)
        let condition = try Selection.changingCondition(entity, in: model, arguments)
        let description = try Batches.description(arguments)
        let isDryRun = arguments.has("dry-run")
        let interruption = Interruption()
        let result = try Stores.withContainer(description, model) { container in
            try Batches.run(interruption, isQuiet: arguments.has("quiet")) {
                try container.batchDelete(entity.name, where: condition, dryRun: isDryRun)
            }
        }
        guard !arguments.has("quiet") else { return }
        let others = Batches.sideEffects(result, of: entity.name).joined(separator: ", ")
        Console.note(
            "\(isDryRun ? "would delete" : "deleted") \(Stores.counted(result.count, entity.name)) from "
                + (try Stores.name(arguments)) + (others.isEmpty ? "" : " (and \(others))"))
    }
}
