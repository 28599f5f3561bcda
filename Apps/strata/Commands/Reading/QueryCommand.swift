import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// The command `strata query`, which prints values, groups and aggregates of a store or of files.
enum QueryCommand: Command {
    private static let group = "Groups and results"
    private static let sqlGroup = "Querying by SQL"

    static let specification = CommandSpecification(
        name: "query",
        summary: "Print values, groups and aggregates of a store or of files.",
        positionals: [ReadableStore.files],
        options: ownOptions + ReadableStore.options(besides: ownOptions) + Stores.talkOptions,
        examples: [
            "strata query --store app.sqlite --entity Employee --select 'boss.lastName, count(), avg(salary) as mean'",
            "strata query employees.csv --select 'month(dateHired), sum(salary)' --sort 'sum(salary) desc' --limit 3",
            "strata query people.csv cities.csv --entity people --select 'city_code, count()' --format json",
            "strata query --store app.sqlite --entity Color --select name --distinct --format csv",
            "strata query employees.csv --sql 'SELECT max(salary) FROM employees WHERE lastName = :n' --param n=Ito",
        ])

    private static let ownOptions: [OptionSpecification] =
        [
            .option(
                "select", placeholder: "LIST",
                help: "Print these values, as in 'boss.lastName, count(), avg(salary) as mean'.",
                details:
                    "If a value contains an aggregate and --group-by is not given, the values without one are the keys "
                    + "of the groups. The text after as is the name of the column in the output; see SELECTIONS.",
                group: group, values: .expression),
            ReadableStore.entityOption,
            Selection.whereOption,
            .option(
                "group-by", placeholder: "LIST",
                help: "Form groups of records with equal values, as in 'month(dateHired)'.",
                group: group, values: .expression),
            .option(
                "having", placeholder: "TEXT",
                help: "Select the groups that match TEXT, as in 'count() > 1'.", group: group, values: .expression),
            .option(
                "sort", placeholder: "TEXT",
                help: "Sort the results by TEXT, as in 'sum(salary) desc'.",
                details: "The default order is that of the keys of groups, or of the records.", group: group,
                values: .expression),
            .option("limit", placeholder: "N", help: "Print at most N results (default: all).", group: group),
            .option("offset", placeholder: "N", help: "Skip the first N results (default: 0).", group: group),
            .flag("distinct", "Print equal results once.", group: group),
            .option(
                "sql", placeholder: "QUERY",
                help: "Run QUERY, one SELECT in the SQL of SQLite, instead of --select.",
                details:
                    "The names of the entities and of their files are views with the values of the files. decimal_sum(x) "
                    + "and decimal_avg(x) are exact. The store must be a SQLite database or on a PostgreSQL server, or files "
                    + "are read. On a server, write names with capital letters in quotation marks.",
                group: sqlGroup),
            .option(
                "param", placeholder: "NAME=VALUE", help: "Use VALUE for the parameter :NAME of --sql.",
                details: "A VALUE that is written as a whole number is a number, and any other VALUE is a text.",
                isRepeatable: true, group: sqlGroup),
            .option(
                "timeout", placeholder: "SECONDS", help: "Stop --sql after SECONDS (default: no limit).",
                group: sqlGroup),
        ] + ResultOutput.options

    static func run(_ arguments: ParsedArguments) throws {
        let interruption = Interruption()
        let output = try ResultOutput(arguments)
        if arguments.value("sql") != nil { return try SQLRun(arguments, output, interruption).run() }
        for option in ["param", "timeout"] where arguments.value(option) != nil {
            throw arguments.usageError("--\(option) requires --sql")
        }
        guard arguments.value("select") != nil else {
            throw arguments.usageError("missing option --select LIST, or --sql QUERY")
        }
        try ReadableStore.withContainer(arguments, keepsTexts: false) { container in
            let entity = try ReadableStore.entity(arguments, in: container.model)
            let query = try selection(entity, in: container.model, arguments)
            let types: [OperandType]
            do { types = try query.selection.resolved(in: container.model).resultTypes } catch {
                guard let error = error as? PersistenceError, error.code == .invalidRequest else { throw error }
                throw arguments.usageError((error.attribute.map { "\($0): " } ?? "") + error.message)
            }
            let columns = zip(query.names, types).map {
                TextTable.Column(title: $0, isNumber: $1.kind.type?.coding.isNumber ?? false)
            }
            try output.write(columns, interruption) { write in
                try container.coordinator.store.select(query.selection) { values in
                    if interruption.isCancelled() { throw CancellationError() }
                    try write(values)
                    return .next
                }
            }
        }
    }

    /// Returns the selection that the options describe; an error names its option and the position in its text.
    private static func selection(
        _ entity: EntityDescription, in model: ManagedObjectModel, _ arguments: ParsedArguments
    ) throws -> NamedSelection {
        let text = try PredicateText(entity.name, in: model, names: .files)
        let (limit, offset) = (
            try arguments.integer("limit", in: 0...Int.max), try arguments.integer("offset", in: 0...Int.max) ?? 0
        )
        var given: [String: String] = [:]
        var result: NamedSelection?
        // Each step adds one option, so that an error belongs to that option.
        for option in ["select", "where", "group-by", "having", "sort"] {
            guard let value = arguments.value(option) else { continue }
            given[option] = value
            result = try Selection.parsed(option, arguments: arguments, text: value) {
                _ throws(PredicateTextError) in
                try text.selection(
                    given["select"] ?? "", where: given["where"], groupBy: given["group-by"], having: given["having"],
                    sort: given["sort"] ?? "", distinct: arguments.has("distinct"), limit: limit, offset: offset)
            }
        }
        guard let result else { throw arguments.usageError("missing option --select LIST") }
        return result
    }
}
