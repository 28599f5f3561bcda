extension ManualPage {
    /// The text on properties that all commands have in common.
    static let description = [
        "A store is a SQLite database that contains the entities of a model. The model is inferred from the data that "
            + "is imported first, or is read from a model file, and is stored in the store. If the name of the store "
            + "ends in .stxml or .stbin, the store is an XML or binary file, which is always written as a whole. "
            + "strata validates every record against the model, reports each error with its line, and stores all "
            + "records or none.",
        "Options are accepted in any order, before, between or after the arguments, as --name value or --name=value. "
            + "-- ends the options; - is standard input or standard output. Data is written to standard output, "
            + "messages to standard error. On a terminal, long commands show their progress, and tables are cut to the "
            + "width of the terminal; in a pipe, neither happens.",
        "SIGINT, SIGTERM and SIGHUP cancel a command; the store and the files are then unchanged.",
    ]

    /// A summary of the syntax of `--where`, `--sort` and `--set`.
    static let predicates = [
        "--where, --sort and --set take texts with names of the model. The comparisons are = != < <= > >=, contains, "
            + "beginswith, endswith and like (with * and ?); with [c], as in contains[c], the text comparisons ignore "
            + "case. Other conditions are in {1, 2}, between {1, 2}, is null and is not null. Conditions are combined "
            + "with and, or, not and parentheses. Texts and dates are in single or double quotes; numbers are exact.",
        "A path follows relationships, as in boss.lastName. any, all and none precede a path to several objects, and "
            + "employees.@count is the count of objects. A sort order is a list of paths or values, each with asc or "
            + "desc. An error message shows the column of the error, and marks it.",
        "Values are calculated with + - * /, and with round(x, digits), abs(x), lower(text), upper(text), trim(text), "
            + "length(text), coalesce(a, b) and now(); year(date), month(date) (as 2026-11) and day(date) are parts of "
            + "a date in UTC. A decimal is never rounded implicitly. sum(employees.salary), total, avg, min and max "
            + "aggregate related objects.",
    ]

    static let predicateExamples = [
        "salary >= 50000 and lastName contains[c] \"an\"",
        "boss.lastName = 'Ito' or boss is null",
        "dateHired between {\"2020-01-01\", \"2020-12-31\"}",
        "any employees.salary > 90000",
        "length(trim(lastName)) < 3 and round(salary, -3) = 50000",
    ]

    /// A summary of the syntax of `--select`, `--group-by` and `--having`.
    static let selections = [
        "--select and --group-by of strata query are lists of values, separated by commas, with the syntax of PREDICATES. "
            + "A value of --select can have a name, as in avg(salary) as mean. --having is a condition on groups.",
        "The aggregates are count(), count(x), count(distinct a, b), sum(x), total(x), avg(x), min(x) and max(x). "
            + "They ignore null, except count(); count(x) counts the values that are not null. Without records, counts "
            + "and total are 0, and the others are null. Sums of whole numbers and of decimals are exact. "
            + "--having and --sort can use the names after as.",
    ]

    static let selectionExamples = [
        "boss.lastName, count(), avg(salary) as mean",
        "month(dateHired), sum(salary), max(salary) - min(salary) as spread",
    ]

    /// The files that the program uses in addition to the files in the arguments.
    static let files: [(name: String, meaning: String)] = [
        ("STORE-wal, STORE-shm", "Files of SQLite for a store that is in use. Do not delete them."),
        ("manifest.json", "The list of the files that export --all wrote to a directory; import reads it."),
    ]
}
