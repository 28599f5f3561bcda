/// The options for a SQLite database of another program, of the commands that only read a store.
enum ForeignDatabaseOptions {
    /// All options.
    static let all: [OptionSpecification] = [
        .option(
            "mixed", placeholder: "ACTION",
            help: "For columns with values of several kinds: text or error (default: text).",
            details: "SQLite accepts any value in any column. text reads all values of such a column as texts.",
            group: group, values: .words(["text", "error"])),
        .option(
            "times", placeholder: "ACTION",
            help: "For whole numbers in date columns: dates or numbers (default: dates).",
            details:
                "Numbers in the range of seconds or milliseconds since 1970, in a column whose declared type or name "
                + "says that it has dates, are read as dates.",
            group: group, values: .words(["dates", "numbers"])),
        .flag(
            "views", "Also read the views, as tables without keys.",
            details: "A view that cannot be read, or takes longer than a minute, is left out.", group: group),
    ]
    private static let group = "Reading a SQLite database of another program"
}
