import StrataPersistence

/// The command `strata destroy`, which removes a store with all of its files.
enum DestroyCommand: Command {
    static let specification = CommandSpecification(
        name: "destroy",
        summary: "Delete a store and its log, and no other files, if no process has it open.",
        options: [
            Stores.storeOption,
            .flag("if-empty", "Delete the store only if it has no rows."),
            Stores.busyTimeoutOption,
        ],
        examples: ["strata destroy --store old.sqlite"])

    static func run(_ arguments: ParsedArguments) throws {
        let description = try Batches.description(arguments)
        // Throws the same error as every other command if the store does not exist.
        _ = try PersistentContainer.metadata(of: description)
        try PersistentContainer.destroyPersistentStore(description, onlyIfEmpty: arguments.has("if-empty"))
    }
}
