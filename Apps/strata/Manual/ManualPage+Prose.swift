extension ManualPage {
    /// The text on properties that all commands have in common.
    static let description = [
        "A store is a SQLite database that contains the entities of a model. The model is inferred from the data that "
            + "is imported first, or read from a model file; the store keeps it. If the name of the store ends in "
            + ".stxml or .stbin, it is an XML or binary file, written as a whole. strata checks every record against "
            + "the model, reports what is wrong in which line, and stores everything or nothing.",
        "Options are accepted in any order, before, between or after the arguments, as --name value or --name=value. -- ends "
            + "them; - is standard input or output. Data goes to standard output, messages go to standard error. On a "
            + "terminal what takes long shows how far it is, and a table is cut to the terminal's width; in a pipe nothing is.",
        "SIGINT, SIGTERM and SIGHUP end a command in order: the store and the files are then as they were before.",
    ]

    /// A summary of the syntax of `--where`, `--sort` and `--set`.
    static let predicates = [
        "--where, --sort and --set take texts whose names are the model's. Comparisons are = != < <= > >=, contains, "
            + "beginswith, endswith and like (with * and ?), each also without regard to case as in contains[c]; in {1, 2}, "
            + "between {1, 2}, is null and is not null. They are joined by and, or, not and parentheses. Texts and dates "
            + "are in quotes, single or double; numbers are exact.",
        "A path leads across relationships, as in boss.lastName; any, all and none precede a path to many objects, "
            + "and employees.@count is how many. A sort order is a list of paths or values, each with asc or desc. What is "
            + "wrong is said with its column, and pointed at.",
        "Values are calculated with + - * /, and with round(x, digits), abs(x), lower(text), upper(text), trim(text), "
            + "length(text), coalesce(a, b) and now(). A decimal is never rounded implicitly.",
    ]

    static let predicateExamples = [
        "salary >= 50000 and lastName contains[c] \"an\"",
        "boss.lastName = 'Ito' or boss is null",
        "dateHired between {\"2020-01-01\", \"2020-12-31\"}",
        "any employees.salary > 90000",
        "length(trim(lastName)) < 3 and round(salary, -3) = 50000",
    ]

    /// The files that the program uses in addition to the files in the arguments.
    static let files: [(name: String, meaning: String)] = [
        ("STORE-wal, STORE-shm", "SQLite's own files for a store that is in use. Do not remove them by hand."),
        ("manifest.json", "What export --all has written into its directory, and what import reads it back by."),
    ]
}
