import StrataPersistence

/// The records that a command selects, by predicates and sort orders in text form.
enum Selection {
    /// The heading of these options in help.
    static let group = "Selecting records"

    static let whereOption = OptionSpecification.option(
        "where", placeholder: "TEXT",
        help: "Select the records that match TEXT, as in 'salary >= 50000'.",
        details: "TEXT can follow relationships and join comparisons, as in "
            + "'salary >= 50000 and boss.lastName = \"Ito\"'; see PREDICATES.",
        group: group, values: .expression)
    static let sortOption = OptionSpecification.option(
        "sort", placeholder: "TEXT",
        help: "Sort by TEXT, as in 'dateHired desc, lastName' (default: by id).",
        details: "TEXT is a list of paths and calculated values, as in "
            + "'dateHired desc, boss.lastName, length(lastName)'; see PREDICATES.",
        group: group, values: .expression)
    static let offsetOption = OptionSpecification.option(
        "offset", placeholder: "N", help: "Skip the first N records (default: 0).", group: group)

    /// Returns the selection options of commands that change records; without a condition, they require `--all`.
    static func changing(_ verb: String) -> [OptionSpecification] {
        [
            whereOption,
            .flag(
                "all", "\(verb) every record of the entity.",
                details: "Without --where, the command requires this option.", group: group),
        ]
    }

    /// The option that names the columns to write or show.
    static let columnsOption = OptionSpecification.option(
        "columns", placeholder: "LIST",
        help: "Use these columns in this order, as in id,salary,boss.lastName=boss.",
        details: "A column is a path of properties. The text after = is the name of the column in the output.",
        isRepeatable: true, group: group, values: .properties)

    /// Returns a request for the rows that `--where`, `--sort`, `--limit` and `--offset` select.
    static func request(
        _ entity: EntityDescription, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws -> StoreRequest {
        let text = try PredicateText(entity.name, in: model, names: .files)
        return StoreRequest(
            entity.name,
            where: try arguments.value("where").map {
                try parsed("where", arguments: arguments, text: $0) { predicate throws(PredicateTextError) in
                    try text.condition(predicate) { Console.note("note: option --where: \($0)") }
                }
            },
            sort: try arguments.value("sort").map { try parsed("sort", arguments: arguments, text: $0, text.sort) }
                ?? [],
            limit: try arguments.integer("limit", in: 0...Int.max),
            offset: try arguments.integer("offset", in: 0...Int.max) ?? 0)
    }

    /// Returns the condition of a command that changes records, or `nil` for all records.
    ///
    /// - Throws: ``UsageError`` if neither or both of `--where` and `--all` are given.
    static func changingCondition(
        _ entity: EntityDescription, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws -> FetchCondition? {
        switch (arguments.value("where") != nil, arguments.has("all")) {
        case (false, false):
            throw arguments.usageError("choose the records with --where TEXT, or use --all for all records")
        case (true, true): throw arguments.usageError("--where and --all cannot be combined")
        default: return try request(entity, in: model, arguments).condition
        }
    }

    /// Parses the values of `--set`.
    static func assignments(
        _ entity: EntityDescription, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws -> AssignedValues {
        let text = try PredicateText(entity.name, in: model, names: .files)
        var values = AssignedValues(entity)
        for list in arguments.allValues("set") {
            for assignment in try parsed("set", arguments: arguments, text: list, text.assignments) {
                guard values.add(assignment) else {
                    throw arguments.usageError("option --set: \(assignment.name) is set twice")
                }
            }
        }
        if let columns = values.incompleteKey(in: model) {
            let list = columns.joined(separator: ", ")
            throw arguments.usageError("option --set: \(list) form one key; set all of them")
        }
        return values
    }

    /// Returns a parsed text; a syntax error becomes a usage error that points at its position.
    static func parsed<Value>(
        _ option: String, arguments: ParsedArguments, text: String,
        _ parse: (String) throws(PredicateTextError) -> Value
    ) throws(UsageError) -> Value {
        do throws(PredicateTextError) {
            return try parse(text)
        } catch {
            let place = text.isEmpty ? "" : "\n\(error.rendering)"
            throw arguments.usageError("option --\(option): \(error)\(place)")
        }
    }
}
