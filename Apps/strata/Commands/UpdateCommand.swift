import StrataPersistence

/// The command `strata update`, which assigns new values to records of a store.
enum UpdateCommand: Command {
    static let specification = CommandSpecification(
        name: "update",
        summary: "Assign new values to records, checked against the model, all or nothing.",
        options: [
            Stores.entityOption, Stores.storeOption, Models.option,
            .option(
                "set", placeholder: "LIST",
                help: "Assign values, as in 'salary = salary * 2'.",
                details:
                    "Texts are in quotes, as in 'lastName = \"Ito\", boss = null'. Attributes on the right of = have "
                    + "their values before the update.",
                isRepeatable: true, isRequired: true, values: .expression),
        ] + Selection.changing("Update") + [Batches.dryRunOption, Stores.busyTimeoutOption] + Stores.talkOptions,
        examples: [
            "strata update --entity Item --store app.sqlite --set 'unitPrice = round(unitPrice * 1.10, 2)' --all",
            "strata update --entity Employee --store app.sqlite --set 'boss = null' --where 'boss.lastName = \"Ito\"'",
        ])

    static func run(_ arguments: ParsedArguments) throws {
        let model = try Models.model(arguments)
        let entity = try Stores.entity(arguments, in: model)
        let values = try Selection.assignments(entity, in: model, arguments)
        guard !values.isEmpty else { throw arguments.usageError("option --set is empty; write ATTRIBUTE = VALUE") }
        let condition = try Selection.changingCondition(entity, in: model, arguments)
        let description = try Batches.description(arguments)
        let isDryRun = arguments.has("dry-run")
        let interruption = Interruption()
        let result = try Stores.withContainer(description, model) { container in
            let values = try values.resolved(in: container.coordinator.store)
            return try Batches.run(interruption, isQuiet: arguments.has("quiet")) {
                try container.batchUpdate(
                    entity.name, where: condition, set: values, dryRun: isDryRun)
            }
        }
        guard !arguments.has("quiet") else { return }
        let same = result.selectedCount - result.count
        Console.note(
            "\(isDryRun ? "would update" : "updated") \(Stores.counted(result.count, entity.name)) in "
                + (try Stores.name(arguments)) + (same > 0 ? " (\(same) had the values already)" : ""))
    }
}
