import StrataPersistence

/// `strata destroy`: a store is removed, with all that stands beside it.
enum DestroyCommand: Command {
    static let specification = CommandSpecification(
        name: "destroy",
        summary: "Remove a store, with its log, when nobody has it open; what is no store stays.",
        options: [
            Stores.storeOption,
            .flag("if-empty", "Only a store without any row."),
            Stores.busyTimeoutOption,
        ],
        examples: ["strata destroy --store old.sqlite"])

    static func run(_ arguments: ParsedArguments) throws {
        let description = try Batches.description(arguments)
        // Says that there is none, where there is none, as every command does.
        _ = try PersistentContainer.metadata(of: description)
        try PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: arguments.has("if-empty"))
    }
}
