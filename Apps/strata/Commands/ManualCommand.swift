/// The command `strata manual`, which prints the page for man(1).
enum ManualCommand: Command {
    static let specification = CommandSpecification(
        name: "manual",
        summary: "Print the manual page strata(1), which has the details of all options.",
        examples: ["strata manual | man -l -", "strata manual > /usr/local/share/man/man1/strata.1"])

    static func run(_ arguments: ParsedArguments) throws {
        try Console.print(
            ManualPage(program: arguments.program, version: Version.number, date: Version.date).text)
    }
}
