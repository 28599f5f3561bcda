@testable import strata

/// A small program for tests of the parser and the help, so that the commands of the real one may change.
enum SampleProgram {
    static let importing = CommandSpecification(
        name: "import",
        summary: "Read a file into a store.",
        positionals: [PositionalSpecification(placeholder: "FILE", help: "The file to read; - is standard input.")],
        options: [
            .option("entity", placeholder: "NAME", help: "The entity of the rows.", isRequired: true),
            .option("store", placeholder: "FILE", help: "The store to write to.", isRequired: true),
            .option("count", placeholder: "N", help: "How many."),
            .option(
                "map", placeholder: "COLUMN=NAME", help: "Rename a column.", details: "The column must exist.",
                isRepeatable: true),
            .flag("ignore-unknown-columns", "Skip the columns that match no attribute, and report them."),
        ],
        examples: ["strata import a.csv --entity Color --store a.sqlite"]
    )

    static let info = CommandSpecification(
        name: "info",
        summary: "Show what a store holds.",
        positionals: [PositionalSpecification(placeholder: "STORE", help: "The store.", isOptional: true)]
    )

    static let program = ProgramSpecification(name: "strata", summary: "Moves datasets.", commands: [importing, info])

    /// Returns the parsed arguments, or `nil` if the words do not call a command.
    static func arguments(_ words: [String]) throws -> ParsedArguments? {
        guard case .command(let arguments) = try program.parse(words) else { return nil }
        return arguments
    }
}
